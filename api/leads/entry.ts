import { randomUUID } from 'node:crypto'
import { enterLead, leadEntryForm } from '../../events/lead/entry.ts'
import { leadFollowUpChanged, leadNoteAdded } from '../../events/lead/follow-up/follow-up.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { lead } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { route } from '../http/route.ts'
import { readLead } from './known-lead.ts'

/** The source of a lead that staff entered by hand. */
const LEAD_SOURCE = 'by_hand'

/**
 * Stores a lead that staff enter by hand, with its note, once per Idempotency-Key. Unless it still waits, its author
 * owns it, as if they had answered it.
 */
export const enterByHand = route('POST', '/api/leads/by-hand', {
  access: 'staff',
  scope: 'leads:write',
  summary: 'Enters a lead',
  body: leadEntryForm,
  answer: lead,
  status: 201,
  handler: async ({ node, c, body: { note, isWaiting, ...person } }) => {
    const { id: by, isProgram } = c.get('caller')
    await node.admission.admit('lead_entries', { account: by })
    const leadId = deterministicUuid('lead by hand', by, c.req.header('idempotency-key') ?? randomUUID())
    const followUpStatus = isWaiting ? 'new' : 'contacted'
    const entered = {
      id: deterministicUuid('submission', leadId),
      ...enterLead(leadId, { ...person, leadSource: LEAD_SOURCE }, { by, followUpStatus }),
    }
    const added = note && {
      id: deterministicUuid('note', leadId),
      ...leadNoteAdded({ by }, { subjectId: leadId, personal: { note } }),
    }
    // the staff member who has answered a lead owns it
    const ownedId = deterministicUuid('owned by author', leadId)
    const owned = !isWaiting && !isProgram && { id: ownedId, ...leadFollowUpChanged({ ownerId: by, by }) }
    const read = () => ({ stream: leadStreams.of(leadId), version: 'any' as const })
    await handle(node.log, { read, decide: () => [entered, ...(added ? [added] : []), ...(owned ? [owned] : [])] })
    const { lead: stored } = await readLead(node, leadId)
    c.header('ETag', `"${stored.version}"`)
    return stored
  },
})
