import { FOLLOW_UP_STATUSES } from '../../events/lead/follow-up/follow-up.ts'
import type { Stage } from '../../events/lead/screens/pipeline.ts'
import { overviewProjection } from '../../events/lead/store/overview.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import type { Sql } from '../../events/stores/connection.ts'

/** The leads since a time, by their current status: their number and their value. */
export const readStages = async (sql: Sql, since: Date): Promise<Stage[]> => {
  const rows = await sql<Stage[]>`
    select follow_up_status as status, count(*)::integer as leads, count(project_value)::integer as valued,
      coalesce(sum(project_value), 0) as value
    from ${sql(schemaOf(overviewProjection))}.facts
    where valid_to = 'infinity' and submitted_at >= ${since} and not is_suspect and not is_erased
      and not is_merged
    group by 1`
  return FOLLOW_UP_STATUSES.map(
    (status) => rows.find((row) => row.status === status) ?? { status, leads: 0, valued: 0, value: 0 },
  )
}
