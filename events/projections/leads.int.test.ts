import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyNewEvent } from '../catalogue.ts'
import { propertyOptions } from '../fixtures/property-options.ts'
import { newLead, postMessage, sampleLeadForm, sampleWebsiteInfo } from '../fixtures/samples.ts'
import { evolveLead, type Lead, type LeadEvent, leadStream, submitLead } from '../lead.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { connect, type Sql } from '../log/connection.ts'
import { idFromKey } from '../log/event-id.ts'
import { readStream } from '../log/read.ts'
import { asSearched } from '../searched-text.ts'
import { submitWebsiteInfo } from '../website-info.ts'
import { type LeadFilter, listLeads } from './lead-search.ts'
import { changedLeads, leadsPosition, leadsProjection } from './leads.ts'
import { prepareProjection, project, rebuildProjection } from './projection.ts'

const ALL = 1_000

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let appender: Appender

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 10, name: 'test' })
  appender = openAppender(database.url, { onCommit: () => {} })
})

const clear = async () => {
  await sql.unsafe(`truncate events, checkpoints; update log_head set last_position = 0;
    drop schema if exists view_leads cascade; drop schema if exists view_leads_next cascade`)
  await prepareProjection(sql, leadsProjection)
}

beforeEach(clear)

afterAll(async () => {
  await appender.close()
  await sql.end()
  await database.drop()
})

const projectAll = async () => {
  while ((await project(sql, leadsProjection)).hasMore);
}

const everything = (sort: 'asc' | 'desc' = 'asc') => listLeads(sql, { sort }, { limit: ALL })
const byId = (leads: Lead[]) => leads.toSorted((a, b) => a.id.localeCompare(b.id))

const foldOf = async (leadId: string) => {
  const events = (await readStream(sql, leadStream(leadId))) as LeadEvent[]
  return events.reduce<Lead | undefined>(evolveLead, undefined)
}

