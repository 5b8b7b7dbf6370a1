import { flagInForce, flagLead } from '../../events/lead/flag.ts'
import { holdsErasure, releaseLead } from '../../events/lead/lead.ts'
import { lead } from '../../events/lead/wire.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { changeLead } from './change.ts'
import { readLead } from './known-lead.ts'
import { undoingOf } from './undo.ts'

/**
 * Moves a lead that staff call spam into quarantine. The response's `Event-Id` is the change, by which it can be
 * undone; there is none if the lead was flagged already.
 */
export const flagAsSpam = route('POST', '/api/leads/:id/flag', {
  access: 'staff',
  summary: 'Moves a lead that is spam into quarantine',
  answer: lead,
  mayConflict: true,
  handler: async ({ node, c, params }) => {
    const staffId = c.get('staff').id
    const { lead: known, appended } = await changeLead(node, params.id, ({ lead, events }) => {
      if (holdsErasure(events)) throw new RequestError('conflict', 'This person has been erased')
      if (lead.followUpStatus === 'won') throw new RequestError('conflict', 'This lead is won: it cannot be spam')
      return flagLead({ lead, staffId })
    })
    if (appended) c.header('Event-Id', appended.id)
    return (await readLead(node, known.id)).lead
  },
})

/** Releases a flagged lead from quarantine. One that staff flagged gets back the status that it had before. */
export const releaseFlagged = route('POST', '/api/leads/:id/release', {
  access: 'staff',
  summary: 'Releases a flagged submission',
  answer: lead,
  mayConflict: true,
  handler: async ({ node, c, params }) => {
    const staffId = c.get('staff').id
    const { lead: known } = await changeLead(node, params.id, ({ lead, events }) => {
      const flag = flagInForce(lead, events)
      if (flag) return undoingOf(flag, events, staffId)
      return releaseLead({ lead, submissionId: events[0]?.id ?? '', staffId })
    })
    return (await readLead(node, known.id)).lead
  },
})
