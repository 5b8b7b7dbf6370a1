import { holdsErasure } from '../../events/lead/lead.ts'
import { leadHistory } from '../../events/lead/person/person-wire.ts'
import { readWaitingLeads } from '../../events/lead/store/waiting-leads.ts'
import * as wire from '../../events/lead/wire.ts'
import { withoutChat } from '../../events/timeline.ts'
import { route } from '../http/route.ts'
import { staffNames } from '../staff/staff.ts'
import { emailLead } from './answer.ts'
import { countChatAnswer } from './chat-answer.ts'
import { noteContact } from './contact.ts'
import { correctContact } from './correction.ts'
import { enterByHand } from './entry.ts'
import { readErasable } from './erasable.ts'
import { erasePerson } from './erasure.ts'
import { exportLeads } from './export.ts'
import { flagAsSpam, releaseFlagged } from './flag.ts'
import { addNote, changeFollowUpOf } from './follow-up.ts'
import { readLead } from './known-lead.ts'
import { countLeadsRoute, listLeadsRoute, sumStagesRoute } from './list.ts'
import { mergeLeads } from './merge.ts'
import { readPerson } from './person.ts'
import { leadStream } from './stream.ts'
import { submissionRoutes } from './submission.ts'
import { undoEvent } from './undo.ts'

const waitingLeads = route('GET', '/api/leads/waiting', {
  access: 'staff',
  scope: 'leads:read',
  summary: 'Counts leads that wait for their first answer',
  answer: wire.waitingLeads,
  handler: ({ node }) => readWaitingLeads(node.reading, new Date()),
})

const oneLead = route('GET', '/api/leads/:id', {
  access: 'staff',
  scope: 'leads:read',
  summary: 'One lead',
  answer: wire.lead,
  handler: async ({ node, c, params: { id } }) => {
    const { lead } = await readLead(node, id)
    c.header('ETag', `"${lead.version}"`)
    return lead
  },
})

const history = route('GET', '/api/leads/:id/history', {
  access: 'staff',
  scope: 'leads:read',
  summary: 'The events of a lead, oldest first',
  answer: leadHistory,
  handler: async ({ node, params: { id: leadId } }) => {
    const { events, merges } = await readLead(node, leadId)
    const names = await staffNames(node.sql)
    const all = [...events, ...merges].toSorted((a, b) => a.position - b.position)
    return all.map(({ id, type, version, recordedAt, data, personal, metadata }) => ({
      id,
      type,
      version,
      timestamp: recordedAt.toISOString(),
      by: ('by' in data && data.by && names.get(data.by)) || null,
      data: { ...(holdsErasure(events) ? withoutChat(data) : data), ...personal },
      actor: metadata.actor,
      requestId: metadata.correlationId,
    }))
  },
})

/**
 * Visitors submit leads; staff list, follow and export them; owners erase people. Programs call the routes with a
 * token.
 */
export const leadRoutes = [
  ...submissionRoutes,
  listLeadsRoute,
  enterByHand,
  countLeadsRoute,
  sumStagesRoute,
  waitingLeads,
  leadStream,
  exportLeads,
  oneLead,
  changeFollowUpOf,
  correctContact,
  addNote,
  emailLead,
  noteContact,
  countChatAnswer,
  mergeLeads,
  undoEvent,
  flagAsSpam,
  releaseFlagged,
  readPerson,
  history,
  readErasable,
  erasePerson,
]
