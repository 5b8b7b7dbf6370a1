import type { Logger } from 'pino'
import type { Appender } from '../../events/log/append.ts'
import type { Bus } from '../../events/log/bus.ts'
import type { Sql } from '../../events/log/connection.ts'

/** What looking after chats works with. */
export type Chatting = { sql: Sql; log: Appender; bus: Bus; logger: Pick<Logger, 'info' | 'error'> }
