import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { chatsProjection } from '../../../events/chat/store/view.ts'
import { prepareProjection, schemaOf } from '../../../events/projections/projection.ts'
import { connect, type Sql } from '../../../events/stores/connection.ts'
import { openBus } from '../../../events/stores/redis/bus.ts'
import { connectRedis } from '../../../events/stores/redis/redis.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../../../events/testing/database.ts'
import { openFaultProxy } from '../../../events/testing/fault-proxy.ts'
import { TEST_KEYS } from '../../../events/testing/keys.ts'
import { openTestSocket } from '../../testing/rooms.ts'
import { Presence } from './presence.ts'
import { waitingAt } from './waiting-at.ts'

const WAIT = { timeout: 60_000, interval: 5 }
const NODES = 30
const CHANNEL = 'chat:presence'

let database: TestDatabase
let reading: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  reading = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  await prepareProjection(reading, chatsProjection)
})

afterAll(async () => {
  await reading.end()
  await database.drop()
})

type Nodes = Awaited<ReturnType<typeof openNodes>>

/** Some nodes that share one Redis, behind a proxy, the visitors on each, and the messages that they publish. */
const openNodes = async (count: number) => {
  const redisUrl = await testRedisUrl()
  const proxy = await openFaultProxy(redisUrl)
  onTestFinished(() => proxy.close())
  const prefix = `{${randomUUID()}}:`
  const open = (url: string) => {
    const bus = openBus(url, { prefix, onError: () => {} })
    onTestFinished(() => bus.close())
    const redis = connectRedis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 2_000 })
    redis.on('error', () => {})
    onTestFinished(() => redis.disconnect())
    return { bus, redis }
  }
  const messages: string[] = []
  const outside = open(redisUrl)
  await vi.waitFor(() => expect(outside.redis.status).toBe('ready'), WAIT)
  await outside.bus.subscribe(CHANNEL, (message) => messages.push(message))
  const logger = pino({ enabled: false })
  const nodes = Array.from({ length: count }, (_, index) => {
    const { bus, redis } = open(proxy.url)
    const id = `node-${index}`
    const visitors = new Set<string>()
    const presence = new Presence({ id, bus, redis, reading, logger }, () => [...visitors])
    onTestFinished(() => presence.close())
    return { id, bus, redis, presence, visitors }
  })
  const areUp = () =>
    vi.waitFor(() => expect(nodes.every(({ bus, redis }) => bus.isUp && redis.status === 'ready')).toBe(true), WAIT)
  await areUp()
  const keys = { nodes: `${prefix}chat-presence`, of: (node: string) => `${prefix}chat-presence:${node}` }
  return { nodes, messages, proxy, areUp, outside, keys }
}

/** A console with its own staff member. */
const joinOn = ({ presence }: Nodes['nodes'][0], name = 'Staff') => {
  const standing = { isAdmitted: true, isConfirmed: true, hasTwoFactor: false, tokenHash: Buffer.alloc(32) }
  const staff = {
    ...{ id: randomUUID(), username: 'a', displayName: name, role: 'agent' as const, photo: null },
    leadsLayout: 'cards' as const,
    ...standing,
  }
  const socket = { ...openTestSocket(), staff }
  presence.join(socket)
  return {
    socket,
    watch: (sessionId: string | null) => presence.watch(socket, sessionId),
    follow: (...sessionIds: string[]) => presence.follow(socket, sessionIds),
  }
}

type TestConsole = ReturnType<typeof joinOn>

type PresenceFrame = Extract<ServerFrame, { type: 'presence' }>

const presenceOf = ({ socket }: TestConsole, sessionId: string) =>
  socket.frames.findLast((frame): frame is PresenceFrame => frame.type === 'presence' && frame.sessionId === sessionId)

/** Waits until the last frame of a console about a session names these. */
const isShown = (console: TestConsole, sessionId: string, names: string[]) =>
  vi.waitFor(
    () =>
      expect(
        presenceOf(console, sessionId)
          ?.staff.map(({ name }) => name)
          .sort(),
      ).toEqual(names),
    WAIT,
  )

