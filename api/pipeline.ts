import { Hono } from 'hono'
import * as v from 'valibot'
import { addDays, agencyDay, startOfDay } from '../events/agency-day.ts'
import { PIPELINE_DAYS } from '../events/pipeline.ts'
import { readStages } from '../events/projections/pipeline.ts'
import type { pipeline } from '../events/wire/pipeline.ts'
import type { Sent } from '../events/wire/word.ts'
import { validate } from './body.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv } from './staff/staff.ts'

const WANTED = PIPELINE_DAYS.map(String)

/** What `GET /api/pipeline` may be asked for. */
export const pipelineQuery = v.object({
  days: v.optional(v.pipe(v.picklist(WANTED, `Must be one of: ${WANTED.join(', ')}`), v.transform(Number)), '90'),
})

/** `GET /api/pipeline?days=N`: what the leads of the last days are worth, stage by stage, for staff. */
export const pipelineRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const { days } = validate(pipelineQuery, c.req.query())
    const since = startOfDay(addDays(agencyDay(new Date()), 1 - days))
    return c.json({ stages: await readStages(node.reading, since) } satisfies Sent<typeof pipeline>)
  })
