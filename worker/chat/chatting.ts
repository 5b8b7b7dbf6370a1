import type { Logger } from 'pino'
import type { Appender } from '../../events/log/append.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { Bus } from '../../events/stores/redis/bus.ts'

/** The dependencies of the chat sweeps. */
export type Chatting = { sql: Sql; log: Appender; bus: Bus; logger: Pick<Logger, 'info' | 'error'> }
