import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Appender } from '../../log/append.ts'
import type { Sql } from '../../stores/connection.ts'
import { propertyOptions } from '../../testing/fixtures/property-options.ts'
import { newLead } from '../../testing/fixtures/samples.ts'
import { openTestView, type TestView } from '../../testing/view.ts'
import { FOLLOW_UP_STATUSES, type FollowUp, leadFollowUpChanged } from '../follow-up/follow-up.ts'
import { kindOfLead } from '../form/kind.ts'
import { type Lead, leadErased, leadStreams } from '../lead.ts'
import { forecastOf } from '../screens/pipeline.ts'
import { asSearched } from '../search/searched-text.ts'
import { countLeads, type LeadFilter, listLeads, sumStages } from './lead-list.ts'
import { leadsProjection } from './view.ts'

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

test('the list is limited by a half-open span of time', async () => {
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

/** A plain check: each word is in one of the fields, or in the form type, which all have. */
const holds = ({ name, businessName, email, phone, company }: Lead, q: string) => {
  const fields = [name, businessName, email, phone, company, 'lead form'].map((field) => asSearched(field ?? ''))
  return asSearched(q)
    .split(' ')
    .every((word) => fields.some((field) => field.includes(word)))
}

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
  const all = await everything('asc')
  for (const company of awkward) {
    const having = all
      .filter((lead) => holds(lead, company))
      .map((lead) => lead.company ?? '')
      .sort()
    expect(await search(company)).toEqual(having)
    expect(await search(company.toUpperCase())).toEqual(having)
  }
  expect(await search('_')).toEqual(['a_b'])
  expect(await search('%')).toEqual(['%%', '100%', '\\%'])
  expect(await search('\\')).toEqual(['\\%', 'c:\\dir\\'])
  expect(await search('smile x')).toEqual(['😀 smile'])
  expect(await search('x'.repeat(10_240))).toEqual([])
  expect(await search('smile '.repeat(1_700))).toEqual(['😀 smile'])
  expect(await search('%_\\'.repeat(3_400))).toEqual([])
  expect(await search('')).toHaveLength(awkward.length)
})

test('the list is searched only in the documented fields', async () => {
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
  for (const q of [
    'NAME H',
    'business',
    'mail@here',
    '5550142',
    'company here',
    'lead form',
    'Here Business',
    'mail@here 555',
  ]) {
    expect([q, await finds(q)]).toEqual([q, true])
  }
  for (const q of ['message', 'industry', 'package', 'page.example', 'contact_form', 'name message']) {
    expect([q, await finds(q)]).toEqual([q, false])
  }
})

test('a lead is found by any pieces of any name', async () => {
  const textOf = (characters: string) =>
    fc
      .string({ unit: fc.constantFrom(...characters), minLength: 2, maxLength: 12 })
      .filter((text) => text.trim().length > 1)
  // quotation marks around a word that is looked for do not count
  const [name, piece] = [textOf('aB%_\\\'"é😀Ö- '), textOf("aB%_\\'é😀Ö- ")]
  const findsPiece = fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 6 }), piece, async (names, q) => {
    const wanted = asSearched(q.slice(0, 5).toWellFormed())
    fc.pre(wanted.length > 1)
    await view.clear()
    for (const each of names) await appender.append(newLead(randomUUID(), { name: each }))
    await view.projectAll()
    const having = (await everything('asc')).filter((lead) => holds(lead, wanted))
    expect(await listLeads(sql, { sort: 'asc', q: wanted }, { limit: ALL })).toEqual(having)
  })
  await fc.assert(findsPiece, propertyOptions(25))
})

const OWNERS = [null, '0a8e1f3c-5b7d-4e2a-9c46-1d2e3f405162', '1b9f203d-6c8e-4f3b-8d57-2e3f40516273']

const DAYS = [null, '0000-01-01', '2026-02-03', '2026-02-04', '9999-12-31']

/** Leads of random kinds: some answered, some flagged, some erased. */
const submitKinds = async () => {
  const some = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T
  const staffId = randomUUID()
  for (let n = 0; n < 120; n += 1) {
    const id = randomUUID()
    const leadSource = some(['hero_form', 'contact_form', 'contract_premium', 'made up'])
    const form = {
      leadSource,
      package: some([null, 'premium', 'Professional - R1,499', 'shop']),
      businessName: 'Stoep',
      agreedToTerms: true,
    }
    await appender.append(newLead(id, form))
    const followUp = {
      followUpStatus: some(FOLLOW_UP_STATUSES),
      ownerId: some(OWNERS),
      nextActionDate: some(DAYS),
      projectValue: some([null, 1_000, 2_500.5]),
      by: staffId,
    }
    const changes = [leadFollowUpChanged(followUp), ...(n % 10 === 0 ? [leadErased({ by: staffId })] : [])]
    const events = changes.map((event) => ({ id: randomUUID(), ...event }))
    await appender.append({ stream: leadStreams.of(id), expectedVersion: 1, events })
    if (n % 40 === 0) await view.projectAll()
  }
  await view.projectAll()
}

