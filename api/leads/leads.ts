import { type Context, Hono } from 'hono'
import { holdsErasure } from '../../events/follow-up-history.ts'
import { type Lead, submitLead } from '../../events/lead.ts'
import { leadForm } from '../../events/lead-form.ts'
import { isContract } from '../../events/lead-kind.ts'
import { readWaitingLeads } from '../../events/projections/waiting-leads.ts'
import { withoutChat } from '../../events/timeline.ts'
import type { leadHistory } from '../../events/wire/person.ts'
import type { Sent } from '../../events/wire/word.ts'
import { limitBody } from '../body.ts'
import type { ApiNode } from '../node.ts'
import { type CallerEnv, requireScope } from '../staff/caller.ts'
import { openSessionWatch } from '../staff/session-watch.ts'
import { requireOwner, requireStaff, staffNames } from '../staff/staff.ts'
import { emailLead } from './answer.ts'
import { readLead } from './change.ts'
import { countChatAnswer } from './chat-answer.ts'
import { noteContact } from './contact.ts'
import { correctContactOf } from './correction.ts'
import { enterByHand } from './entry.ts'
import { answerErasable } from './erasable.ts'
import { erasePerson, MAX_ERASURE_BYTES } from './erasure.ts'
import { exportLeads } from './export.ts'
import { flagAsSpam, releaseFlagged } from './flag.ts'
import { addNote, changeFollowUpOf, undoEvent } from './follow-up.ts'
import { answerLeads, answerSummary } from './list.ts'
import { mergeLeads } from './merge.ts'
import { answerPerson } from './person.ts'
import { openLeadStream } from './stream.ts'
import { answerSubmission } from './submission.ts'

const answerHistory = async (node: ApiNode, c: Context<CallerEnv, '/:id/history'>) => {
  const { events, merges } = await readLead(node, c.req.param('id'))
  const names = await staffNames(node.sql)
  const all = [...events, ...merges].toSorted((a, b) => a.position - b.position)
  const history: Sent<typeof leadHistory> = all.map(({ id, type, version, recordedAt, data, personal, metadata }) => ({
    id,
    type,
    version,
    timestamp: recordedAt.toISOString(),
    by: ('by' in data && data.by && names.get(data.by)) || null,
    data: { ...(holdsErasure(events) ? withoutChat(data) : data), ...personal },
    actor: metadata.actor,
    requestId: metadata.correlationId,
  }))
  return c.json(history)
}

/**
 * `/api/leads`: visitors submit leads, staff list, follow and export them, owners erase people. Programs read and change
 * leads by a token.
 */
export const leadRoutes = (node: ApiNode) => {
  const staff = requireStaff(node)
  const readers = requireScope(node, 'leads:read')
  const writers = requireScope(node, 'leads:write')
  const watch = openSessionWatch(node)
  return new Hono()
    .post('/', (c) =>
      answerSubmission(node, c, {
        form: leadForm,
        trust: ({ leadSource }) => (isContract(leadSource) ? 'trusted_contracts' : 'trusted_forms'),
        submit: submitLead,
        answer: (lead): Lead => lead,
      }),
    )
    .get('/', readers, (c) => answerLeads(node, c, watch))
    .get('/summary', readers, (c) => answerSummary(node, c))
    .get('/waiting', readers, async (c) => c.json(await readWaitingLeads(node.reading, new Date())))
    .get('/stream', readers, openLeadStream(node, watch))
    .get('/export', readers, (c) => exportLeads(node, c, watch))
    .get('/:id', readers, async (c) => {
      const { lead } = await readLead(node, c.req.param('id'))
      c.header('ETag', `"${lead.version}"`)
      return c.json(lead satisfies Lead)
    })
    .patch('/:id', writers, (c) => changeFollowUpOf(node, c, c.req.param('id')))
    .patch('/:id/contact', writers, (c) => correctContactOf(node, c, c.req.param('id')))
    .post('/by-hand', writers, (c) => enterByHand(node, c))
    .post('/:id/notes', writers, (c) => addNote(node, c, c.req.param('id')))
    .post('/:id/emails', staff, (c) => emailLead(node, c, c.req.param('id')))
    .post('/:id/contacts', staff, (c) => noteContact(node, c, c.req.param('id')))
    .post('/:id/chat-answers', staff, (c) => countChatAnswer(node, c, c.req.param('id')))
    .post('/:id/merge', staff, (c) => mergeLeads(node, c, c.req.param('id')))
    .post('/:id/undo', staff, (c) => undoEvent(node, c, c.req.param('id')))
    .post('/:id/flag', staff, (c) => flagAsSpam(node, c, c.req.param('id')))
    .post('/:id/release', staff, (c) => releaseFlagged(node, c, c.req.param('id')))
    .get('/:id/person', staff, (c) => answerPerson(node, c, c.req.param('id')))
    .get('/:id/erase', staff, requireOwner, (c) => answerErasable(node, c, c.req.param('id')))
    .post('/:id/erase', staff, requireOwner, limitBody(MAX_ERASURE_BYTES), (c) =>
      erasePerson(node, c, c.req.param('id')),
    )
    .get('/:id/history', readers, (c) => answerHistory(node, c))
}
