import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../events/chat/sent-frames.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import {
  eventually,
  signIn,
  startTestNode,
  startTestWorker,
  type TestNode,
  type TestStores,
} from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { resume } from '../testing/chat.ts'
import { joinChat, joinStaff, openTestClient, say, type TestClient } from '../testing/socket-client.ts'

/** Well before a typing signal expires (6 s), or a silent node is dropped (7 s). */
const AT_ONCE_MS = 4_500
/** A visitor's page reloads within this time without counting as absent. */
const RELOAD_MS = 6_000
/** The time for which a dead node may count as alive, with a margin. */
const GHOST_TIMEOUT_MS = 60_000

const COLLEAGUE = { username: 'sipho', displayName: 'Sipho M.', password: 'another long password', role: 'agent' }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let redis: FaultProxy
let stores: TestStores
let nodes: [TestNode, TestNode]
/** A node without staff, unless a test lets a staff member join there. */
let third: TestNode
let worker: TestProcess
let cookies: { thandi: { cookie: string }; sipho: { cookie: string } }
let ids: { thandi: string; sipho: string }
let thandi: TestClient
let sipho: TestClient
let visitor: TestClient
let sessionId: string

const idOf = async (cookie: { cookie: string }) =>
  (await (await nodes[0].call('/api/me', { headers: cookie })).json()).id

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  const redisUrl = await testRedisUrl()
  redis = await openFaultProxy(redisUrl)
  stores = { databaseUrl: database.url, redisUrl: redis.url }
  ;[nodes, third, worker] = await Promise.all([
    Promise.all([startTestNode(stores), startTestNode(stores)]),
    startTestNode(stores),
    startTestWorker({ ...stores, redisUrl }),
  ])
  const owner = await signIn(nodes[0])
  expect((await nodes[0].post('/api/accounts', COLLEAGUE, owner)).status).toBe(201)
  const response = await nodes[1].post('/api/login', COLLEAGUE)
  cookies = { thandi: owner, sipho: { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' } }
  ids = { thandi: await idOf(cookies.thandi), sipho: await idOf(cookies.sipho) }
  ;({ client: visitor, sessionId } = await joinChat(nodes[0]))
  thandi = await joinStaff(nodes[0], cookies.thandi)
  sipho = await joinStaff(nodes[1], cookies.sipho)
})

afterAll(async () => {
  await redis.resume()
  await Promise.all([...nodes, third, worker].map((process) => process.stop()))
  await redis.close()
  await sql.end()
  await database.drop()
})

const looks = (name: 'thandi' | 'sipho', isTyping = false): Viewer => ({
  staffId: ids[name],
  name: name === 'sipho' ? 'Sipho M.' : 'thandi',
  isTyping,
})
const byId = (a: Viewer, b: Viewer) => a.staffId.localeCompare(b.staffId)

/** Waits until the console's last frame about a session shows this. */
const expectStanding = (client: TestClient, id: string, staff: Viewer[], timeoutMs = 30_000) =>
  eventually(() => {
    const told = client.framesOf('presence').findLast((frame) => frame.sessionId === id)
    expect(told?.staff).toEqual(staff.toSorted(byId))
  }, timeoutMs)

const watch = (client: TestClient, id: string | null) => client.send({ type: 'watch', sessionId: id })

test('staff on both nodes see who views a chat, types and leaves, and none of it is stored', async () => {
  const [before] = await sql`select last_position from log_head`
  watch(thandi, sessionId)
  for (const client of [thandi, sipho]) await expectStanding(client, sessionId, [looks('thandi')])
  watch(sipho, sessionId)
  for (const client of [thandi, sipho]) await expectStanding(client, sessionId, [looks('thandi'), looks('sipho')])

  sipho.send({ type: 'typing', sessionId, isTyping: true })
  await expectStanding(thandi, sessionId, [looks('thandi'), looks('sipho', true)])
  expect(await visitor.take('typing')).toEqual({ type: 'typing', sessionId, senderType: 'admin', isTyping: true })
  sipho.send({ type: 'typing', sessionId, isTyping: false })
  await expectStanding(thandi, sessionId, [looks('thandi'), looks('sipho')])

  watch(sipho, null)
  await expectStanding(thandi, sessionId, [looks('thandi')])
  watch(thandi, null)
  await expectStanding(sipho, sessionId, [])
  expect(await sql`select last_position from log_head`).toEqual([before])
  expect(visitor.framesOf('presence')).toEqual([])
})

test('a staff member who sends a reply no longer types', async () => {
  watch(sipho, sessionId)
  sipho.send({ type: 'typing', sessionId, isTyping: true })
  await expectStanding(thandi, sessionId, [looks('sipho', true)])
  await say(sipho, sessionId, 'done')
  await expectStanding(thandi, sessionId, [looks('sipho')])
  watch(sipho, null)
  await expectStanding(thandi, sessionId, [])
})

test('a typing signal expires if it is not repeated', async () => {
  watch(sipho, sessionId)
  sipho.send({ type: 'typing', sessionId, isTyping: true })
  await expectStanding(thandi, sessionId, [looks('sipho', true)])
  await expectStanding(thandi, sessionId, [looks('sipho')])
  watch(sipho, null)
})

