import { messageStreams } from '../../events/chat.ts'
import { connect, type Sql } from '../../events/log/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { signIn, startTestNode, startTestWorker, type TestNode } from '../../events/testing/node.ts'
import { joinStaff, openTestClient, type TestClient } from './test-client.ts'

/** Two nodes and a worker, with staff who are signed in. */
export type TestChat = {
  databaseUrl: string
  sql: Sql
  nodes: [TestNode, TestNode]
  staff: { cookie: string }
  /** Staff on the second node. */
  admin: TestClient
  /** How many messages of a session the log has. */
  countMessages: (sessionId: string) => Promise<number | undefined>
  close: () => Promise<void>
}

/** Starts them all. */
export const openTestChat = async (): Promise<TestChat> => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  const [first, second, worker] = await Promise.all([
    startTestNode(stores),
    startTestNode(stores),
    startTestWorker(stores),
  ])
  const staff = await signIn(first)
  return {
    databaseUrl: database.url,
    sql,
    nodes: [first, second],
    staff,
    admin: await joinStaff(second, staff),
    countMessages: async (sessionId) => {
      const [row] = await sql<{ messages: number }[]>`
        select count(*) as messages from events where stream = ${messageStreams.of(sessionId)}`
      return row?.messages
    },
    close: async () => {
      await Promise.all([first, second, worker].map((process) => process.stop()))
      await sql.end()
      await database.drop()
    },
  }
}

/** Comes back to a session, or asks for it. */
export const resume = async (
  node: TestNode,
  frame: { sessionId: string; resumeToken: string; afterSequence?: number },
) => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName: 'Ana', ...frame })
  return client
}
