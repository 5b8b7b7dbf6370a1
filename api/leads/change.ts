import { evolveLead, type Lead, type LeadEvent, leadStreams } from '../../events/lead.ts'
import { type Decision, handle } from '../../events/log/handle.ts'
import { readStream } from '../../events/log/read.ts'
import { isUuid } from '../../events/text.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'

/** A lead as the log has it, up to its last event; `events` are all of its stream, oldest first. */
export type KnownLead = { lead: Lead; events: LeadEvent[] }

/** Reads a lead from the log itself, where a change is found at once. */
export const readLead = async ({ sql }: ApiNode, leadId: string): Promise<KnownLead> => {
  const isId = isUuid(leadId)
  const events = isId ? await readStream(sql, leadStreams.of(leadId.toLowerCase())) : []
  const lead = events.reduce<Lead | undefined>(evolveLead, undefined)
  if (!lead) throw new RequestError('not_found', 'There is no lead with this id')
  return { lead, events }
}

/**
 * Appends what is decided on the lead as it is; where somebody else was faster, on the lead as it is then.
 * Answers the lead after it, and the event where one was `appended`. `decide` answers undefined where nothing is to be
 * done, and throws where it must not be.
 */
export const changeLead = async (
  node: ApiNode,
  leadId: string,
  decide: (known: KnownLead) => Decision<LeadEvent> | Promise<Decision<LeadEvent>>,
): Promise<KnownLead & { appended?: LeadEvent }> => {
  const read = async () => {
    const known = await readLead(node, leadId)
    return { ...known, stream: leadStreams.of(known.lead.id), version: known.lead.version }
  }
  const { known, appended } = await handle(node.log, { read, decide })
  const { lead, events } = known
  if (!appended) return { lead, events }
  return { lead: evolveLead(lead, appended) ?? lead, events: [...events, appended], appended }
}
