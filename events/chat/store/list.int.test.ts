import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../base/time.ts'
import { findChats } from '../../lead/store/people.ts'
import { prepareProjection, schemaOf } from '../../projections/projection.ts'
import { fileTrigrams } from '../../projections/trigrams.ts'
import { connect, type Sql } from '../../stores/connection.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { chatsToLookUp, countWaitingChats, listChats, silentChats, unreadChats } from './list.ts'
import { activeSessions, chatsProjection } from './view.ts'

const VIEW = schemaOf(chatsProjection)
const ENDED_CHATS = 20_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

/** Chats as the view stores them, one every three minutes back from now; every thousandth is open. */
const fill = async () => {
  await sql`
    insert into ${sql(VIEW)}.sessions
      (id, started_at, is_active, is_reachable, last_activity, unread_since, session, progress)
    select id, at, is_active, false, at, case when i % 1000 = 1 then at end,
      jsonb_build_object(
        'sessionId', id, 'visitorName', 'Visitor ' || i, 'isActive', is_active,
        'startTime', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ),
      '{}'
    from (
      select i, gen_random_uuid() as id, date_trunc('milliseconds', now()) - i * interval '3 minutes' as at, i % 1000 = 0 as is_active
      from generate_series(1, ${ENDED_CHATS}::integer) i
    ) chats`
  await sql`
    insert into ${sql(VIEW)}.said (session_id, sequence, text)
    select id, 0, lower(session ->> 'visitorName') from ${sql(VIEW)}.sessions`
  await sql`analyze ${sql(VIEW)}.sessions`
}

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test', keys: TEST_KEYS })
  await prepareProjection(sql, chatsProjection)
  await fill()
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

/** How often the whole table of sessions has been read. */
const wholeReads = async () => {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ reads: number }[]>`
    select seq_scan as reads from pg_stat_user_tables where schemaname = ${VIEW} and relname = 'sessions'`
  return row?.reads
}

/** How many sessions have been read, one by one or as a whole. */
const readSessions = async () => {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ reads: number }[]>`
    select seq_tup_read + idx_tup_fetch as reads from pg_stat_user_tables
    where schemaname = ${VIEW} and relname = 'sessions'`
  return row?.reads ?? 0
}

test('the chats of a person are found without reading those of others, even without statistics of the columns', async () => {
  await sql`
    insert into ${sql(VIEW)}.addresses (email_key, session_id)
    select 'v' || right(session ->> 'visitorName', 5) || '@x.example', id from ${sql(VIEW)}.sessions where not is_active`
  await sql`analyze ${sql(VIEW)}.sessions, ${sql(VIEW)}.addresses`
  const emails = ['nobody@x.example', 'somebody@x.example']
  const before = await readSessions()
  for (let time = 0; time < 8; time += 1)
    expect(await findChats(sql, { leadIds: [], emails, phones: emails }, 10)).toEqual([])
  expect((await readSessions()) - before).toBeLessThan(100)
})

test('the many ended chats add no cost to lists and to the searches of workers', async () => {
  const before = await wholeReads()
  const now = Date.now()
  expect(await activeSessions(sql, 100)).toHaveLength(20)
  expect(await countWaitingChats(sql, { now: new Date(), here: [] })).toBe(0)
  expect(await chatsToLookUp(sql, new Date(), 200)).toEqual([])
  expect(await silentChats(sql, new Date(now - DAY_MS), 200)).toHaveLength(20)
  expect(await unreadChats(sql, { from: new Date(now - DAY_MS), to: new Date(now) }, 200)).toHaveLength(1)
  for (const state of ['active', 'ended', undefined] as const) {
    expect((await listChats(sql, { state }, { limit: 20 })).length).toBe(20)
  }
  const middle = { timestamp: new Date(now - 20 * DAY_MS).toISOString(), id: '00000000-0000-0000-0000-000000000000' }
  const [next] = await listChats(sql, { state: 'ended' }, { limit: 50, after: middle })
  expect(next?.startTime.slice(0, 10)).toBe(middle.timestamp.slice(0, 10))
  expect(await wholeReads()).toBe(before)
})

test('pages follow one another without a chat missed or shown twice, though many begin at the same time', async () => {
  const at = '2026-01-01T00:00:00.000Z'
  await sql`
    update ${sql(VIEW)}.sessions set started_at = ${at}, session = session || ${sql.json({ startTime: at })}
    where session ->> 'visitorName' like 'Visitor 19___'`
  const names: string[] = []
  let after: { timestamp: string; id: string } | undefined
  for (let page = 1; page <= 100; page += 1) {
    const chats = await listChats(sql, { q: 'visitor 19' }, { limit: 40, after })
    names.push(...chats.map(({ visitorName }) => visitorName))
    const last = chats.at(-1)
    if (!last) break
    after = { timestamp: last.startTime, id: last.sessionId }
  }
  const [expected] = await sql<{ count: number }[]>`
    select count(*) as count from ${sql(VIEW)}.sessions where session ->> 'visitorName' like 'Visitor %19%'`
  expect(names).toHaveLength(expected?.count ?? 0)
  expect(new Set(names).size).toBe(names.length)
})

test('rare texts are found by their letters, without reading all messages', async () => {
  await sql`
    insert into ${sql(VIEW)}.said (session_id, sequence, text)
    select id, 1, case session ->> 'visitorName' when 'Visitor 15000' then 'a 50%_rare word' else 'hello there' end
    from ${sql(VIEW)}.sessions`
  await fileTrigrams(sql, chatsProjection)
  await sql`analyze ${sql(VIEW)}.said`
  const namesOf = async (q: string) =>
    (await listChats(sql, { q }, { limit: 20 })).map(({ visitorName }) => visitorName)
  const readsOfSaid = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql<{ reads: number }[]>`
      select seq_scan as reads from pg_stat_user_tables where schemaname = ${VIEW} and relname = 'said'`
    return row?.reads
  }
  const before = [await wholeReads(), await readsOfSaid()]
  expect(await namesOf('50%_RARE')).toEqual(['Visitor 15000'])
  expect(await namesOf('50x_rare')).toEqual([])
  expect(await namesOf('visitor 19999')).toEqual(['Visitor 19999'])
  expect(await namesOf('hello')).toHaveLength(20)
  expect([await wholeReads(), await readsOfSaid()]).toEqual(before)
  expect(await namesOf('%_')).toEqual(['Visitor 15000'])
})