const forwardId = randomUUID()
const staffId = randomUUID()
const emailEvent = fc.oneof(
  fc.record({
    type: fc.constant('EmailForwarded' as const),
    data: fc.record({
      forwardId: fc.constant(forwardId),
      to: fc.constantFrom('service', 'outbox'),
      attempt: fc.nat(9),
    }),
  }),
  fc.record({
    type: fc.constant('EmailForwardFailed' as const),
    data: fc.oneof(
      fc.record({
        forwardId: fc.constant(forwardId),
        willRetry: fc.constant(true as const),
        reason: fc.constantFrom('busy', 'unknown', 'rejected'),
        attempt: fc.nat(9),
      }),
      fc.record({
        forwardId: fc.constant(forwardId),
        willRetry: fc.constant(false as const),
        reason: fc.constantFrom('needs_activation', 'blocked', 'rejected'),
        attempt: fc.nat(9),
      }),
    ),
  }),
)
const followUp = fc.record({
  type: fc.constant('LeadFollowUpChanged' as const),
  data: fc.record(
    {
      followUpStatus: fc.constantFrom('contacted', 'quoted', 'won', 'lost'),
      conversionDate: fc.constantFrom(null, '2026-01-31T10:00:00.000Z'),
      projectValue: fc.constantFrom(null, 0, 1_499.5),
      by: fc.constant(staffId),
    },
    { requiredKeys: ['by'] },
  ),
})
const release = fc.record({
  type: fc.constant('LeadReleased' as const),
  data: fc.record({ by: fc.constant(staffId), forwards: fc.constantFrom(null, forwardId) }),
})
const beginning = fc.oneof(
  fc.record({
    kind: fc.constant('form' as const),
    name: fc.constantFrom('Thandi Nkosi', 'Zoë "O\'Hara" 😀', 'back\\slash'),
    leadSource: fc.constantFrom('contact_form', 'hero_form', 'contract_essential'),
  }),
  fc.record({ kind: fc.constant('website' as const), email: fc.constantFrom('a@example.com', 'b@example.com') }),
)
/** What happens, one after the other: something to one of five leads, a chat message, or a step of the projection. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ lead: fc.nat(4), change: fc.oneof(emailEvent, followUp, release), begin: beginning }),
  },
  { weight: 2, arbitrary: fc.constantFrom('step' as const, 'chat' as const, 'two steps at once' as const) },
)

test('the view is what folding each stream gives, however the events fall into batches', async () => {
  const isFold = fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 40 }), async (happenings) => {
    await clear()
    const run = randomUUID()
    const begun = new Set<string>()
    for (const each of happenings) {
      if (each === 'step') await project(sql, leadsProjection)
      else if (each === 'two steps at once') await Promise.all([1, 2].map(() => project(sql, leadsProjection)))
      else if (each === 'chat') await appender.append(postMessage(run, 'not a lead'))
      else {
        const leadId: string = idFromKey(run, String(each.lead))
        const event: AnyNewEvent = begun.has(leadId)
          ? { ...each.change, subjectId: null, personal: null }
          : each.begin.kind === 'form'
            ? submitLead({
                leadId,
                form: sampleLeadForm({ ...each.begin, businessName: 'Nkosi Bakery', agreedToTerms: true }),
              })
            : submitWebsiteInfo({ leadId, form: sampleWebsiteInfo({ email: each.begin.email }) })
        begun.add(leadId)
        const events = [{ id: randomUUID(), ...event }]
        await appender.append({ stream: leadStream(leadId), expectedVersion: 'any', events })
      }
    }
    await projectAll()
    const folds = await Promise.all([...begun].map(foldOf))
    expect(byId(await everything())).toEqual(byId(folds.filter((lead) => lead !== undefined)))
    await rebuildProjection(database.url, leadsProjection)
    expect(byId(await everything())).toEqual(byId(folds.filter((lead) => lead !== undefined)))
  })
  await fc.assert(isFold, propertyOptions(40))
})

test('a batch of many leads and their changes is folded in order', async () => {
  const ids = Array.from({ length: 300 }, () => randomUUID())
  await Promise.all(ids.map((id) => appender.append(newLead(id, { leadSource: 'contact_form' }))))
  await Promise.all(
    ['contacted', 'quoted', 'won'].flatMap((followUpStatus) =>
      ids.map((leadId) =>
        appender.append({
          stream: leadStream(leadId),
          expectedVersion: 'any',
          events: [
            {
              id: randomUUID(),
              type: 'LeadFollowUpChanged',
              data: { followUpStatus: followUpStatus as 'won', by: staffId },
              subjectId: null,
              personal: null,
            },
          ],
        }),
      ),
    ),
  )
  await projectAll()
  const leads = await everything()
  expect(leads).toHaveLength(300)
  expect(new Set(leads.map(({ followUpStatus }) => followUpStatus))).toEqual(new Set(['won']))
  expect(await leadsPosition(sql)).toBe(1_200)
})

test('while the view is rebuilt readers find all leads, and none fails, though more arrive', async () => {
  const submit = (count: number) =>
    Promise.all(Array.from({ length: count }, () => appender.append(newLead(randomUUID()))))
  await submit(300)
  await projectAll()
  let isRebuilding = true
  const rebuilding = (async () => {
    for (let round = 0; round < 3; round++) await rebuildProjection(database.url, leadsProjection)
  })().finally(() => {
    isRebuilding = false
  })
  const write = async () => {
    while (isRebuilding) await submit(5)
  }
  const work = async () => {
    while (isRebuilding) await project(sql, leadsProjection)
  }
  let reads = 0
  const read = async () => {
    let least = 300
    while (isRebuilding) {
      const found = (await listLeads(sql, { sort: 'desc', q: 'thandi' }, { limit: 10_000 })).length
      expect(found).toBeGreaterThanOrEqual(least)
      least = found
      reads += 1
    }
  }
  await Promise.all([rebuilding, write(), work(), read(), read(), read()])
  expect(reads).toBeGreaterThan(3)
})

test('changed leads come in the order of their change, each once', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  await appender.append(newLead(first))
  await appender.append(newLead(second))
  await projectAll()
  const change = { followUpStatus: 'contacted' as const, by: staffId }
  await appender.append({
    stream: leadStream(first),
    expectedVersion: 1,
    events: [{ id: randomUUID(), type: 'LeadFollowUpChanged', data: change, subjectId: null, personal: null }],
  })
  await projectAll()
  const changed = await changedLeads(sql, 0, ALL)
  expect(changed.map(({ position, lead }) => [position, lead.id, lead.followUpStatus])).toEqual([
    [2, second, 'new'],
    [3, first, 'contacted'],
  ])
  expect((await changedLeads(sql, 2, ALL)).map(({ position }) => position)).toEqual([3])
  expect((await changedLeads(sql, 0, 1)).map(({ position }) => position)).toEqual([2])
  expect(await leadsPosition(sql)).toBe(3)
})

describe('a list of leads', () => {
  /** Leads at these instants, in this order of submission. */
  const submitAt = async (instants: string[]) => {
    const ids = instants.map((): string => randomUUID())
    for (const id of ids) await appender.append(newLead(id))
    for (const [index, instant] of instants.entries()) {
      await sql`update events set recorded_at = ${instant}::timestamptz where position = ${index + 1}`
    }
    await projectAll()
    return ids
  }

  test('is sorted by submission, either way', async () => {
    const ids = await submitAt(['2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-03T00:00:00.001Z'])
    const newestFirst = [ids[2], ids[0], ids[1]]
    expect((await everything('desc')).map(({ id }) => id)).toEqual(newestFirst)
    expect((await everything('asc')).map(({ id }) => id)).toEqual(newestFirst.toReversed())
  })

  test('is bound by a half-open span of time', async () => {
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
    'is paged through whole, %s, also where many came at one instant',
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

  test('is searched for any text, letter by letter, whatever its case', async () => {
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
    await projectAll()
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

  test('is searched in the fields that the specification names, and in no other', async () => {
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
    await projectAll()
    const finds = async (q: string) => (await listLeads(sql, { sort: 'asc', q }, { limit: 1 })).length === 1
    for (const q of ['NAME H', 'business', 'mail@here', '5550142', 'company here', 'lead form']) {
      expect([q, await finds(q)]).toEqual([q, true])
    }
    for (const q of ['message', 'industry', 'package', 'page.example', 'contact_form', 'Here Business']) {
      expect([q, await finds(q)]).toEqual([q, false])
    }
  })

  test('is found by any piece of any name', async () => {
    const character = fc.constantFrom(...'aB%_\\\'"é😀Ö- ')
    const name = fc.string({ unit: character, minLength: 2, maxLength: 12 }).filter((text) => text.trim().length > 1)
    const findsPiece = fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 6 }), name, async (names, q) => {
      const wanted = asSearched(q.slice(0, 3).toWellFormed())
      fc.pre(wanted.length > 1)
      await clear()
      for (const each of names) await appender.append(newLead(randomUUID(), { name: each }))
      await projectAll()
      const having = names.map((each) => each.trim()).filter((each) => asSearched(each).includes(wanted))
      const found = await listLeads(sql, { sort: 'asc', q: wanted }, { limit: ALL })
      expect(found.map((lead) => lead.name).sort()).toEqual(having.sort())
    })
    await fc.assert(findsPiece, propertyOptions(25))
  })
})
