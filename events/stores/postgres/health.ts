import { withDeadline } from './deadline.ts'
import type { Database } from './pool.ts'

const CHECK_TIMEOUT_MS = 2_000

/** Whether a service responds. */
export type ServiceStatus = 'up' | 'down'

/** Whether a query returns within 2 s. */
export const statusOf = (question: PromiseLike<unknown>): Promise<ServiceStatus> =>
  withDeadline(question, { deadlineMs: CHECK_TIMEOUT_MS }).then(
    () => 'up',
    () => 'down',
  )

/** Whether Postgres responds to a pool. */
export const postgresStatus = (database: Database): Promise<ServiceStatus> => statusOf(database`select 1`)
