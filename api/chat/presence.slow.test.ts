import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../events/chat-frames.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import {
  eventually,
  signIn,
  startTestNode,
  startTestWorker,
  type TestNode,
  type TestStores,
} from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { joinStaff, type TestClient } from './test-client.ts'

/** Well before a hint runs out (6 s), or a node that has fallen silent is forgotten (7 s). */
const AT_ONCE_MS = 4_500
/** How long a node that died may be thought to live, and some more. */
const GHOST_TIMEOUT_MS = 60_000

const COLLEAGUE = { username: 'sipho', displayName: 'Sipho M.', password: 'another long password', role: 'agent' }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let stores: TestStores
let nodes: [TestNode, TestNode]
let worker: TestProcess
let cookies: { thandi: { cookie: string }; sipho: { cookie: string } }
let ids: { thandi: string; sipho: string }
let thandi: TestClient
let sipho: TestClient

const idOf = async (cookie: { cookie: string }) =>
  (await (await nodes[0].call('/api/me', { headers: cookie })).json()).id

beforeAll(async () => {
  database = await createTestDatabase()
  stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[nodes, worker] = await Promise.all([
    Promise.all([startTestNode(stores), startTestNode(stores)]),
    startTestWorker(stores),
  ])
  const owner = await signIn(nodes[0])
  expect((await nodes[0].post('/api/accounts', COLLEAGUE, owner)).status).toBe(201)
  const response = await nodes[1].post('/api/login', COLLEAGUE)
  cookies = { thandi: owner, sipho: { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' } }
  ids = { thandi: await idOf(cookies.thandi), sipho: await idOf(cookies.sipho) }
  thandi = await joinStaff(nodes[0], cookies.thandi)
  sipho = await joinStaff(nodes[1], cookies.sipho)
})

afterAll(async () => {
  await Promise.all([...nodes, worker].map((process) => process.stop()))
  await database.drop()
})

const looks = (name: 'thandi' | 'sipho', isTyping = false): Viewer => ({
  staffId: ids[name],
  name: name === 'sipho' ? 'Sipho M.' : 'thandi',
  isTyping,
})
const byId = (a: Viewer, b: Viewer) => a.staffId.localeCompare(b.staffId)

/** Waits until the last that a console was told about a session is this. */
const expectStanding = (client: TestClient, id: string, staff: Viewer[], timeoutMs = 30_000) =>
  eventually(() => {
    const told = client.framesOf('presence').findLast((frame) => frame.sessionId === id)
    expect(told?.staff).toEqual(staff.toSorted(byId))
  }, timeoutMs)

const watch = (client: TestClient, id: string | null) => client.send({ type: 'watch', sessionId: id })

test('a node that is killed leaves no ghosts, and one that stops none for a moment', async () => {
  const [killed, stopped] = await Promise.all([startTestNode(stores), startTestNode(stores)])
  const [onKilled, onStopped] = [await joinStaff(killed, cookies.sipho), await joinStaff(stopped, cookies.thandi)]
  const [first, second] = [randomUUID(), randomUUID()]
  watch(onKilled, first)
  watch(onStopped, second)
  await expectStanding(thandi, first, [looks('sipho')])
  await expectStanding(sipho, second, [looks('thandi')])
  killed.kill('SIGKILL')
  await stopped.stop()
  await expectStanding(sipho, second, [], AT_ONCE_MS)
  for (const client of [thandi, sipho]) await expectStanding(client, first, [], GHOST_TIMEOUT_MS)
})