/** The frames of a console about a session's visitor, oldest first: whether they are connected. */
const whereabouts = ({ socket }: TestConsole, sessionId: string) =>
  socket.frames.flatMap((frame) => {
    const chats = frame.type === 'visitors_here' ? frame.chats : []
    return chats.flatMap((chat) => (chat.sessionId === sessionId ? [chat.here !== null] : []))
  })

const nodeAt = ({ nodes }: Nodes, index: number) => nodes[index] as Nodes['nodes'][0]

test('when Redis returns, the messages grow with the consoles, not with the nodes', async () => {
  const site = await openNodes(NODES)
  const consoles = [joinOn(nodeAt(site, 0), 'Ana'), joinOn(nodeAt(site, 1), 'Ben')] as const
  const sessionId = randomUUID()
  for (const { watch } of consoles) watch(sessionId)
  for (const each of consoles) await isShown(each, sessionId, ['Ana', 'Ben'])

  site.messages.length = 0
  site.proxy.cut()
  await vi.waitFor(() => expect(site.nodes.some(({ bus }) => bus.isUp)).toBe(false), WAIT)
  await site.areUp()
  const late = randomUUID()
  consoles[0].watch(late)
  await isShown(consoles[1], late, ['Ana'])
  expect(site.messages.length).toBeLessThan(10)
})

test('staff who stay on their chat cost no message, and a console that joins gets them from its node', async () => {
  const site = await openNodes(3)
  const [ana, ben] = [joinOn(nodeAt(site, 0), 'Ana'), joinOn(nodeAt(site, 1), 'Ben')]
  const sessionId = randomUUID()
  for (const { watch } of [ana, ben]) watch(sessionId)
  for (const each of [ana, ben]) await isShown(each, sessionId, ['Ana', 'Ben'])
  const { redis } = site.outside
  const key = site.keys.of('node-0')
  site.messages.length = 0
  // the node repeats its part before it expires
  for (let repeats = 0; repeats < 3; repeats += 1) {
    const left = await redis.pttl(key)
    await vi.waitFor(async () => expect(await redis.pttl(key)).toBeLessThan(left - 500), WAIT)
    await vi.waitFor(async () => expect(await redis.pttl(key)).toBeGreaterThan(left - 500), WAIT)
  }
  const late = joinOn(nodeAt(site, 2), 'Cleo')
  await isShown(late, sessionId, ['Ana', 'Ben'])
  expect(site.messages).toEqual([])
})

test('an emptied Redis, or one that lost a message, changes nothing for long', async () => {
  const site = await openNodes(2)
  const { redis } = site.outside
  const [ana, ben] = [joinOn(nodeAt(site, 0), 'Ana'), joinOn(nodeAt(site, 1), 'Ben')]
  const sessionId = randomUUID()
  nodeAt(site, 1).visitors.add(sessionId)
  nodeAt(site, 1).presence.changed()
  await vi.waitFor(async () => expect(await redis.hget(site.keys.of('node-1'), sessionId)).not.toBeNull(), WAIT)
  for (const { watch } of [ana, ben]) watch(sessionId)
  ana.follow(sessionId)
  for (const each of [ana, ben]) await isShown(each, sessionId, ['Ana', 'Ben'])
  await vi.waitFor(() => expect(whereabouts(ana, sessionId)).toEqual([true]), WAIT)
  const keys = [site.keys.nodes, site.keys.of('node-0'), site.keys.of('node-1')]
  expect((await redis.keys(`${site.keys.nodes}*`)).sort()).toEqual(keys)
  for (const { socket } of [ana, ben]) socket.frames.length = 0
  await redis.del(...keys)
  await vi.waitFor(async () => {
    expect(await redis.smembers(site.keys.nodes)).toHaveLength(2)
    expect((await redis.hkeys(site.keys.of('node-1'))).toSorted()).toEqual([sessionId, 'looks'])
  }, WAIT)
  // no visitor was gone for a moment, and changes are sent
  ben.watch(null)
  await isShown(ana, sessionId, ['Ana'])
  expect(ana.socket.frames).toHaveLength(1)

  // a node that wrote its part, and was cut off before it could publish it
  const looks = [{ sessionId, staffId: 'x', name: 'Dan', isTyping: false }]
  await redis
    .multi()
    .hset(site.keys.of('node-x'), 'looks', JSON.stringify({ version: 1, looks }))
    .sadd(site.keys.nodes, 'node-x')
    .exec()
  await isShown(ana, sessionId, ['Ana', 'Dan'])
  // and died
  await redis.del(site.keys.of('node-x'))
  await isShown(ana, sessionId, ['Ana'])
  expect(await redis.smembers(site.keys.nodes)).toHaveLength(2)
})

