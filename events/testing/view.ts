import { type Appender, openAppender } from '../log/append.ts'
import { type Projection, prepareProjection, project, schemaOf } from '../projections/projection.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from './database.ts'
import { TEST_KEYS } from './keys.ts'

/** One view over a log of its own. */
export type TestView = {
  databaseUrl: string
  sql: Sql
  appender: Appender
  /** Empties the log and makes the view again. */
  clear: () => Promise<void>
  /** Brings the view up to the head of the log. */
  projectAll: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a database for a test file of one projection; it wants a `clear` before the first use. */
export const openTestView = async (projection: Projection): Promise<TestView> => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 10, name: 'test', keys: TEST_KEYS })
  const appender = openAppender(database.runtimeUrl, { keys: TEST_KEYS })
  const schema = schemaOf(projection)
  return {
    databaseUrl: database.url,
    sql,
    appender,
    clear: async () => {
      await sql.unsafe(`truncate events, checkpoints, checkpoint_positions;
        drop schema if exists ${schema} cascade`)
      await prepareProjection(sql, projection)
    },
    projectAll: async () => {
      while ((await project(sql, projection)).hasMore);
    },
    close: async () => {
      await appender.close()
      await sql.end()
      await database.drop()
    },
  }
}
