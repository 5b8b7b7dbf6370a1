import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { propertyOptions } from '../fixtures/property-options.ts'
import { newLead } from '../fixtures/samples.ts'
import type { Lead } from '../lead.ts'
import type { Appender } from '../log/append.ts'
import type { Sql } from '../log/connection.ts'
import { asSearched } from '../searched-text.ts'
import { type LeadFilter, listLeads } from './lead-search.ts'
import { leadsProjection } from './leads.ts'
import { openTestView, type TestView } from './test-view.ts'

const ALL = 1_000

let view: TestView
let sql: Sql
let appender: Appender

beforeAll(async () => {
  view = await openTestView(leadsProjection)
  ;({ sql, appender } = view)
})

beforeEach(() => view.clear())

afterAll(() => view.close())

const everything = (sort: 'asc' | 'desc') => listLeads(sql, { sort }, { limit: ALL })

/** Leads at these instants, in this order of submission. */
const submitAt = async (instants: string[]) => {
  const ids = instants.map((): string => randomUUID())
  for (const id of ids) await appender.append(newLead(id))
  for (const [index, instant] of instants.entries()) {
    await sql`update events set recorded_at = ${instant}::timestamptz where position = ${index + 1}`
  }
  await view.projectAll()
  return ids
}

test('the list is sorted by submission, either way', async () => {
  const ids = await submitAt(['2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-03T00:00:00.001Z'])
  const newestFirst = [ids[2], ids[0], ids[1]]
  expect((await everything('desc')).map(({ id }) => id)).toEqual(newestFirst)
  expect((await everything('asc')).map(({ id }) => id)).toEqual(newestFirst.toReversed())
})

test('the list is bound by a half-open span of time', async () => {
  const ids = await submitAt(['2026-02-28T22:00:00Z', '2026-03-01T21:59:59.999Z', '2026-03-01T22:00:00Z'])
  const find = async (filter: Partial<LeadFilter>) =>
    (await listLeads(sql, { sort: 'asc', ...filter }, { limit: ALL })).map(({ id }) => ids.indexOf(id))
  const from = new Date('2026-02-28T22:00:00Z')
  const to = new Date('2026-03-01T22:00:00Z')
  expect(await find({ from, to })).toEqual([0, 1])
  expect(await find({ from: to })).toEqual([2])
  expect(await find({ to: from })).toEqual([])
  expect(await find({ to })).toEqual([0, 1])
})

test.each(['asc', 'desc'] as const)(
  'the list is paged through whole, %s, also where many came at one instant',
  async (sort) => {
    const instants = Array.from({ length: 20 }, (_, index) => `2026-03-01T10:00:0${Math.floor(index / 7)}.5Z`)
    await submitAt(instants)
    const paged: Lead[] = []
    for (;;) {
      const last = paged.at(-1)
      const page = await listLeads(sql, { sort, q: 'thandi' }, { limit: 3, after: last })
      paged.push(...page)
      if (page.length < 3) break
    }
    expect(paged).toEqual(await everything(sort))
    expect(paged).toHaveLength(20)
  },
)

test('the list is searched for any text, letter by letter, whatever its case', async () => {
  const awkward = [
    '100%',
    'a_b',
    'a b',
    'c:\\dir\\',
    "O'Hara",
    '"quoted"',
    '😀 smile',
    'Zoë',
    'ÄÖÜ',
    '%%',
    '\\%',
    "'; --",
  ]
  for (const company of awkward) await appender.append(newLead(randomUUID(), { company }))
  await view.projectAll()
  const search = async (q: string) => {
    const found = await listLeads(sql, { sort: 'asc', q }, { limit: ALL })
    return found.map(({ company }) => company ?? '').sort()
  }
  for (const company of awkward) {
    const having = awkward.filter((other) => other.toLowerCase().includes(company.toLowerCase())).sort()
    expect(await search(company)).toEqual(having)
    expect(await search(company.toUpperCase())).toEqual(having)
  }
  expect(await search('_')).toEqual(['a_b'])
  expect(await search('%')).toEqual(['%%', '100%', '\\%'])
  expect(await search('\\')).toEqual(['\\%', 'c:\\dir\\'])
  expect(await search('x'.repeat(10_240))).toEqual([])
  expect(await search('%_\\'.repeat(3_400))).toEqual([])
  expect(await search('')).toHaveLength(awkward.length)
})

test('the list is searched in the fields that the specification names, and in no other', async () => {
  const id = randomUUID()
  const fields = {
    name: 'Name Here',
    businessName: 'Business Here',
    email: 'mail@here.example',
    phone: '0825550142',
    company: 'Company Here',
    message: 'message here',
    industry: 'industry here',
    package: 'package here',
    pageUrl: 'https://page.example/here',
  }
  await appender.append(newLead(id, fields))
  await view.projectAll()
  const finds = async (q: string) => (await listLeads(sql, { sort: 'asc', q }, { limit: 1 })).length === 1
  for (const q of ['NAME H', 'business', 'mail@here', '5550142', 'company here', 'lead form']) {
    expect([q, await finds(q)]).toEqual([q, true])
  }
  for (const q of ['message', 'industry', 'package', 'page.example', 'contact_form', 'Here Business']) {
    expect([q, await finds(q)]).toEqual([q, false])
  }
})

test('a lead is found by any piece of any name', async () => {
  const character = fc.constantFrom(...'aB%_\\\'"é😀Ö- ')
  const name = fc.string({ unit: character, minLength: 2, maxLength: 12 }).filter((text) => text.trim().length > 1)
  const findsPiece = fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 6 }), name, async (names, q) => {
    const wanted = asSearched(q.slice(0, 3).toWellFormed())
    fc.pre(wanted.length > 1)
    await view.clear()
    for (const each of names) await appender.append(newLead(randomUUID(), { name: each }))
    await view.projectAll()
    const having = names.map((each) => each.trim()).filter((each) => asSearched(each).includes(wanted))
    const found = await listLeads(sql, { sort: 'asc', q: wanted }, { limit: ALL })
    expect(found.map((lead) => lead.name).sort()).toEqual(having.sort())
  })
  await fc.assert(findsPiece, propertyOptions(25))
})
