import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../events/base/time.ts'
import { DEFAULT_SETTINGS, SETTINGS_STREAM } from '../events/settings/settings.ts'
import { backAt, hoursInWords, type SupportHours } from '../events/settings/support-time.ts'
import { connect, type Sql } from '../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../events/testing/fault-proxy.ts'
import { eventually, signIn, startTestNode, type TestNode, type TestStores } from '../events/testing/node.ts'
import { appendRaw } from '../events/testing/raw-event.ts'
import { joinChat } from './testing/socket-client.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let redis: FaultProxy
let sql: Sql
let stores: TestStores
let nodes: [TestNode, TestNode]
let owner: { cookie: string }

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test' })
  redis = await openFaultProxy(await testRedisUrl())
  stores = { databaseUrl: database.url, redisUrl: redis.url }
  nodes = await Promise.all([startTestNode(stores), startTestNode(stores)])
  owner = await signIn(nodes[0])
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await redis.close()
  await sql.end()
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

test('a change stored by one node soon reaches the other', async () => {
  const response = await put(nodes[0], 'support-hours', 0, EARLY)
  expect(response.status).toBe(200)
  expect(response.headers.get('etag')).toBe('"1"')
  const supportHoursHistory = [{ validFrom: expect.stringMatching(/Z$/), hours: EARLY }]
  const stored = { ...DEFAULT_SETTINGS, version: 1, supportHours: EARLY, supportHoursHistory }
  expect(await response.json()).toEqual(stored)
  const again = await put(nodes[1], 'support-hours', 1, EARLY)
  expect(await again.json()).toEqual(stored)
  await eventually(async () => expect(await publicHours(nodes[1])).toEqual(EARLY))
})

const IN_CHAT = { chat: true, email: false, whatsapp: false, subject: null }

test('a change is accepted next to a change of another part, and refused over one of the same', async () => {
  const { version } = await settings()
  const replies = { replies: [{ name: 'Thanks', text: 'Thank you!', ...IN_CHAT }] }
  expect((await put(nodes[0], 'replies', version, replies)).status).toBe(200)
  const addresses = { addresses: ['desk@agency.example'] }
  const beside = await put(nodes[1], 'inbox-addresses', version, addresses)
  expect([beside.status, beside.headers.get('etag')]).toEqual([200, `"${version + 2}"`])
  const late = await put(nodes[1], 'replies', version, { replies: [] })
  expect(late.status).toBe(409)
  expect(late.headers.get('content-type')).toBe('application/problem+json')
  expect(await late.json()).toMatchObject({
    status: 409,
    by: 'thandi',
    settings: { version: version + 2, replies: [{ name: 'Thanks', text: 'Thank you!' }] },
  })
  const again = await put(nodes[1], 'replies', version, replies)
  expect([again.status, again.headers.get('etag')]).toEqual([200, `"${version + 2}"`])
})

test('of many changes at once on one version one is accepted', async () => {
  const { version } = await settings()
  const changes = Array.from({ length: 12 }, (_, index) =>
    put(nodes[index % 2] ?? nodes[0], 'support-hours', version, { ...EARLY, opensAtMinute: index }),
  )
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(11)
  expect((await settings()).version).toBe(version + 1)
})

/** Rendering and compressing all pages takes time on a machine that is busy with tests. */
const PAGES_FILLED_MS = 60_000

/**
 * Sets the hours on the first node and waits until the second one shows them: to scripts, in its pages, in its chat.
 */
