import { messageStreams } from '../../events/chat/chat.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { signIn, type TestNode } from '../../events/testing/node.ts'
import { openTestProduct } from '../../events/testing/product.ts'
import { joinStaff, openTestClient, type TestClient } from './socket-client.ts'

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
  const { database, nodes, sql, stop } = await openTestProduct({ nodes: 2 })
  const staff = await signIn(nodes[0])
  return {
    databaseUrl: database.url,
    sql,
    nodes,
    staff,
    admin: await joinStaff(nodes[1], staff),
    countMessages: async (sessionId) => {
      const [row] = await sql<{ messages: number }[]>`
        select count(*) as messages from events where stream = ${messageStreams.of(sessionId)}`
      return row?.messages
    },
    close: stop,
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
