import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAppender } from '../../log/append.ts'
import { readHead } from '../../log/read.ts'
import { connect, type Sql } from '../../stores/connection.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { storeTestKey, TEST_KEYS } from '../../testing/keys.ts'
import { chatActivityStreams, chatErased, type ViewedPage } from '../activity.ts'
import { MAX_SHOWN_PAGES, MAX_STORED_PAGES, notePage, readPages, readPagesAfter } from './pages.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
/** The pools of two nodes. */
let nodes: [Sql, Sql]
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  const open = () => connect(database.url, { max: 8, name: 'test', keys: TEST_KEYS })
  nodes = [open(), open()]
  ;[sql] = nodes
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.end()))
  await database.drop()
})

const newChat = async () => {
  const sessionId = randomUUID()
  await storeTestKey(sql, sessionId)
  return { sessionId, pageUrl: '/' }
}

const urlsOf = (pages: ViewedPage[]) => pages.map(({ pageUrl }) => pageUrl)
const keptUrls = async (sessionId: string) => urlsOf(await readPages(sql, sessionId))

test('pages are stored in the order of the visitor, a page once as long as they stay on it', async () => {
  const chat = await newChat()
  const visits = [null, '/', '/faq', '/faq', '/pricing?a=ü 🙂', '/faq', null, '/faq', '/']
  const noted: ViewedPage[] = []
  for (const pageUrl of visits) {
    const page = await notePage(sql, chat, pageUrl)
    if (page) noted.push(page)
  }
  expect(urlsOf(noted)).toEqual(['/faq', '/pricing?a=ü 🙂', '/faq', '/'])
  expect(noted.map(({ version }) => version)).toEqual([1, 2, 3, 4])
  expect(await readPages(sql, chat.sessionId)).toEqual(noted)
})

test('a page that many tabs open on two nodes at once is stored once', async () => {
  const chat = await newChat()
  for (const pageUrl of ['/faq', '/contact']) {
    const noted = await Promise.all(
      Array.from({ length: 20 }, (_, tab) => notePage(nodes[tab % 2] ?? sql, chat, pageUrl)),
    )
    expect(noted.filter((page) => page !== undefined)).toHaveLength(1)
  }
  expect(await keptUrls(chat.sessionId)).toEqual(['/faq', '/contact'])
})

test('different pages that two nodes store at once are numbered without a gap', async () => {
  const chat = await newChat()
  const visit = async (node: Sql, name: string) => {
    for (let count = 1; count <= 10; count += 1) await notePage(node, chat, `/${name}/${count}`)
  }
  await Promise.all([visit(nodes[0], 'one'), visit(nodes[1], 'two')])
  const pages = await readPages(sql, chat.sessionId)
  expect(pages.map(({ version }) => version)).toEqual(pages.map((_, index) => index + 1))
  for (const name of ['one', 'two']) {
    const own = urlsOf(pages).filter((url) => url.startsWith(`/${name}/`))
    expect(own).toEqual(Array.from({ length: 10 }, (_, index) => `/${name}/${index + 1}`))
  }
})

test('only the newest of 200 different pages are stored, and none in the log', async () => {
  const chat = await newChat()
  const head = await readHead(sql)
  for (let count = 1; count <= 200; count += 1) await notePage(sql, chat, `/page/${count}`)
  const expected = Array.from({ length: MAX_SHOWN_PAGES }, (_, index) => `/page/${200 - MAX_SHOWN_PAGES + 1 + index}`)
  expect(await keptUrls(chat.sessionId)).toEqual(expected)
  const [stored] = await sql`select count(*) as count from chat_pages where session_id = ${chat.sessionId}`
  expect(stored?.count).toBe(MAX_SHOWN_PAGES)
  expect(await readHead(sql)).toEqual(head)
})

test('a visitor with too many pages is no longer tracked', async () => {
  const chat = await newChat()
  await notePage(sql, chat, '/first')
  await sql`update chat_pages set version = ${MAX_STORED_PAGES - 1} where session_id = ${chat.sessionId}`
  expect(await notePage(sql, chat, '/last')).toMatchObject({ version: MAX_STORED_PAGES })
  expect(await notePage(sql, chat, '/more')).toBeUndefined()
  expect(await keptUrls(chat.sessionId)).toEqual(['/first', '/last'])
})

test('the pages of many chats are read from the point that each was read up to', async () => {
  const [one, two, none] = [await newChat(), await newChat(), await newChat()]
  for (const pageUrl of ['/a', '/b', '/c']) await notePage(sql, one, pageUrl)
  await notePage(sql, two, '/d')
  const after = new Map([
    [one.sessionId, 1],
    [two.sessionId, 1],
    [none.sessionId, 0],
  ])
  const pages = await readPagesAfter(sql, after)
  expect([...pages].map(([id, each]) => [id, urlsOf(each)])).toEqual([[one.sessionId, ['/b', '/c']]])
  expect(await readPagesAfter(sql, new Map())).toEqual(new Map())
})

test('an erased chat stores no page', async () => {
  const chat = await newChat()
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  const events = [{ id: randomUUID(), ...chatErased({ by: randomUUID() }) }]
  await appender.append({ stream: chatActivityStreams.of(chat.sessionId), expectedVersion: 'any', events })
  await appender.close()
  expect(await notePage(sql, chat, '/faq')).toBeUndefined()
  expect(await keptUrls(chat.sessionId)).toEqual([])
})
