import * as v from 'valibot'
import { addDays, agencyDay, startOfDay } from '../events/agency-day.ts'
import { PIPELINE_DAYS } from '../events/pipeline.ts'
import { readStages } from '../events/projections/pipeline.ts'
import { pipeline } from '../events/wire/pipeline.ts'
import { route } from './http/route.ts'

const WANTED = PIPELINE_DAYS.map(String)

const pipelineQuery = v.object({
  days: v.optional(v.pipe(v.picklist(WANTED, `Must be one of: ${WANTED.join(', ')}`), v.transform(Number)), '90'),
})

/** The value of the leads of the last days, stage by stage. */
export const pipelineRoute = route('GET', '/api/pipeline', {
  access: 'staff',
  summary: 'Leads by stage, with values',
  query: pipelineQuery,
  answer: pipeline,
  handler: async ({ node, query: { days } }) => {
    const since = startOfDay(addDays(agencyDay(new Date()), 1 - days))
    return { stages: await readStages(node.reading, since) }
  },
})
