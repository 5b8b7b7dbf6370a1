import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { signIn, type TestNode } from '../../events/testing/node.ts'
import { startProduct } from '../../events/testing/product.ts'
import { joinStaff, openTestClient, say } from './test-client.ts'

const { nodes } = await startProduct({ nodes: 2 })

const join = async (node: TestNode, joinKey: string, pageUrl = '/pricing') => {
  const client = await openTestClient(node)
  client.send({ type: 'join_chat', visitorName: 'Ana', pageUrl, joinKey })
  return { client, joined: await client.take('chat_joined') }
}

test('a chat is started once for a joinKey, on whichever node and page it is asked for', async () => {
  const joinKey = randomUUID()
  const first = await join(nodes[0], joinKey)
  expect(first.joined.resumed).toBe(false)
  await say(first.client, first.joined.sessionId, 'hello')
  for (const pageUrl of ['/pricing', '/elsewhere']) {
    const again = await join(nodes[1], joinKey, pageUrl)
    expect(again.joined).toMatchObject({ sessionId: first.joined.sessionId, resumed: true })
    expect((await again.client.take('chat_history')).messages.map(({ message }) => message)).toEqual(['hello'])
    await again.client.close()
  }
  const other = await join(nodes[0], randomUUID())
  expect(other.joined.sessionId).not.toBe(first.joined.sessionId)
  const staff = await joinStaff(nodes[0], await signIn(nodes[0]))
  const listed = staff.framesOf('active_sessions')[0]?.sessions ?? []
  expect(listed.map(({ sessionId, lastSequence }) => [sessionId, lastSequence])).toEqual([
    [other.joined.sessionId, 0],
    [first.joined.sessionId, 1],
  ])
  await Promise.all([first.client, other.client, staff].map((client) => client.close()))
})

test('a joinKey has to be a UUID', async () => {
  const client = await openTestClient(nodes[0])
  client.send({ type: 'join_chat', visitorName: 'Ana', joinKey: 'guess me' })
  expect(await client.take('error')).toMatchObject({ code: 'bad_frame' })
  await client.close()
})

test('a ping is answered, of anyone', async () => {
  const client = await openTestClient(nodes[0])
  client.send({ type: 'ping' })
  expect(await client.take('pong')).toEqual({ type: 'pong' })
  await client.close()
})
