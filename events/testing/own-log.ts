import { afterAll } from 'vitest'
import { openAppender } from '../log/append.ts'
import { connect } from '../stores/connection.ts'
import { createTestDatabase } from './database.ts'
import { TEST_KEYS } from './keys.ts'

/**
 * Opens an empty log for one test file, with a connection of the database's owner; it is dropped once the file's tests
 * have run. `await` it at the top of the file.
 */
export const openOwnLog = async ({ connections = 4 }: { connections?: number } = {}) => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: connections, name: 'test', keys: TEST_KEYS })
  const log = openAppender(database.url, { keys: TEST_KEYS })
  afterAll(async () => {
    await log.close()
    await sql.end()
    await database.drop()
  })
  return { databaseUrl: database.url, sql, log }
}
