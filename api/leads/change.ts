import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { AnyNewEvent } from '../../events/catalogue.ts'
import { evolveLead, type Lead, type LeadEvent, leadStream } from '../../events/lead.ts'
import { readStream } from '../../events/log/read.ts'
import { whileLate } from '../../events/log/while-late.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'

/** A lead as the log has it, up to its last event; `events` are all of its stream, oldest first. */
export type KnownLead = { lead: Lead; events: LeadEvent[] }

/** Reads a lead from the log itself, so that whoever has just changed it finds the change. */
export const readLead = async ({ sql }: ApiNode, leadId: string): Promise<KnownLead> => {
  const isId = v.is(v.pipe(v.string(), v.uuid()), leadId)
  const events = isId ? ((await readStream(sql, leadStream(leadId.toLowerCase()))) as LeadEvent[]) : []
  const lead = events.reduce<Lead | undefined>(evolveLead, undefined)
  if (!lead) throw new RequestError('not_found', 'There is no lead with this id')
  return { lead, events }
}

/** What is to be appended; with an `id` of its own where a request that is repeated must find it. */
type Decision = (AnyNewEvent & { id?: string }) | undefined

/**
 * Appends what is decided on the lead as it stands; where somebody else was faster, on the lead as it stands then.
 * Answers the lead after it, and the event where one was `appended`. `decide` answers undefined where nothing is to be
 * done, and throws where it must not be.
 */
export const changeLead = (
  node: ApiNode,
  leadId: string,
  decide: (known: KnownLead) => Decision | Promise<Decision>,
): Promise<KnownLead & { appended?: LeadEvent }> =>
  whileLate(async () => {
    const known = await readLead(node, leadId)
    const event = await decide(known)
    if (!event) return known
    const stream = leadStream(known.lead.id)
    const request = { stream, expectedVersion: known.lead.version, events: [{ id: randomUUID(), ...event }] }
    const [stored] = (await node.log.append(request)).events
    const appended = { ...event, ...stored, stream } as LeadEvent
    return { lead: evolveLead(known.lead, appended) ?? known.lead, events: [...known.events, appended], appended }
  })
