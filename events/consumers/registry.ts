import { chatsProjection } from '../chat/store/view.ts'
import { contractsProjection } from '../lead/store/contracts.ts'
import { overviewProjection } from '../lead/store/overview.ts'
import { leadsProjection } from '../lead/store/view.ts'
import { prepareActingConsumer } from '../log/checkpoints.ts'
import { type Projection, prepareProjection } from '../projections/projection.ts'
import type { Sql } from '../stores/connection.ts'
import { ACTING_CONSUMERS, type LogConsumer } from './acting-consumers.ts'

/** Every view, in the version that this code fills and reads. */
export const PROJECTIONS: readonly Projection[] = [
  leadsProjection,
  chatsProjection,
  overviewProjection,
  contractsProjection,
]

/** Every consumer of the log: the views, and those that act on events. */
export const CONSUMERS: readonly LogConsumer[] = [...PROJECTIONS, ...ACTING_CONSUMERS]

/** Makes the checkpoints of consumers that have none; for a view that the log holds nothing for, its tables too. */
export const prepareConsumers = async (sql: Sql): Promise<void> => {
  for (const projection of PROJECTIONS) await prepareProjection(sql, projection)
  for (const consumer of ACTING_CONSUMERS) await prepareActingConsumer(sql, consumer)
}
