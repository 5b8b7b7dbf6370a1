import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBus } from '../../events/log/bus.ts'
import { connectRedis } from '../../events/log/redis.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { openPresence } from './presence.ts'
import { openPresenceStore } from './presence-store.ts'
import { openTestSocket } from './test-rooms.ts'

const WAIT = { timeout: 60_000, interval: 5 }
const NODES = 30
const CHANNEL = 'chat:presence'

/** The chat of a visitor who is on the first node. */
const VISITED = randomUUID()

type PresenceStore = ReturnType<typeof openPresenceStore>
type Nodes = Awaited<ReturnType<typeof openNodes>>

/** Some nodes that share one Redis, behind a proxy, and what they tell one another over it. */
const openNodes = async (count: number, hasVisitor: (node: number, sessionId: string) => boolean = () => false) => {
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
    const presence = openPresence({ id, bus, redis, logger }, (sessionId) => hasVisitor(index, sessionId))
    onTestFinished(() => presence.close())
    return { id, bus, redis, presence }
  })
  const areUp = () =>
    vi.waitFor(() => expect(nodes.every(({ bus, redis }) => bus.isUp && redis.status === 'ready')).toBe(true), WAIT)
  await areUp()
  return { nodes, messages, proxy, areUp, outside, prefix }
}

/** A console of a member of staff of its own. */
const joinOn = ({ presence }: Nodes['nodes'][0], name = 'Staff') => {
  const standing = { isAdmitted: true, isConfirmed: true, hasTwoFactor: false, tokenHash: Buffer.alloc(32) }
  const staff = { id: randomUUID(), username: 'a', displayName: name, role: 'agent' as const, ...standing }
  const socket = { ...openTestSocket(), staff }
  presence.join(socket)
  return { socket, presence, watch: (sessionId: string | null) => presence.watch(socket, sessionId) }
}

type TestConsole = ReturnType<typeof joinOn>

/** Waits until the last that a console was told about a session names these. */
const isShown = ({ socket }: TestConsole, sessionId: string, names: string[]) =>
  vi.waitFor(() => {
    const last = socket.frames.findLast((frame) => frame.type === 'presence' && frame.sessionId === sessionId)
    expect((last as { staff: { name: string }[] } | undefined)?.staff.map(({ name }) => name).sort()).toEqual(names)
  }, WAIT)

const nodeAt = ({ nodes }: Nodes, index: number) => nodes[index] as Nodes['nodes'][0]

test('when Redis returns, what nodes tell one another grows with the consoles, not with the nodes', async () => {
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
  // what is told of the change, and what of that could not be told while Redis was away
  expect(site.messages.length).toBeLessThan(10)
})

test('who stays where they are costs no message, and a console that joins learns who is where from its node', async () => {
  const site = await openNodes(3)
  const [ana, ben] = [joinOn(nodeAt(site, 0), 'Ana'), joinOn(nodeAt(site, 1), 'Ben')]
  const sessionId = randomUUID()
  for (const { watch } of [ana, ben]) watch(sessionId)
  for (const each of [ana, ben]) await isShown(each, sessionId, ['Ana', 'Ben'])
  const repeatedAt = async () =>
    Number(await site.outside.redis.zscore(`${site.prefix}chat-presence:until`, nodeAt(site, 0).id))
  await vi.waitFor(async () => expect(await repeatedAt()).toBeGreaterThan(0), WAIT)
  const before = await repeatedAt()
  site.messages.length = 0
  await vi.waitFor(async () => expect(await repeatedAt()).toBeGreaterThan(before + 4_000), WAIT)
  const late = joinOn(nodeAt(site, 2), 'Cleo')
  await isShown(late, sessionId, ['Ana', 'Ben'])
  expect(site.messages).toEqual([])
})

test('Redis that was emptied, or lost a message, changes nothing for long', async () => {
  // their visitor is there: none of them is away after a while
  const site = await openNodes(2, () => true)
  const [ana, ben] = [joinOn(nodeAt(site, 0), 'Ana'), joinOn(nodeAt(site, 1), 'Ben')]
  const sessionId = randomUUID()
  for (const { watch } of [ana, ben]) watch(sessionId)
  for (const each of [ana, ben]) await isShown(each, sessionId, ['Ana', 'Ben'])
  const keys = await site.outside.redis.keys(`${site.prefix}*`)
  expect(keys).toHaveLength(3)
  for (const { socket } of [ana, ben]) socket.frames.length = 0
  await site.outside.redis.del(...keys)
  await vi.waitFor(
    async () => expect(await site.outside.redis.hkeys(`${site.prefix}chat-presence:told`)).toHaveLength(2),
    WAIT,
  )
  // nobody was gone for a moment, and what is new is told
  ben.watch(null)
  await isShown(ana, sessionId, ['Ana'])
  expect(ana.socket.frames).toHaveLength(1)

  // a node that told Redis, and was cut off before it told the others
  const lost = JSON.stringify({ looks: [{ sessionId, staffId: 'x', name: 'Dan', isTyping: false }], visitors: [] })
  const inAMinute = Date.now() + 60_000
  await site.outside.redis
    .multi()
    .hset(`${site.prefix}chat-presence:told`, 'node-x', lost)
    .zadd(`${site.prefix}chat-presence:until`, inAMinute, 'node-x')
    .set(`${site.prefix}chat-presence:version`, 'other:1')
    .exec()
  await isShown(ana, sessionId, ['Ana', 'Dan'])
  // and died
  await site.outside.redis.zadd(`${site.prefix}chat-presence:until`, 1, 'node-x')
  await isShown(ana, sessionId, ['Ana'])
})

test('an older node, which repeats what it has to tell, is heard, and hears what is repeated for it', async () => {
  const site = await openNodes(1, (_, sessionId) => sessionId === VISITED)
  const ana = joinOn(nodeAt(site, 0), 'Ana')
  const older = (name: string) =>
    site.outside.bus.publish(
      CHANNEL,
      JSON.stringify({
        node: 'older',
        looks: [{ sessionId: VISITED, staffId: 'y', name, isTyping: false }],
        visitors: [],
        asks: true,
      }),
    )
  await older('Eve')
  await isShown(ana, VISITED, ['Eve'])
  const answers = () => site.messages.filter((text) => JSON.parse(text).node === 'node-0')
  await vi.waitFor(() => expect(answers().length).toBeGreaterThan(0), WAIT)
  expect(JSON.parse(answers()[0] ?? '')).toMatchObject({ looks: [], visitors: [VISITED], asks: false })
  const count = answers().length
  await vi.waitFor(async () => {
    await older('Eve')
    expect(answers().length).toBeGreaterThan(count + 2)
  }, WAIT)
  // and falls silent
  await isShown(ana, VISITED, [])
})

test('a node that removes a dead one as it tells its own news leaves no other node believing in the dead one', async () => {
  const { outside, prefix } = await openNodes(0)
  const [dead, teller, listener] = ['dead', 'teller', 'listener'].map((node) =>
    openPresenceStore(outside.redis, { prefix, node }),
  ) as [PresenceStore, PresenceStore, PresenceStore]
  await dead.keep('of the dead', undefined)
  await teller.keep('first', undefined)
  const { version: known } = await listener.keep('of the listener', undefined)
  await outside.redis.zadd(`${prefix}chat-presence:until`, 1, 'dead')
  const { before } = await teller.keep('second', known)
  // the listener takes an update for all the news there is only where its version comes before
  expect(before).not.toBe(known)
  expect((await listener.keep('of the listener', known)).nodes).toEqual(
    new Map([
      ['teller', 'second'],
      ['listener', 'of the listener'],
    ]),
  )
})
