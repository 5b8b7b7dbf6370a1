import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from '../events/log/connection.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from '../events/testing/database.ts'
import { eventually, startTestNode, type TestNode } from '../events/testing/node.ts'
import { type Assets, keepAssets, loadAssets } from './assets.ts'
import { etagOf } from './page.ts'

const SCRIPT = Buffer.from('export const version = "the one before"')

let database: TestDatabase
let sql: Sql
let node: TestNode

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.runtimeUrl, { max: 3, name: 'test' })
  node = await startTestNode({ databaseUrl: database.url, redisUrl: await testRedisUrl() })
})

afterAll(async () => {
  await node?.stop()
  await sql?.end()
  await database?.drop()
})

/** The files of a version that has one script of its own. */
const versionWith = (name: string): Assets =>
  new Map([
    [
      name,
      {
        type: 'text/javascript; charset=utf-8',
        etag: etagOf(SCRIPT),
        cacheControl: '',
        policy: undefined,
        bodies: { identity: SCRIPT, br: brotliCompressSync(SCRIPT) },
      },
    ],
  ])

const failOn = {
  onError: (error: unknown) => {
    throw error
  },
}
const status = async (path: string) => (await node.call(path)).status

test('a page of another version finds its script on any node, as it was served by its own', async () => {
  expect(await status('/assets/islands-before.js')).toBe(404)
  const before = await keepAssets(sql, versionWith('islands-before.js'), failOn)
  await eventually(async () => expect(await status('/assets/islands-before.js')).toBe(200))
  const answer = await node.call('/assets/islands-before.js', { headers: { 'accept-encoding': 'br' } })
  expect(await answer.text()).toBe(SCRIPT.toString())
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    etag: etagOf(SCRIPT),
  })
  const cached = await node.call('/assets/islands-before.js', { headers: { 'if-none-match': etagOf(SCRIPT) } })
  expect(cached.status).toBe(304)
  // and the version before finds those of the newer one
  const [name = ''] = (await loadAssets()).keys()
  expect((await before.find(name))?.bodies.identity).toEqual((await loadAssets()).get(name)?.bodies.identity)
  before.stop()
})

test('files stay for a day after the last node of their version, and go then', async () => {
  const early = await keepAssets(sql, versionWith('early.js'), failOn)
  early.stop()
  const age = (name: string, hours: number) =>
    sql`update page_assets set served_at = now() - make_interval(hours => ${hours}) where name = ${name}`
  await age('early.js', 23)
  const next = await keepAssets(sql, versionWith('next.js'), failOn)
  next.stop()
  expect(await next.find('early.js')).toBeDefined()
  await age('early.js', 25)
  await age('next.js', 25)
  const again = await keepAssets(sql, versionWith('next.js'), failOn)
  again.stop()
  expect(await again.find('early.js')).toBeUndefined()
  expect(await again.find('next.js')).toBeDefined()
})

test('many nodes of a version start at once', async () => {
  const name = 'together.js'
  const all = await Promise.all(Array.from({ length: 20 }, () => keepAssets(sql, versionWith(name), failOn)))
  for (const each of all) each.stop()
  const [row] = await sql`select count(*)::integer as count from page_assets where name = ${name}`
  expect(row?.count).toBe(1)
})

test('names that are nowhere, strange ones too, are not found', async () => {
  const paths = [
    '/assets/',
    '/assets/none.js',
    '/assets/%00',
    '/assets/..%2f..%2fpackage.json',
    "/assets/'--",
    '/assets/%ff',
  ]
  expect(await Promise.all(paths.map(status))).toEqual(paths.map(() => 404))
})
