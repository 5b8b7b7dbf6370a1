import { evolveLead, type LeadEvent, leadStreams } from '../../events/lead/lead.ts'
import { mergeStreams } from '../../events/lead/person/merge.ts'
import type { KnownLead } from '../../events/lead/store/family.ts'
import { type Decision, handle } from '../../events/log/handle.ts'
import { RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { readLead } from './known-lead.ts'

/** Throws if a lead was merged into another one, on which all later work is done. */
export const assertStays = ({ lead }: Pick<KnownLead, 'lead'>) => {
  if (!lead.mergedInto) return
  throw new RequestError('conflict', 'This lead was merged into another one: open that one', {
    members: { mergedInto: lead.mergedInto },
  })
}

/** Guards that a lead has not been merged when something is stored that relies on it. */
export const staysGuard = ({ lead, mergeVersion }: Pick<KnownLead, 'lead' | 'mergeVersion'>) => ({
  stream: mergeStreams.of(lead.id),
  version: mergeVersion,
})

/**
 * Appends the decision on the current lead; if another caller was faster, decides again on the changed lead. Returns
 * the lead after it, and the event if one was `appended`. `decide` returns undefined if there is nothing to do, and
 * throws if the change is not allowed. A lead that was merged into another one never changes.
 */
export const changeLead = async (
  node: ApiNode,
  leadId: string,
  decide: (known: KnownLead) => Decision<LeadEvent> | Promise<Decision<LeadEvent>>,
): Promise<Pick<KnownLead, 'lead' | 'events'> & { appended?: LeadEvent }> => {
  const read = async () => {
    const known = await readLead(node, leadId)
    assertStays(known)
    const stream = leadStreams.of(known.lead.id)
    return { ...known, stream, version: known.lead.version, guards: [staysGuard(known)] }
  }
  const { known, appended } = await handle(node.log, { read, decide })
  const { lead, events } = known
  if (!appended) return { lead, events }
  return { lead: evolveLead(lead, appended) ?? lead, events: [...events, appended], appended }
}