const setHours = async (hours: SupportHours) => {
  const { version } = await settings()
  const before = await nodes[1].call('/')
  expect((await put(nodes[0], 'support-hours', version, hours)).status).toBe(200)
  await eventually(async () => expect(await publicHours(nodes[1])).toEqual(hours))
  await eventually(async () => {
    const page = await nodes[1].call('/', { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(hoursInWords(hours))
  }, PAGES_FILLED_MS)
  const { client } = await joinChat(nodes[1])
  // on a public holiday staff are absent at any hour
  const welcome = backAt(new Date(), hours)
    ? /We're offline right now/
    : /Someone from our team will be with you shortly/
  expect(client.framesOf('chat_joined')[0]?.message).toMatch(welcome)
  await client.close()
}

/** The hours of the agency's day on which it is, or is not, `from` now. */
const hoursOn = (from: number): SupportHours => {
  const there = new Date(Date.now() + 2 * 60 * 60 * 1000 + from)
  return { days: [there.getUTCDay() || 7], opensAtMinute: 0, closesAtMinute: 24 * 60 - 1 }
}

test('pages and chat follow the hours, on the node that did not set them', async () => {
  await setHours(hoursOn(3 * DAY_MS))
  await setHours(hoursOn(0))
})

test('without Redis they do so too', async () => {
  await redis.refuse()
  await setHours(hoursOn(4 * DAY_MS))
  await redis.resume()
})

test.each([
  [undefined, 428, 'Send If-Match with the version that you read, such as "3"'],
  ['3', 428, 'Send If-Match with the version that you read, such as "3"'],
  ['"0"', 409, 'Another person has saved these settings since you loaded them'],
])('a change on the version %j returns %d', async (version, status, detail) => {
  const response = await nodes[0].call('/api/settings/support-hours', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...owner, ...(version && { 'if-match': version }) },
    body: JSON.stringify(EARLY),
  })
  expect(response.status).toBe(status)
  expect((await response.json()).detail).toBe(detail)
})

const withPhoto = (file: Buffer) => ({
  socialLinks: [],
  works: [],
  reviews: [],
  people: [{ name: 'Lerato', role: 'Support', photo: `data:image/webp;base64,${file.toString('base64')}` }],
})
/** The header of a picture with a large width, which fits into a few kilobytes. */
const wideWebp = (pixels: number) => {
  const header = Buffer.from('RIFF\x1e\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')
  header.writeUIntLE(pixels - 1, 24, 3)
  return header
}

test.each([
  [
    'support-hours',
    { ...EARLY, closesAtMinute: EARLY.opensAtMinute },
    'closesAtMinute',
    'Must not be the opening time',
  ],
  ['replies', { replies: [{ name: 'a', text: '', ...IN_CHAT }] }, 'replies.0.text', 'A reply is required'],
  ['inbox-addresses', { addresses: ['desk'] }, 'addresses.0', 'Please enter a valid email address'],
  ['showcase', withPhoto(wideWebp(16_000)), 'people.0.photo', 'The picture is too large'],
  ['showcase', withPhoto(Buffer.from('GIF89a')), 'people.0.photo', 'Choose a WebP, JPEG or PNG picture'],
])('a value that cannot be set as %s is reported at its field', async (part, body, path, message) => {
  const response = await put(nodes[0], part, (await settings()).version, body)
  expect(response.status).toBe(422)
  expect((await response.json()).errors).toContainEqual({ path, message })
})

test('a setting from newer code stops nothing: settings are read and changed, and nodes start', async () => {
  const sql = connect(database.url, { max: 1, name: 'newer code' })
  onTestFinished(() => sql.end())
  const { version } = await settings()
  await appendRaw(sql, { stream: SETTINGS_STREAM, type: 'ColoursChanged', data: { by: crypto.randomUUID() } })
  expect((await settings()).version).toBe(version + 1)
  const replies = { replies: [{ name: 'later', text: 'Later!', ...IN_CHAT }] }
  const changed = await put(nodes[1], 'replies', version, replies)
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, `"${version + 2}"`])
  const started = await startTestNode(stores)
  onTestFinished(() => started.stop())
  expect(await (await started.call('/api/settings', { headers: owner })).json()).toEqual(await settings())
})

test('a body of 10 MB is refused', async () => {
  const replies = [{ name: 'long', text: 'x'.repeat(10_000_000), ...IN_CHAT }]
  expect((await put(nodes[0], 'replies', 0, { replies })).status).toBe(413)
})

