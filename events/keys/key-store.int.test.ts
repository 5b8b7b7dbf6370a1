import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notePage, readPages } from '../chat/store/pages.ts'
import { KEY_ERASER } from '../consumers/acting-consumers.ts'
import { rebuildProjection } from '../consumers/rebuild.ts'
import { eraseKeys } from '../erasure/key-eraser.ts'
import { leadNoteAdded } from '../lead/follow-up/follow-up.ts'
import { leadErased, leadStreams } from '../lead/lead.ts'
import { changedLeads, leadsProjection } from '../lead/store/view.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { prepareActingConsumer } from '../log/checkpoints.ts'
import { migrateKeys } from '../log/migrate.ts'
import { assertSameKeys, openKeys } from '../log/open-keys.ts'
import { readStream } from '../log/read.ts'
import { assertKeysSchema } from '../log/schema.ts'
import { prepareProjection, project, schemaOf } from '../projections/projection.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../testing/fault-proxy.ts'
import { newLead, startChat } from '../testing/fixtures/samples.ts'
import { TEST_DATA_KEY, TEST_KEYS } from '../testing/keys.ts'
import { createEmptyKeysDatabase, createKeysDatabase, type TestKeysDatabase } from '../testing/keys-database.ts'
import { KeyStoreError } from './errors.ts'
import { KeyError, parseKeyRing } from './key-ring.ts'
import { destroyKeys, keysForReading } from './subject-keys.ts'

const STATEMENT_TIMEOUT_MS = 500
/** As few as can show that none is lost. */
const POOL_CONNECTIONS = 2

let database: TestDatabase
let keysDatabase: TestKeysDatabase
let proxy: FaultProxy
let keysOwner: Sql
let sql: Sql
let log: Appender

const ring = () => {
  const keyRing = parseKeyRing(TEST_DATA_KEY)
  if (!keyRing) throw new Error('The DATA_KEY of the tests is none')
  return keyRing
}
const openAt = (keysDatabaseUrl: string | undefined) =>
  openKeys({
    databaseUrl: database.runtimeUrl,
    keyRing: ring(),
    keysDatabaseUrl,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })

beforeAll(async () => {
  database = await createTestDatabase()
  keysDatabase = await createKeysDatabase()
  proxy = await openFaultProxy(keysDatabase.url)
  keysOwner = connect(keysDatabase.url, { max: 1, name: 'test' })
  const keys = await openAt(proxy.url)
  sql = connect(database.runtimeUrl, { max: POOL_CONNECTIONS, name: 'test', keys })
  log = openAppender(database.runtimeUrl, { keys })
})

beforeEach(async () => {
  const owner = connect(database.url, { max: 1, name: 'test' })
  await owner`truncate events, subject_keys, checkpoints, checkpoint_positions, rewrites`
  await owner.unsafe(`drop schema if exists ${schemaOf(leadsProjection)} cascade`)
  await owner.end()
  await keysOwner`truncate subject_keys`
  await prepareProjection(sql, leadsProjection)
  await prepareActingConsumer(sql, KEY_ERASER)
})

afterAll(async () => {
  await log.close()
  await sql.end()
  await sql.keys?.apart?.end()
  await keysOwner.end()
  await proxy.close()
  await database.drop()
  await keysDatabase.drop()
})

const submit = async (fields: object = {}) => {
  const leadId = randomUUID()
  await log.append(newLead(leadId, fields))
  return leadId
}
const note = (leadId: string, text: string) =>
  log.append({
    stream: leadStreams.of(leadId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...leadNoteAdded({ by: leadId }, { subjectId: leadId, personal: { note: text } }) }],
  })
const erase = (leadId: string) =>
  log.append({
    stream: leadStreams.of(leadId),
    expectedVersion: 'any',
    events: [{ id: randomUUID(), ...leadErased({ by: leadId }) }],
  })
const names = async () => (await changedLeads(sql, 0, 10)).map(({ lead }) => lead.name).toSorted()
/** Often enough that every connection would be lost. */
const repeatedly = async (work: () => Promise<unknown>, times = POOL_CONNECTIONS + 1) => {
  for (let time = 0; time < times; time += 1) await work()
}

test('with separate keys the log holds none, but tombstones of erased people', async () => {
  const [ana] = [await submit({ name: 'Ana' }), await submit({ name: 'Ben' })]
  expect(await sql`select from subject_keys`).toHaveLength(0)
  await erase(ana)
  while (await eraseKeys(sql));
  await project(sql, leadsProjection)
  expect(await names()).toEqual(['Ben', 'Erased'])
  await rebuildProjection({ databaseUrl: database.runtimeUrl, keys: sql.keys }, leadsProjection)
  expect(await names()).toEqual(['Ben', 'Erased'])
  expect(await sql`select subject_id as id, wrapped from subject_keys`).toEqual([{ id: ana, wrapped: null }])
})

