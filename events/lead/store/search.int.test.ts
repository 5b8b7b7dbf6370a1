import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { referenceOf } from '../../base/reference.ts'
import { prepareProjection, project, schemaOf } from '../../projections/projection.ts'
import { fileTrigrams } from '../../projections/trigrams.ts'
import { connect } from '../../stores/connection.ts'
import { newLead } from '../../testing/fixtures/samples.ts'
import { openOwnLog } from '../../testing/own-log.ts'
import { countLeads, type LeadCursor, type LeadFilter, listLeads } from './lead-list.ts'
import { leadsProjection, UNASSIGNED_ID } from './view.ts'

const VIEW = schemaOf(leadsProjection)

/** More than are scanned one after the other: the rest has to be found by trigrams. */
const ENTRIES = 24_000
/** One in this many has the word: a page is not filled by those near the beginning. */
const EVERY = 400

const { databaseUrl, sql, log: appender } = await openOwnLog()

beforeAll(async () => {
  await prepareProjection(sql, leadsProjection)
})

const clear = () => sql`truncate ${sql(VIEW)}.leads, ${sql(VIEW)}.entries`

test('a number is found however it is written, and by any piece of it', async () => {
  await clear()
  for (const phone of ['082 555 0142', '+27 82 555 0199', '(0)11-555-0142', '+44 20 7946 0018']) {
    await appender.append(newLead(randomUUID(), { phone }))
  }
  while ((await project(sql, leadsProjection)).hasMore);
  const find = async (q: string) =>
    (await listLeads(sql, { sort: 'asc', q }, { limit: 10 })).map(({ phone }) => phone.slice(-3))
  expect(await find('0825550142')).toEqual(['142'])
  expect(await find('+27 (82) 555-0142')).toEqual(['142'])
  expect(await find('0027825550142')).toEqual(['142'])
  expect(await find('082 555')).toEqual(['142', '199'])
  expect(await find('5550142')).toEqual(['142', '142'])
  expect(await find('+442079460018')).toEqual(['018'])
  expect(await find('020 7946')).toEqual([])
  expect((await countLeads(sql, { q: '082 555' })).map(({ count }) => count)).toEqual([2])
})

test('a lead is found and counted by its reference, near the beginning of the list and far from it', async () => {
  await clear()
  const ids = [randomUUID(), randomUUID()]
  for (const id of ids) await appender.append(newLead(id))
  while ((await project(sql, leadsProjection)).hasMore);
  for (const id of ids) {
    const q = referenceOf(id)
    expect((await listLeads(sql, { sort: 'desc', q }, { limit: 10 })).map((lead) => lead.id)).toEqual([id])
    expect((await listLeads(sql, { sort: 'desc', q }, { limit: 1 })).map((lead) => lead.id)).toEqual([id])
    expect((await countLeads(sql, { q })).map(({ count }) => count)).toEqual([1])
  }
})

test('a name is found with any white space and quotes in it and in the search', async () => {
  await clear()
  for (const name of ['Thandi   Mokoena', "Sean O'Brien", 'Ana O\u2019Reilly']) {
    await appender.append(newLead(randomUUID(), { name }))
  }
  while ((await project(sql, leadsProjection)).hasMore);
  const find = async (q: string) => (await listLeads(sql, { sort: 'asc', q }, { limit: 10 })).map(({ name }) => name)
  expect(await find('thandi mokoena')).toEqual(['Thandi   Mokoena'])
  expect(await find(' Thandi \u00a0 Mokoena')).toEqual(['Thandi   Mokoena'])
  expect(await find('O\u2019Brien')).toEqual(["Sean O'Brien"])
  expect(await find("o'reilly")).toEqual(['Ana O\u2019Reilly'])
})

test('letters with marks are found with and without them, and two letters before one', async () => {
  await clear()
  for (const name of ['Zo\u00eb M\u00fcller', 'Zoe\u0308 Smit', '\u0410\u043d\u043d\u0430 ab\u0436']) {
    await appender.append(newLead(randomUUID(), { name, email: 'v@shop.example' }))
  }
  while ((await project(sql, leadsProjection)).hasMore);
  const indexed = connect(databaseUrl, { max: 1, name: 'test' })
  await indexed`set enable_seqscan = off`
  const find = async (q: string) => {
    const [{ count } = { count: 0 }] = await countLeads(indexed, { q })
    return count
  }
  expect([await find('zoe'), await find('muller'), await find('zo\u00eb'), await find('m\u00fcller')]).toEqual([
    2, 1, 2, 1,
  ])
  expect([await find('zo'), await find('oe'), await find('ab'), await find('m\u00fc'), await find('xj')]).toEqual([
    2, 2, 1, 1, 0,
  ])
  await indexed.end()
})