describe('the mail server', () => {
  const SERVER = { host: 'smtp.example.com', port: 587, username: 'site', password: 'open sesame', from: null }
  const set = async (fields: object, version?: number) =>
    put(nodes[0], 'email', version ?? (await settings()).version, { ...SERVER, ...fields })
  const passwords = async () => {
    const [row] = await sql<[{ text: string; count: number }]>`
      select coalesce(string_agg(p::text, ''), '') as text, count(*)::integer as count from server_passwords p`
    return row
  }

  test('is stored with its password encrypted, which no response, event or row shows', async () => {
    const response = await set({})
    expect(response.status).toBe(200)
    const { host, port, username, from } = SERVER
    expect((await response.json()).emailServer).toEqual({ host, port, username, from, hasPassword: true })
    await eventually(async () => {
      const summary = await (await nodes[1].call('/api/support-hours')).json()
      expect(summary.reachesPeople).toBe(true)
    })
    const [stored] = await sql<[{ text: string }]>`
      select string_agg(e::text, '') as text from events e where stream = ${SETTINGS_STREAM}`
    for (const text of [stored.text, (await passwords()).text, JSON.stringify(await settings())]) {
      expect(text).not.toContain('sesame')
      expect(text).not.toContain(Buffer.from('open sesame').toString('hex'))
    }
  })

  test('is stored once however often the same change is sent, and replaces its password for good', async () => {
    const { version } = await settings()
    expect((await set({}, version)).headers.get('etag')).toBe(`"${version}"`)
    expect((await set({ password: null })).headers.get('etag')).toBe(`"${version}"`)
    const before = await passwords()
    expect((await set({ password: 'another' })).status).toBe(200)
    const after = await passwords()
    expect(after.count).toBe(1)
    expect(after.text).not.toBe(before.text)
  })

  test('never gets a password that was meant for another one', async () => {
    for (const other of [{ host: 'smtp.thief.example' }, { port: 25 }, { username: 'other' }]) {
      const response = await set({ ...other, password: null })
      expect(response.status).toBe(422)
      expect((await response.json()).errors).toEqual([
        { path: 'password', message: 'Enter the password for this server again' },
      ])
    }
  })

  test('takes no password without a user name', async () => {
    const response = await set({ username: '' })
    expect((await response.json()).errors).toEqual([{ path: 'username', message: 'Enter the user name' }])
  })

  test('is on the internet', async () => {
    for (const host of ['localhost', '127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', 'redis', 'db.internal']) {
      const response = await set({ host })
      expect(response.status, host).toBe(422)
      expect((await response.json()).errors[0]).toMatchObject({
        path: 'host',
        message: expect.stringContaining('on the internet'),
      })
    }
    for (const host of ['smtp://smtp.example.com', 'smtp.example.com:587', 'smtp.example.com/x', 'a b', 'a@b.example'])
      expect((await set({ host })).status, host).toBe(422)
    expect((await set({ password: 'x'.repeat(10 * 1024 * 1024) })).status).toBe(413)
    expect((await set({ password: 'x'.repeat(2_000) })).status).toBe(422)
  })

  test('is one of two that owners set at once, and the password of the other is gone', async () => {
    const { version } = await settings()
    const changes = ['one', 'two', 'three', 'four'].map((password) =>
      set({ password, host: 'smtp.two.example' }, version),
    )
    const statuses = (await Promise.all(changes)).map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 409, 409, 409])
    expect((await set({ host: '' })).status).toBe(200)
    expect((await settings()).emailServer).toBeNull()
    expect((await passwords()).count).toBe(0)
  })

  test('of a variable wins: a change is refused', async () => {
    const node = await startTestNode(stores, { SMTP_URL: 'smtp://mail.example', EMAIL_FROM: 'site@agency.example' })
    onTestFinished(async () => void (await node.stop()))
    const headers = await signIn(node)
    expect((await put(node, 'email', 0, SERVER, headers)).status).toBe(409)
    const state = await (await node.call('/api/email-server', { headers })).json()
    expect(state).toMatchObject({ source: 'environment', from: 'site@agency.example', isFromSet: true, test: null })
  })
})
