import { type Context, Hono } from 'hono'
import { changeFollowUp, type FollowUp, followUpForm } from '../events/follow-up.ts'
import { leadForm, releaseLead, submitLead } from '../events/lead.ts'
import { readBody } from './body.ts'
import { RequestError } from './errors.ts'
import { changeLead, readLead } from './leads-change.ts'
import { exportLeads } from './leads-export.ts'
import { answerLeads, answerSummary, leadPages } from './leads-list.ts'
import { streamLeads } from './leads-stream.ts'
import { answerSubmission } from './leads-submission.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv, staffNames } from './staff.ts'

const requireKnownOwner = async ({ sql }: ApiNode, { ownerId }: FollowUp) => {
  if (!ownerId || (await staffNames(sql)).has(ownerId)) return
  const message = 'Must be a staff member'
  throw new RequestError('invalid', message, { fields: [{ path: 'ownerId', message }] })
}

const changeByStaff = async (node: ApiNode, c: Context<StaffEnv, '/:id'>) => {
  const change = await readBody(c, followUpForm)
  await requireKnownOwner(node, change)
  const staffId = c.get('staff').id
  return c.json(await changeLead(node, c.req.param('id'), ({ lead }) => changeFollowUp({ lead, change, staffId })))
}

const answerHistory = async (node: ApiNode, c: Context<StaffEnv, '/:id/history'>) => {
  const { events } = await readLead(node, c.req.param('id'))
  const names = await staffNames(node.sql)
  return c.json(
    events.map(({ id, type, version, recordedAt, data, personal }) => ({
      id,
      type,
      version,
      timestamp: recordedAt.toISOString(),
      by: ('by' in data && data.by && names.get(data.by)) || null,
      data: { ...data, ...personal },
    })),
  )
}

/** `/api/leads`: visitors submit leads, staff list, follow and export them. */
export const leadRoutes = (node: ApiNode) => {
  const staff = requireStaff(node)
  return new Hono<StaffEnv>()
    .post('/', (c) => answerSubmission(node, c, { form: leadForm, submit: submitLead, answer: (lead) => lead }))
    .get('/', staff, (c) => answerLeads(node, c))
    .get('/summary', staff, (c) => answerSummary(node, c))
    .get('/stream', staff, (c) => streamLeads(node, c))
    .get('/export', staff, (c) => exportLeads(c, (query) => leadPages(node, query)))
    .get('/:id', staff, async (c) => {
      const { lead } = await readLead(node, c.req.param('id'))
      c.header('ETag', `"${lead.version}"`)
      return c.json(lead)
    })
    .patch('/:id', staff, (c) => changeByStaff(node, c))
    .post('/:id/release', staff, async (c) => {
      const staffId = c.get('staff').id
      const lead = await changeLead(node, c.req.param('id'), ({ lead, events }) =>
        releaseLead({ lead, submissionId: events[0]?.id ?? '', staffId }),
      )
      return c.json(lead)
    })
    .get('/:id/history', staff, (c) => answerHistory(node, c))
}