test.each<[string, number, (proxy: FaultProxy) => unknown]>([
  ['refuses connections', POOL_CONNECTIONS + 1, ({ refuse }) => refuse()],
  ['gives no answer', 1, ({ stall }) => stall()],
])('while the key store %s nothing personal is read or written, and all waits for it', async (_, times, fail) => {
  const ana = await submit({ name: 'Ana' })
  await note(ana, 'known to the view')
  await fail(proxy)
  try {
    await expect(log.append(newLead(randomUUID()))).rejects.toMatchObject({ code: 'log_unavailable' })
    await expect(readStream(sql, leadStreams.of(ana))).rejects.toThrow(KeyStoreError)
    await repeatedly(() => expect(project(sql, leadsProjection)).rejects.toThrow(KeyStoreError), times)
    await erase(ana)
    await repeatedly(() => expect(eraseKeys(sql)).rejects.toThrow(KeyStoreError), times)
    expect(await names()).toEqual([])
  } finally {
    await proxy.resume()
  }
  while (await eraseKeys(sql));
  await project(sql, leadsProjection)
  await submit({ name: 'Ben' })
  await project(sql, leadsProjection)
  expect(await names()).toEqual(['Ben', 'Erased'])
})

test('a node with a cached key continues to write, and the events are read once the key store is back', async () => {
  const ana = await submit()
  await proxy.refuse()
  try {
    await note(ana, 'written meanwhile')
  } finally {
    await proxy.resume()
  }
  expect((await readStream(sql, leadStreams.of(ana))).at(-1)?.personal).toEqual({ note: 'written meanwhile' })
})

test('a key that was changed or removed by hand is an error, not an erasure', async () => {
  const [ana, ben] = [await submit({ name: 'Ana' }), await submit({ name: 'Ben' })]
  const chat = randomUUID()
  await log.append(startChat(chat, 'Cleo'))
  await notePage(sql, { sessionId: chat, pageUrl: '/' }, '/pricing')
  const backup = await keysOwner`select * from subject_keys`
  await keysOwner`
    update subject_keys k set wrapped = o.wrapped from subject_keys o where k.subject_id = ${ana} and o.subject_id = ${ben}`
  await keysOwner`delete from subject_keys where subject_id = ${chat}`
  await expect(readStream(sql, leadStreams.of(ana))).rejects.toThrow(KeyError)
  await expect(readPages(sql, chat)).rejects.toThrow(`The data key ${chat} is missing, and no erasure destroyed it`)
  await repeatedly(() => expect(project(sql, leadsProjection)).rejects.toThrow(KeyError))
  await expect(
    rebuildProjection({ databaseUrl: database.runtimeUrl, keys: sql.keys }, leadsProjection),
  ).rejects.toThrow(KeyError)
  expect(await names()).toEqual([])
  await keysOwner`delete from subject_keys`
  await keysOwner`insert into subject_keys ${keysOwner(backup)}`
  await project(sql, leadsProjection)
  expect(await names()).toEqual(['Ana', 'Ben'])
  expect(await readPages(sql, chat)).toHaveLength(1)
})

test('a key store that was reset to an older backup brings no erased person back', async () => {
  const [ana, chat] = [await submit({ name: 'Ana' }), randomUUID()]
  await log.append(startChat(chat, 'Cleo'))
  await notePage(sql, { sessionId: chat, pageUrl: '/' }, '/pricing')
  const personal = async () => (await readStream(sql, leadStreams.of(ana))).map((event) => event.personal)
  expect(await personal()).toEqual([expect.objectContaining({ name: 'Ana' })])
  const backup = await keysOwner`select * from subject_keys`
  const { keys } = sql
  if (!keys) throw new Error('The keys are not open')
  await destroyKeys(sql, keys, [ana, chat])
  await keysOwner`delete from subject_keys`
  await keysOwner`insert into subject_keys ${keysOwner(backup)}`
  expect(await personal()).toEqual([null])
  expect((await keysForReading(sql, keys, [ana, chat])).get(chat)).toBeNull()
  await expect(note(ana, 'more')).rejects.toMatchObject({ code: 'erased' })
  await submit({ name: 'Ben' })
  await project(sql, leadsProjection)
  expect(await names()).toEqual(['Ben', 'Erased'])
})

test('a start with the keys elsewhere is refused', async () => {
  await submit()
  const { keys } = sql
  if (!keys) throw new Error('The keys are not open')
  await assertSameKeys(sql, keys)
  await expect(assertSameKeys(sql, TEST_KEYS)).rejects.toThrow('set KEYS_DATABASE_URL')
  await keysOwner`truncate subject_keys`
  await expect(assertSameKeys(sql, keys)).rejects.toThrow('KEYS_DATABASE_URL: that database does not hold')
})

test('a database for keys is migrated by itself, once or more, and nothing else comes into it', async () => {
  const empty = await createEmptyKeysDatabase()
  const own = connect(empty.url, { max: 1, name: 'test' })
  try {
    await expect(assertKeysSchema(own)).rejects.toThrow(
      'KEYS_DATABASE_URL: the database is older than this code (not migrated: 1, the first 0001_keys.sql): run npm run migrate',
    )
    await Promise.all([migrateKeys(empty.url), migrateKeys(empty.url)])
    await assertKeysSchema(own)
    const tables =
      await own`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    expect(tables.map(({ name }) => name).sort()).toEqual(['migrations', 'ring_keys', 'subject_keys'])
  } finally {
    await own.end()
    await empty.drop()
  }
})
