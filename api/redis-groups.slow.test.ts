import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { leadStreams } from '../events/lead/lead.ts'
import { readHead } from '../events/log/read.ts'
import { connect } from '../events/stores/connection.ts'
import { redisPrefix } from '../events/stores/redis/prefix.ts'
import { QUEUES } from '../events/stores/redis/queues.ts'
import { createTestDatabase } from '../events/testing/database.ts'
import { TEST_KEYS } from '../events/testing/keys.ts'
import { eventually, signIn, startTestNode, startTestWorker } from '../events/testing/node.ts'
import { canRunRedisGroups, startRedisCluster, startSentinelGroup } from '../events/testing/redis-group.ts'
import { openTestClient } from './testing/socket-client.ts'

/** A second until the master counts as down, and the election of another; longer on a busy machine. */
const FAILOVER_TIMEOUT_MS = 30_000

/** The time that the replica may take for the master's last write. */
const WAIT_MS = 5_000

const toClose: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

/** Registers what a test closes after itself, last first. */
const kept = <T>(thing: T, close: (thing: T) => Promise<unknown>): T => {
  toClose.push(() => close(thing))
  return thing
}

test.runIf(await canRunRedisGroups()).each([
  { kind: 'under Sentinel', start: () => startSentinelGroup() },
  { kind: 'on a Cluster', start: (key: string) => startRedisCluster(key) },
  { kind: 'on a Cluster whose shards carry the messages', start: (key: string) => startRedisCluster(key, 'sharded') },
])('$kind chat and email go on when the master is lost', async ({ start }) => {
  const database = kept(await createTestDatabase(), ({ drop }) => drop())
  const sql = kept(connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS }), (pool) => pool.end())
  const prefix = redisPrefix((await readHead(sql)).epoch)
  const group = kept(await start(prefix), ({ stop }) => stop())
  const stores = { databaseUrl: database.url, redisUrl: group.url }
  const [node, other, worker] = await Promise.all([
    startTestNode(stores),
    startTestNode(stores),
    startTestWorker(stores),
  ])
  for (const each of [node, other, worker]) kept(each, ({ stop }) => stop())

  const isUp = () =>
    eventually(async () => {
      for (const each of [node, other]) expect(await (await each.call('/readyz')).json()).toMatchObject({ redis: 'up' })
    }, FAILOVER_TIMEOUT_MS)
  const submitContract = async () => {
    const person = { name: 'Ana Botha', email: 'ana@example.com', phone: '082 555 0199', businessName: 'Botha & Co' }
    const form = { ...person, leadSource: 'contract_premium', agreedToTerms: true }
    const response = await node.post('/api/leads', form)
    expect(response.status).toBe(201)
    return ((await response.json()) as { id: string }).id
  }
  const isSent = (leadId: string) =>
    eventually(async () => {
      const rows = await sql`select state from deliveries where stream = ${leadStreams.of(leadId)}`
      expect(rows.map(({ state }) => state)).toEqual(['outbox'])
    }, FAILOVER_TIMEOUT_MS)

  await isUp()
  const staff = kept(await openTestClient(other, await signIn(other)), ({ close }) => close())
  staff.send({ type: 'join_admin', adminName: 'Thandi' })
  await staff.take('active_sessions')
  const visitor = kept(await openTestClient(node), ({ close }) => close())
  visitor.send({ type: 'join_chat', visitorName: 'Ana', pageUrl: 'https://www.example.com/' })
  const { sessionId } = await visitor.take('chat_joined')
  const say = async (message: string) => {
    visitor.send({ type: 'send_message', sessionId, message, clientMessageId: randomUUID() })
    await staff.take('new_message', (frame) => frame.message === message)
  }
  await say('before')
  staff.send({ type: 'watch', sessionId })
  await eventually(async () => expect(await group.master.redis.scard(`${prefix}chat-presence`)).toBe(2))
  await isSent(await submitContract())

  // a job that the queue still counts as active delays the next ones for half a minute
  const active = `${prefix}${QUEUES.emailService}:active`
  await eventually(async () => expect(await group.master.redis.llen(active)).toBe(0))
  await group.master.redis.wait(1, WAIT_MS)
  await group.master.kill()
  await say('while it is lost')
  await isSent(await submitContract())
  await isUp()
  await say('afterwards')
  await isSent(await submitContract())
})
