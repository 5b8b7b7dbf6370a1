import * as v from 'valibot'
import { addDays, agencyDay, startOfDay } from '../../events/base/agency-day.ts'
import { PIPELINE_DAYS } from '../../events/lead/screens/pipeline.ts'
import { pipeline } from '../../events/lead/screens/pipeline-wire.ts'
import { route } from '../http/route.ts'
import { readStages } from './stages.ts'

const WANTED = PIPELINE_DAYS.map(String)

const pipelineQuery = v.object({
  days: v.optional(v.pipe(v.picklist(WANTED, `Must be one of: ${WANTED.join(', ')}`), v.transform(Number)), '90'),
})

/** The value of the leads of the last days, by stage. */
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
