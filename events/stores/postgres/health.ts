import { withDeadline } from './deadline.ts'
import type { Database } from './pool.ts'

const CHECK_TIMEOUT_MS = 2_000

/** Whether a service responds. */
export type Standing = 'up' | 'down'

/** Whether a query returns within 2 s. */
export const standingOf = (question: PromiseLike<unknown>): Promise<Standing> =>
  withDeadline(question, { deadlineMs: CHECK_TIMEOUT_MS }).then(
    () => 'up',
    () => 'down',
  )

/** Whether Postgres responds to a pool. */
export const standingOfPostgres = (database: Database): Promise<Standing> => standingOf(database`select 1`)
