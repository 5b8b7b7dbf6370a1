import { randomUUID } from 'node:crypto'
import type { AnyNewEvent } from '../catalogue.ts'
import { openAppender } from '../log/append.ts'
import { connect } from '../stores/connection.ts'
import { TEST_KEYS } from './keys.ts'

/** The log of a test database, for a past that no test can wait for. */
export type TestLog = {
  /**
   * Appends an event as if it had been recorded then; no process may follow the log during that time. Returns the
   * event's id.
   */
  record: (stream: string, event: AnyNewEvent, at: Date) => Promise<string>
  close: () => Promise<void>
}

/** Opens the log of a test database. */
export const openTestLog = (databaseUrl: string): TestLog => {
  const appender = openAppender(databaseUrl, { keys: TEST_KEYS })
  const sql = connect(databaseUrl, { max: 1, name: 'test', keys: TEST_KEYS })
  return {
    record: async (stream, event, at) => {
      const id = randomUUID()
      await appender.append({ stream, expectedVersion: 'any', events: [{ id, ...event }] })
      await sql`update events set recorded_at = ${at} where id = ${id}`
      return id
    },
    close: async () => {
      await appender.close()
      await sql.end()
    },
  }
}
