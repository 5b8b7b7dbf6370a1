import { withDeadline } from './deadline.ts'
import type { Database } from './pool.ts'

const CHECK_TIMEOUT_MS = 2_000

/** Whether something answers. */
export type Standing = 'up' | 'down'

/** Whether a question is answered within 2 s. */
export const standingOf = (question: PromiseLike<unknown>): Promise<Standing> =>
  withDeadline(question, { deadlineMs: CHECK_TIMEOUT_MS }).then(
    () => 'up',
    () => 'down',
  )

/** Whether Postgres answers a pool. */
export const standingOfPostgres = (database: Database): Promise<Standing> => standingOf(database`select 1`)