/** A chat whose visitor wrote an hour ago and cannot be reached, as the view stores it. */
const addUnreachable = async () => {
  const id = randomUUID()
  await reading`
    insert into ${reading(schemaOf(chatsProjection))}.sessions
      (id, started_at, is_active, is_reachable, last_activity, session, progress)
    values (${id}, now(), true, false, now() - interval '1 hour', '{}', '{"lastSequence": 1}')`
  return id
}

test('a visitor who cannot be reached waits while any node has them, and if Redis cannot say', async () => {
  const site = await openNodes(2)
  const sessionId = await addUnreachable()
  const [from, to] = [nodeAt(site, 0), nodeAt(site, 1)]
  const hereOn = async ({ redis, bus }: typeof from) => (await waitingAt({ reading, redis, bus })).here
  expect(await hereOn(to)).toEqual([])
  from.visitors.add(sessionId)
  from.presence.changed()
  await vi.waitFor(async () => expect(await hereOn(to)).toEqual([sessionId]), WAIT)
  // the node stops, and the visitor goes to another one
  await from.presence.close()
  expect(await hereOn(to)).toEqual([sessionId])
  to.visitors.add(sessionId)
  to.presence.changed()
  await vi.waitFor(
    async () => expect(await site.outside.redis.hget(site.keys.of(to.id), sessionId)).not.toBeNull(),
    WAIT,
  )
  await site.outside.redis.del(site.keys.of(from.id))
  expect(await hereOn(to)).toEqual([sessionId])
  to.visitors.delete(sessionId)
  await vi.waitFor(async () => expect(await hereOn(to)).toEqual([]), WAIT)
  site.proxy.cut()
  expect(await hereOn(to)).toEqual([sessionId])
})

test('a visitor who changes nodes stays present since their arrival, and one who left is gone from list and viewers', async () => {
  const site = await openNodes(3)
  const sessionId = randomUUID()
  const [from, to] = [nodeAt(site, 0), nodeAt(site, 1)]
  from.visitors.add(sessionId)
  from.presence.changed()
  const { redis } = site.outside
  const arrivedAt = () => redis.hget(site.keys.of(from.id), sessionId)
  await vi.waitFor(async () => expect(await arrivedAt()).not.toBeNull(), WAIT)
  const since = await arrivedAt()
  const ana = joinOn(nodeAt(site, 2), 'Ana')
  ana.watch(sessionId)
  ana.follow(sessionId)
  await vi.waitFor(() => expect(whereabouts(ana, sessionId)).toEqual([true]), WAIT)
  from.visitors.delete(sessionId)
  to.visitors.add(sessionId)
  await vi.waitFor(async () => expect(await arrivedAt()).toBeNull(), WAIT)
  expect(await redis.hget(site.keys.of(to.id), sessionId)).toBe(since)
  expect(whereabouts(ana, sessionId)).toEqual([true])
  to.visitors.delete(sessionId)
  await vi.waitFor(() => expect(whereabouts(ana, sessionId)).toEqual([true, false]), WAIT)
  await vi.waitFor(() => expect(presenceOf(ana, sessionId)?.isVisitorAway).toBe(true), WAIT)
})
