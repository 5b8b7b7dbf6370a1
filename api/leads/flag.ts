import type { Context } from 'hono'
import { holdsErasure } from '../../events/follow-up-history.ts'
import { type Lead, releaseLead } from '../../events/lead.ts'
import { flagInForce, flagLead } from '../../events/lead-flag.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { changeLead, readLead } from './change.ts'
import { undoingOf } from './follow-up.ts'

/**
 * Moves a lead into quarantine that staff call spam. The answer's `Event-Id` is what was done, to be taken back by; there
 * is none where the lead was flagged already.
 */
export const flagAsSpam = async (node: ApiNode, c: Context<StaffEnv>, leadId: string) => {
  const staffId = c.get('staff').id
  const { lead: known, appended } = await changeLead(node, leadId, ({ lead, events }) => {
    if (holdsErasure(events)) throw new RequestError('conflict', 'This person has been erased')
    if (lead.followUpStatus === 'won') throw new RequestError('conflict', 'This lead is won: it is no spam')
    return flagLead({ lead, staffId })
  })
  if (appended) c.header('Event-Id', appended.id)
  return c.json((await readLead(node, known.id)).lead satisfies Lead)
}

/** Lets a flagged lead out of quarantine. What staff flagged themselves stands as it did before. */
export const releaseFlagged = async (node: ApiNode, c: Context<StaffEnv>, leadId: string) => {
  const staffId = c.get('staff').id
  const { lead: known } = await changeLead(node, leadId, ({ lead, events }) => {
    const flag = flagInForce(lead, events)
    if (flag) return undoingOf(flag, events, staffId)
    return releaseLead({ lead, submissionId: events[0]?.id ?? '', staffId })
  })
  return c.json((await readLead(node, known.id)).lead satisfies Lead)
}