test('new leads are found by the index before they are filed there, and after', async () => {
  await clear()
  for (const name of ['Ana Quagga', 'Ben Kudu']) await appender.append(newLead(randomUUID(), { name }))
  while ((await project(sql, leadsProjection)).hasMore);
  const indexed = connect(databaseUrl, { max: 1, name: 'test' })
  await indexed`set enable_seqscan = off`
  const counts = async (q: string) => (await countLeads(indexed, { q })).map(({ count }) => count)
  expect([await counts('quagga'), await counts('kudu'), await counts('gnu')]).toEqual([[1], [1], []])
  expect(await fileTrigrams(sql, leadsProjection)).toBeGreaterThan(0)
  expect([await counts('quagga'), await counts('kudu'), await counts('gnu')]).toEqual([[1], [1], []])
  expect(await fileTrigrams(sql, leadsProjection)).toBe(0)
  await indexed.end()
})

describe('a list of many leads', () => {
  beforeAll(async () => {
    await clear()
    await sql`
      with made as materialized (
        select n, gen_random_uuid() as id, '2026-03-31T10:00:00Z'::timestamptz - (n / 3) * interval '1 minute' as at,
          case when n % ${EVERY} = 0 then 'quagga ' else '' end
            || case when n > ${ENTRIES - 40} then 'zwykj ' else '' end || 'visitor ' || n as name
        from generate_series(1, ${ENTRIES}) n
      ), entries as (
        insert into ${sql(VIEW)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source,
          package, is_waiting)
        select n, id, at, false, name, case when n % 7 = 0 then 'won' else 'new' end, ${UNASSIGNED_ID}, 'hero_form',
          case when n % 3000 = 0 then 'premium' else 'none' end, false from made
      )
      insert into ${sql(VIEW)}.leads (id, position, changed_position, is_suspect, lead)
      select id, n, n, false, json_build_object('id', id, 'name', name, 'timestamp', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SSZ'))
      from made`
    await sql`analyze ${sql(VIEW)}.entries`
  })

  /** The result of a plain scan of every row. */
  const everyMatch = async (q: string, isOfKind = 'true') => {
    const words = q.split(' ').map((word) => sql`position(${word} in search) > 0`)
    const rows = await sql<{ id: string }[]>`
      select id from ${sql(VIEW)}.entries where ${words.reduce((one, other) => sql`${one} and ${other}`)}
        and ${sql.unsafe(isOfKind)}
      order by submitted_at desc, id desc`
    return rows.map(({ id }) => id)
  }
  const found = async (filter: LeadFilter, page: { limit: number; offset?: number; after?: LeadCursor }) =>
    (await listLeads(sql, { sort: 'desc', ...filter }, page)).map(({ id }) => id)

  test.each([
    'quagga',
    'zwykj',
    'visitor 1',
    'visitor 23999',
    'r 9',
    'qu',
    'zw',
    'kj',
    '99',
    'gg zw',
    'xj',
    'no such visitor',
  ])('is searched for %j near its beginning and far from it', async (q) => {
    const expected = await everyMatch(q)
    expect(await found({ q }, { limit: 50 })).toEqual(expected.slice(0, 50))
    expect(await found({ q }, { limit: 20, offset: 30 })).toEqual(expected.slice(30, 50))
    expect((await countLeads(sql, { q })).reduce((total, { count }) => total + count, 0)).toBe(expected.length)
  })

  test.each([
    [{ status: 'won' }, 'position % 7 = 0'],
    [{ package: 'premium' }, 'position % 3000 = 0'],
    [{ status: 'won', package: 'premium' }, 'position % 21000 = 0'],
  ] satisfies [LeadFilter, string][])('is searched among the leads of a kind, %j', async (kind, isOfKind) => {
    for (const q of ['quagga', 'visitor 9', '1 visitor', 'no such visitor']) {
      const expected = await everyMatch(q, isOfKind)
      expect(await found({ q, ...kind }, { limit: 50 })).toEqual(expected.slice(0, 50))
      expect(await found({ q, ...kind }, { limit: 5, offset: 40 })).toEqual(expected.slice(40, 45))
    }
  })

  test('is paged through completely, from near leads to far ones', async () => {
    const expected = await everyMatch('quagga')
    const walked: string[] = []
    let after: LeadCursor | undefined
    for (;;) {
      const page = await listLeads(sql, { sort: 'desc', q: 'quagga' }, { limit: 7, after })
      walked.push(...page.map(({ id }) => id))
      after = page.at(-1)
      if (page.length < 7) break
    }
    expect(walked).toHaveLength(ENTRIES / EVERY)
    expect(walked).toEqual(expected)
  })

  test('is counted by the days of Africa/Johannesburg, newest first', async () => {
    const days = await countLeads(sql, {})
    expect(days[0]?.day).toBe('2026-03-31')
    // midnight there is 22:00 UTC: 12 hours of three leads a minute, without the one that would be at 10:00 sharp
    expect(days[0]?.count).toBe(12 * 60 * 3 + 2)
    expect(days.map(({ day }) => day)).toEqual(
      days
        .map(({ day }) => day)
        .toSorted()
        .toReversed(),
    )
    const from = new Date('2026-03-29T22:00:00Z')
    const to = new Date('2026-03-30T22:00:00Z')
    expect(await countLeads(sql, { from, to })).toEqual([{ day: '2026-03-30', count: 24 * 60 * 3 }])
  })
})
