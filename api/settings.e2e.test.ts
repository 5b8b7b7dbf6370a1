import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, openFaultProxy } from '../events/local/fault-proxy.ts'
import { createTestDatabase, testRedisUrl } from '../events/local/test-database.ts'
import { eventually, signIn, startTestNode, type TestNode } from '../events/local/test-node.ts'
import { DEFAULT_SETTINGS } from '../events/settings.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redis: FaultProxy
let nodes: [TestNode, TestNode]
let owner: { cookie: string }

beforeAll(async () => {
  database = await createTestDatabase()
  redis = await openFaultProxy(await testRedisUrl())
  const stores = { databaseUrl: database.url, redisUrl: redis.url }
  nodes = await Promise.all([startTestNode(stores), startTestNode(stores)])
  owner = await signIn(nodes[0])
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await redis.close()
  await database.drop()
})

const put = (node: TestNode, part: string, version: number, body: object, headers: object = owner) =>
  node.call(`/api/settings/${part}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': `"${version}"`, ...headers },
    body: JSON.stringify(body),
  })

const settings = async () => await (await nodes[0].call('/api/settings', { headers: owner })).json()
const publicHours = async (node: TestNode) => await (await node.call('/api/support-hours')).json()

const EARLY = { days: [1, 2, 3, 4, 5, 6], opensAtMinute: 7 * 60, closesAtMinute: 17 * 60 + 30 }

test('an agency that has set nothing has the defaults', async () => {
  const response = await nodes[0].call('/api/settings', { headers: owner })
  expect(response.headers.get('etag')).toBe('"0"')
  expect(await response.json()).toEqual(DEFAULT_SETTINGS)
  expect(await publicHours(nodes[1])).toEqual(DEFAULT_SETTINGS.supportHours)
})

test('what one node stores, the other has at once', async () => {
  const response = await put(nodes[0], 'support-hours', 0, EARLY)
  expect(response.status).toBe(200)
  expect(response.headers.get('etag')).toBe('"1"')
  expect(await response.json()).toEqual({ ...DEFAULT_SETTINGS, version: 1, supportHours: EARLY })
  await eventually(async () => expect(await publicHours(nodes[1])).toEqual(EARLY), 1_000)
})

test('a change is taken beside a change of another part, and refused over one of the same', async () => {
  const { version } = await settings()
  const replies = { replies: [{ shortcut: 'Thanks', text: 'Thank you!' }] }
  expect((await put(nodes[0], 'canned-replies', version, replies)).status).toBe(200)
  const addresses = { addresses: ['desk@agency.example'] }
  const beside = await put(nodes[1], 'inbox-addresses', version, addresses)
  expect([beside.status, beside.headers.get('etag')]).toEqual([200, `"${version + 2}"`])
  const late = await put(nodes[1], 'canned-replies', version, { replies: [] })
  expect(late.status).toBe(409)
  expect(late.headers.get('content-type')).toBe('application/problem+json')
  expect(await late.json()).toMatchObject({
    status: 409,
    by: 'thandi',
    settings: { version: version + 2, cannedReplies: [{ shortcut: 'thanks', text: 'Thank you!' }] },
  })
  const again = await put(nodes[1], 'canned-replies', version, replies)
  expect([again.status, again.headers.get('etag')]).toEqual([200, `"${version + 2}"`])
})

test('of many changes at once on one version one is taken', async () => {
  const { version } = await settings()
  const changes = Array.from({ length: 12 }, (_, index) =>
    put(nodes[index % 2] ?? nodes[0], 'support-hours', version, { ...EARLY, opensAtMinute: index }),
  )
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(11)
  expect((await settings()).version).toBe(version + 1)
})