test('a lead whose person was erased is in no list and no count, whether erased in the same batch or later', async () => {
  const [living, erased, erasedLater] = [randomUUID(), randomUUID(), randomUUID()]
  const erase = (id: string) =>
    appender.append({
      stream: leadStreams.of(id),
      expectedVersion: 1,
      events: [{ id: randomUUID(), ...leadErased({ by: randomUUID() }) }],
    })
  for (const id of [living, erased, erasedLater]) await appender.append(newLead(id))
  await erase(erased)
  await view.projectAll()
  await erase(erasedLater)
  await view.projectAll()
  const filters: LeadFilter[] = [{}, { status: 'new' }, { q: 'thandi' }, { source: 'contact_form' }]
  for (const filter of filters) {
    const found = await listLeads(sql, { sort: 'desc', ...filter }, { limit: ALL })
    expect([filter, found.map(({ id }) => id)]).toEqual([filter, [living]])
    expect(await countLeads(sql, filter)).toMatchObject([{ count: 1 }])
  }
  expect(await listLeads(sql, { sort: 'desc', q: 'erased' }, { limit: ALL })).toEqual([])
})

const isOpen = ({ followUpStatus }: Lead) => !['won', 'lost'].includes(followUpStatus)

test('the list is filtered by status, owner, source, package, next action and waiting, in any combination', async () => {
  await submitKinds()
  const all = await everything('desc')
  const middle = new Date(all[60]?.timestamp ?? '')
  const choices: Partial<Record<keyof LeadFilter, readonly unknown[]>> = {
    status: [undefined, 'new', 'won', 'open'],
    ownerId: [undefined, ...OWNERS],
    source: [undefined, 'hero_form', 'contract_premium', 'other'],
    package: [undefined, 'none', 'premium', 'other'],
    overdueBy: [undefined, middle],
    nextActionBy: [undefined, undefined, '2026-02-03'],
    from: [undefined, middle],
    q: [undefined, 'thandi'],
  }
  const filters = Object.entries(choices).reduce<LeadFilter[]>(
    (before, [name, values]) => before.flatMap((each) => values.map((value) => ({ ...each, [name]: value }))),
    [{}],
  )
  for (const filter of filters.filter(() => Math.random() < 0.15)) {
    const wanted = all.filter((lead) => {
      const kind = kindOfLead(lead)
      return (
        (!filter.status || (filter.status === 'open' ? isOpen(lead) : lead.followUpStatus === filter.status)) &&
        (filter.ownerId === undefined || lead.ownerId === filter.ownerId) &&
        (!filter.source || kind.source === filter.source) &&
        (!filter.package || kind.package === filter.package) &&
        (!filter.overdueBy || (lead.followUpStatus === 'new' && new Date(lead.timestamp) <= filter.overdueBy)) &&
        (!filter.nextActionBy || (lead.nextActionDate !== null && lead.nextActionDate <= filter.nextActionBy)) &&
        (!filter.from || new Date(lead.timestamp) >= filter.from)
      )
    })
    const message = JSON.stringify(filter)
    expect(await listLeads(sql, { sort: 'desc', ...filter }, { limit: ALL }), message).toEqual(wanted)
    const page = await listLeads(sql, { sort: 'asc', ...filter }, { limit: 3, offset: 1, after: all[100] })
    expect(page, message).toEqual(
      wanted
        .toReversed()
        .filter((lead) => all.indexOf(lead) < 100)
        .slice(1, 4),
    )
    const counted = (await countLeads(sql, filter)).reduce((total, { count }) => total + count, 0)
    expect(counted, message).toBe(wanted.length)
    const stages = FOLLOW_UP_STATUSES.map((status) => {
      const values = wanted.filter((lead) => lead.followUpStatus === status).map(({ projectValue }) => projectValue)
      const valued = values.flatMap((value) => value ?? [])
      return {
        status,
        leads: values.length,
        valued: valued.length,
        value: valued.reduce((sum, value) => sum + value, 0),
      }
    })
    expect(await sumStages(sql, filter), message).toEqual(stages)
  }
})

test('the leads of a stage count with their current values, for the forecast too', async () => {
  const follow = async (...changes: FollowUp[]) => {
    const id = randomUUID()
    await appender.append(newLead(id))
    await view.projectAll()
    for (const change of changes) {
      const events = [{ id: randomUUID(), ...leadFollowUpChanged({ ...change, by: randomUUID() }) }]
      await appender.append({ stream: leadStreams.of(id), expectedVersion: 'any', events })
    }
  }
  await follow()
  await follow({ followUpStatus: 'contacted' }, { followUpStatus: 'quoted', projectValue: 1_000 })
  await follow({ followUpStatus: 'quoted', projectValue: 500.5 }, { projectValue: 3_000.5 })
  await follow({ followUpStatus: 'quoted' })
  await follow({ followUpStatus: 'won', projectValue: 2_000, conversionDate: new Date().toISOString() })
  await follow({ followUpStatus: 'lost', projectValue: 9_000 })
  await view.projectAll()
  const stages = await sumStages(sql, {})
  expect(stages).toEqual([
    { status: 'new', leads: 1, valued: 0, value: 0 },
    { status: 'contacted', leads: 0, valued: 0, value: 0 },
    { status: 'quoted', leads: 3, valued: 2, value: 4_000.5 },
    { status: 'won', leads: 1, valued: 1, value: 2_000 },
    { status: 'lost', leads: 1, valued: 1, value: 9_000 },
  ])
  expect(forecastOf(stages)).toBe(4_000.25)
})
