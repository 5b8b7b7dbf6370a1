import * as v from 'valibot'
import { FOLLOW_UP_STATUSES } from '../follow-up/follow-up.ts'

/** The response of `GET /api/pipeline?days=N`: the value of the leads that came within so many days, by stage. */
export const pipeline = v.object({
  stages: v.array(
    v.object({
      status: v.picklist(FOLLOW_UP_STATUSES),
      leads: v.number(),
      valued: v.number(),
      value: v.number(),
    }),
  ),
})