test('a console that joins later gets the presence soon, on a node with staff and on one without', async () => {
  watch(sipho, sessionId)
  await expectStanding(thandi, sessionId, [looks('sipho')])
  const late = await joinStaff(nodes[0], cookies.thandi)
  await expectStanding(late, sessionId, [looks('sipho')])
  const first = await joinStaff(third, await signIn(third))
  await expectStanding(first, sessionId, [looks('sipho')])
  await Promise.all([late.close(), first.close()])
  watch(sipho, null)
  await expectStanding(thandi, sessionId, [])
})

test('a staff member with two consoles counts once, until the last of them closes', async () => {
  const second = await joinStaff(nodes[0], cookies.sipho)
  for (const client of [sipho, second]) watch(client, sessionId)
  await expectStanding(thandi, sessionId, [looks('sipho')])
  second.send({ type: 'typing', sessionId, isTyping: true })
  await expectStanding(thandi, sessionId, [looks('sipho', true)])
  await second.close()
  await expectStanding(thandi, sessionId, [looks('sipho')], AT_ONCE_MS)
  watch(sipho, null)
  await expectStanding(thandi, sessionId, [])
})

describe('a visitor', () => {
  const isAway = (client: TestClient, id: string) =>
    client.framesOf('presence').findLast((frame) => frame.sessionId === id)?.isVisitorAway

  test('is away for all viewers once no node has had them for some seconds, and back as soon as one has', async () => {
    const { client, sessionId: id, resumeToken } = await joinChat(nodes[0])
    watch(sipho, id)
    await expectStanding(thandi, id, [looks('sipho')])
    await client.close()
    const closedAt = performance.now()
    for (const staff of [thandi, sipho]) await eventually(() => expect(isAway(staff, id)).toBe(true), GHOST_TIMEOUT_MS)
    expect(performance.now() - closedAt).toBeGreaterThan(RELOAD_MS)

    const back = await resume(nodes[0], { sessionId: id, resumeToken })
    await back.take('chat_joined')
    for (const staff of [thandi, sipho]) await eventually(() => expect(isAway(staff, id)).toBe(false), GHOST_TIMEOUT_MS)
    await back.close()
    watch(sipho, null)
  })

  test('who stays on a node without staff is not away', async () => {
    const [here, gone] = await Promise.all([joinChat(third), joinChat(third)])
    await gone.client.close()
    watch(thandi, here.sessionId)
    watch(sipho, gone.sessionId)
    await eventually(() => expect(isAway(sipho, gone.sessionId)).toBe(true), GHOST_TIMEOUT_MS)
    expect(
      thandi.framesOf('presence').filter((frame) => frame.sessionId === here.sessionId && frame.isVisitorAway),
    ).toEqual([])
    for (const staff of [thandi, sipho]) watch(staff, null)
    await here.client.close()
  })
})

describe('a console that', () => {
  test('closes is gone at once', async () => {
    const leaving = await joinStaff(nodes[1], cookies.sipho)
    watch(leaving, sessionId)
    await expectStanding(thandi, sessionId, [looks('sipho')])
    await leaving.close()
    await expectStanding(thandi, sessionId, [], AT_ONCE_MS)
  })

  test('moves to another chat is in that one only', async () => {
    const other = randomUUID()
    watch(sipho, sessionId)
    await expectStanding(thandi, sessionId, [looks('sipho')])
    watch(sipho, other)
    await expectStanding(thandi, other, [looks('sipho')])
    await expectStanding(thandi, sessionId, [])
    watch(sipho, null)
  })

  test.each([
    [{ sessionId: 'x' }, 'bad_frame'],
    [{}, 'bad_frame'],
    [{ sessionId: 7 }, 'bad_frame'],
  ])('watches %j is shown the valid choices', async (fields, code) => {
    sipho.send({ type: 'watch', ...fields })
    expect(await sipho.take('error')).toMatchObject({ code })
  })
})

test('only staff who have joined may watch', async () => {
  const stranger = await openTestClient(nodes[0], cookies.thandi)
  for (const client of [visitor, stranger]) {
    watch(client, sessionId)
    expect(await client.take('error')).toMatchObject({ code: 'not_allowed' })
  }
  await stranger.close()
})

test('while Redis is unavailable a node shows its own presence; once it is back all is sent again', async () => {
  const neighbour = await joinStaff(nodes[0], cookies.sipho)
  watch(sipho, sessionId)
  await expectStanding(thandi, sessionId, [looks('sipho')])
  await redis.refuse()
  watch(sipho, null)
  watch(neighbour, sessionId)
  await expectStanding(neighbour, sessionId, [looks('sipho')])
  watch(thandi, sessionId)
  await expectStanding(neighbour, sessionId, [looks('thandi'), looks('sipho')])
  // the other node is no longer reachable
  watch(neighbour, null)
  await expectStanding(neighbour, sessionId, [looks('thandi')], GHOST_TIMEOUT_MS)
  await redis.resume()
  await expectStanding(sipho, sessionId, [looks('thandi')], GHOST_TIMEOUT_MS)
  await neighbour.close()
})
