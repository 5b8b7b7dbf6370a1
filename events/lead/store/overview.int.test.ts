import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, agencyDay } from '../../base/agency-day.ts'
import { HOUR_MS } from '../../base/time.ts'
import type { AnyNewEvent } from '../../catalogue.ts'
import { type ChatScore, chatRated, chatRatingStreams } from '../../chat/rating.ts'
import { rebuildProjection } from '../../consumers/rebuild.ts'
import type { Appender } from '../../log/append.ts'
import { deterministicUuid } from '../../log/event-id.ts'
import { readLog } from '../../log/read.ts'
import { project, schemaOf } from '../../projections/projection.ts'
import { SETTINGS_STREAM } from '../../settings/settings.ts'
import { supportHoursPart } from '../../settings/support-hours.ts'
import type { Sql } from '../../stores/connection.ts'
import { propertyOptions } from '../../testing/fixtures/property-options.ts'
import { sampleLeadForm, sampleWebsiteInfo } from '../../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { contentOf, folded } from '../../testing/overview-view.ts'
import { openTestView, type TestView } from '../../testing/view.ts'
import { type FollowUp, type FollowUpStatus, leadFollowUpChanged } from '../follow-up/follow-up.ts'
import { submitWebsiteInfo } from '../form/website-info.ts'
import { leadErased, leadReleased, leadStreams, submitLead } from '../lead.ts'
import { overviewProjection } from './overview.ts'
import { readOverview } from './overview-figures.ts'
import { readWaitingLeads } from './waiting-leads.ts'

const BY = '00000000-0000-4000-8000-0000000000aa'
/** A Monday. */
const BEGIN = new Date('2026-11-16T08:00:00+02:00')
const THURSDAY = '2026-11-19'
const LONG_AFTER = new Date('2030-01-01T00:00:00Z')

let view: TestView
let sql: Sql
let appender: Appender

beforeAll(async () => {
  view = await openTestView(overviewProjection)
  ;({ sql, appender } = view)
})

beforeEach(() => view.clear())

afterAll(() => view.close())

/** Appends an event as if it had been recorded then. */
const record = async (stream: string, event: AnyNewEvent, at: Date) => {
  const id = randomUUID()
  await appender.append({ stream, expectedVersion: 'any', events: [{ id, ...event }] })
  await sql`update events set recorded_at = ${at} where id = ${id}`
  return id
}

const submission = (leadId: string, fields: object = {}, isFlagged = false) =>
  submitLead(
    { leadId, form: sampleLeadForm(fields) },
    { touches: { firstTouch: null, lastTouch: null }, spamSignals: isFlagged ? ['trap'] : [] },
  )

const change = (data: FollowUp, undoes?: string) => leadFollowUpChanged({ ...data, by: BY, ...(undoes && { undoes }) })

const released = leadReleased({ by: BY, emailId: null })
const erased = leadErased({ by: BY })

const lead = fc.nat(4)
const happening = fc.record({
  laterMs: fc.oneof(fc.constant(0), fc.nat(5 * HOUR_MS), fc.nat(70 * HOUR_MS)),
  what: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('submit' as const),
        lead,
        source: fc.constantFrom('hero_form', 'contact_form', 'contract_premium', 'Website Info Form'),
        package: fc.constantFrom(null, 'custom', 'Premium - R1,499 + R499/month'),
        isFlagged: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('change' as const),
        lead,
        isUndo: fc.boolean(),
        data: fc.record(
          {
            followUpStatus: fc.constantFrom<FollowUpStatus>('new', 'contacted', 'won', 'lost'),
            projectValue: fc.constantFrom(null, 0, 1_499.99, 0.1, 1_000_000_000),
            conversionDate: fc.constantFrom(null, '2026-11-18T22:30:00.000Z', '9999-12-31T23:00:00.000Z'),
          },
          { requiredKeys: [] },
        ),
      }),
    },
    fc.record({ kind: fc.constantFrom('release' as const, 'erase' as const), lead }),
    fc.record({
      kind: fc.constant('hours' as const),
      days: fc.constantFrom<number[]>([1, 2, 3, 4, 5], [6], [1, 2, 3, 4, 5, 6, 7]),
      opensAtMinute: fc.constantFrom(0, 480),
      closesAtMinute: fc.constantFrom(490, 1_080, 1_440),
    }),
    fc.record({ kind: fc.constantFrom('step' as const, 'two workers' as const, 'rebuild' as const) }),
  ),
})

describe('the overview', () => {
  test('of any day equals a fold of the log up to the end of that day', async () => {
    const isTheFold = fc.asyncProperty(
      fc.array(happening, { minLength: 5, maxLength: 40 }),
      fc.array(fc.record({ day: fc.nat(20), days: fc.constantFrom(1, 7, 30) }), { minLength: 1, maxLength: 5 }),
      async (happenings, queries) => {
        await view.clear()
        const run = randomUUID()
        const begun = new Set<string>()
        let now = BEGIN
        for (const { laterMs, what } of happenings) {
          now = new Date(now.getTime() + laterMs)
          const id = 'lead' in what ? deterministicUuid(run, String(what.lead)) : ''
          switch (what.kind) {
            case 'submit': {
              if (begun.has(id)) break
              begun.add(id)
              const { source, package: wanted, isFlagged } = what
              const event =
                source === 'Website Info Form'
                  ? submitWebsiteInfo({ leadId: id, form: sampleWebsiteInfo() })
                  : submission(
                      id,
                      { leadSource: source, package: wanted, businessName: 'Shop', agreedToTerms: true },
                      isFlagged,
                    )
              await record(leadStreams.of(id), event, now)
              break
            }
            case 'change':
              if (begun.has(id)) await record(leadStreams.of(id), change(what.data, what.isUndo ? BY : undefined), now)
              break
            case 'release':
            case 'erase':
              if (begun.has(id)) await record(leadStreams.of(id), what.kind === 'release' ? released : erased, now)
              break
            case 'hours': {
              const { kind: _, ...hours } = what
              await record(SETTINGS_STREAM, supportHoursPart.changed({ ...hours, by: BY }), now)
              break
            }
            case 'step':
              await view.projectAll()
              break
            case 'two workers':
              await Promise.all([view.projectAll(), view.projectAll()])
              break
            case 'rebuild':
              await rebuildProjection({ databaseUrl: view.databaseUrl, keys: TEST_KEYS }, overviewProjection)
              break
            default:
              what satisfies never
          }
        }
        await view.projectAll()
        const events = await readLog(sql, 0, 10_000)
        for (const { day, days } of queries) {
          const query = { asOf: addDays(agencyDay(BEGIN), day), days, now: LONG_AFTER }
          expect(contentOf(await readOverview(sql, query))).toEqual(folded(events, query))
        }
        const live = { asOf: agencyDay(now), days: 30, now: new Date(now.getTime() + 1) }
        expect(contentOf(await readOverview(sql, live))).toEqual(folded(events, live))
      },
    )
    await fc.assert(isTheFold, propertyOptions(40))
  })

  const at = (text: string) => new Date(`${text}+02:00`)
  const on = (asOf: string, days = 7) => readOverview(sql, { asOf, days, now: LONG_AFTER })

  test('of last week does not change by later wins, releases and undos', async () => {
    const [kept, flagged] = [randomUUID(), randomUUID()]
    await record(leadStreams.of(kept), submission(kept), at('2026-11-16T09:00'))
    await record(leadStreams.of(flagged), submission(flagged, {}, true), at('2026-11-16T09:00'))
    const undone = await record(leadStreams.of(kept), change({ followUpStatus: 'lost' }), at('2026-11-17T09:00'))
    await record(leadStreams.of(kept), change({ followUpStatus: 'new' }, undone), at('2026-11-18T23:59'))
    await record(leadStreams.of(kept), change({ followUpStatus: 'won', projectValue: 1_499 }), at('2026-11-19T00:00'))
    await record(leadStreams.of(flagged), released, at('2026-11-19T00:00'))
    await view.projectAll()
    const tuesday = await on('2026-11-17')
    expect([tuesday.leads, tuesday.won.leads, tuesday.overdue]).toEqual([1, 0, 0])
    expect(tuesday.replies.filter(({ leads }) => leads > 0)).toEqual([{ time: 'within_10h', leads: 1 }])
    const wednesday = await on('2026-11-18')
    expect([wednesday.leads, wednesday.won.leads, wednesday.overdue]).toEqual([1, 0, 1])
    const thursday = await on(THURSDAY)
    expect([thursday.leads, thursday.overdue]).toEqual([2, 1])
    expect(thursday.won).toEqual({ leads: 1, value: 1_499, daily: [{ day: THURSDAY, leads: 1, value: 1_499 }] })
    expect(thursday.daily).toEqual([{ day: '2026-11-16', source: 'contact_form', leads: 2 }])
  })

  test('counts a lead that was lost by mistake as won on its former day', async () => {
    const id = randomUUID()
    await record(leadStreams.of(id), submission(id), at('2026-11-16T09:00'))
    await record(leadStreams.of(id), change({ followUpStatus: 'won', projectValue: 999 }), at('2026-11-16T10:00'))
    const mistake = await record(leadStreams.of(id), change({ followUpStatus: 'lost' }), at('2026-11-18T10:00'))
    await record(leadStreams.of(id), change({ followUpStatus: 'won' }, mistake), at('2026-11-18T10:01'))
    await view.projectAll()
    expect((await on(THURSDAY)).won).toEqual({
      leads: 1,
      value: 999,
      daily: [{ day: '2026-11-16', leads: 1, value: 999 }],
    })
  })

  test('uses the last of several changes at one instant, projected together or one by one', async () => {
    const id = randomUUID()
    const instant = at('2026-11-16T09:00')
    await record(leadStreams.of(id), submission(id), instant)
    await view.projectAll()
    await record(leadStreams.of(id), change({ followUpStatus: 'contacted' }), instant)
    await view.projectAll()
    await record(leadStreams.of(id), change({ followUpStatus: 'lost' }), instant)
    await record(leadStreams.of(id), change({ followUpStatus: 'won', projectValue: 0.1 }), instant)
    await view.projectAll()
    const { won, replies, overdue } = await on(THURSDAY)
    expect([won.leads, won.value, replies[0]?.leads, overdue]).toEqual([1, 0.1, 1, 0])
    await record(leadStreams.of(id), change({ followUpStatus: 'new' }), at('2026-11-17T09:00'))
    await view.projectAll()
    const rows = await sql<
      { valid_to: string }[]
    >`select valid_to::text from ${sql(schemaOf(overviewProjection))}.facts order by valid_from`
    expect(rows.map(({ valid_to }) => valid_to)).toEqual([expect.stringMatching(/^2026-11-17/), 'infinity'])
  })

  test('no longer counts an erased person, from that day on', async () => {
    const [waiting, answered] = [randomUUID(), randomUUID()]
    for (const id of [waiting, answered]) await record(leadStreams.of(id), submission(id), at('2026-11-16T09:00'))
    await record(leadStreams.of(answered), change({ followUpStatus: 'contacted' }), at('2026-11-16T09:30'))
    for (const id of [waiting, answered]) await record(leadStreams.of(id), erased, at('2026-11-18T09:00'))
    await view.projectAll()
    const repliesOn = async (day: string) => {
      const { leads, overdue, replies } = await on(day)
      return { leads, overdue, replies: replies.filter((reply) => reply.leads > 0) }
    }
    const inTime = { time: 'within_1h', leads: 1 }
    expect(await repliesOn('2026-11-17')).toEqual({
      leads: 2,
      overdue: 1,
      replies: [inTime, { time: 'waiting', leads: 1 }],
    })
    expect(await repliesOn('2026-11-18')).toEqual({ leads: 0, overdue: 0, replies: [] })
  })

  test('holds nothing personal, and counts a person who was erased as of the days before', async () => {
    const id = randomUUID()
    await record(leadStreams.of(id), submission(id, { leadSource: 'jane@secret.example' }), at('2026-11-16T09:00'))
    await record(leadStreams.of(id), change({ followUpStatus: 'contacted' }), at('2026-11-16T09:30'))
    await view.projectAll()
    const before = await on('2026-11-16')
    await record(leadStreams.of(id), erased, at('2026-11-17T09:00'))
    await sql`update events set personal = null`
    await rebuildProjection({ databaseUrl: view.databaseUrl, keys: TEST_KEYS }, overviewProjection)
    expect(await on('2026-11-16')).toEqual(before)
    expect(before.sources).toEqual([{ source: 'other', leads: 1, won: 0 }])
    const rows = await sql`select * from ${sql(schemaOf(overviewProjection))}.facts`
    expect(JSON.stringify(rows)).not.toMatch(/Thandi|secret/)
  })

  test('of an agency without leads is empty', async () => {
    expect(await on(THURSDAY)).toMatchObject({
      leads: 0,
      daily: [],
      sources: [],
      overdue: 0,
      won: { leads: 0, value: 0 },
    })
  })

  test('counts each lead once while workers project and a rebuild runs', async () => {
    const ids = Array.from({ length: 60 }, () => randomUUID())
    let isOver = false
    const work = async () => {
      while (!isOver) await project(sql, overviewProjection)
    }
    const rebuild = async () => {
      while (!isOver) await rebuildProjection({ databaseUrl: view.databaseUrl, keys: TEST_KEYS }, overviewProjection)
    }
    const write = async () => {
      for (const id of ids) {
        await appender.append({ stream: leadStreams.of(id), expectedVersion: 0, events: [{ id, ...submission(id) }] })
        const won = { id: randomUUID(), ...change({ followUpStatus: 'won', projectValue: 10 }) }
        await appender.append({ stream: leadStreams.of(id), expectedVersion: 1, events: [won] })
      }
    }
    await Promise.all([
      write().finally(() => {
        isOver = true
      }),
      work(),
      work(),
      rebuild(),
    ])
    await view.projectAll()
    // two days, since midnight may pass during the test
    const { leads, won } = await readOverview(sql, { asOf: agencyDay(new Date()), days: 2, now: new Date() })
    expect([leads, won.leads, won.value]).toEqual([60, 60, 600])
  })
})

describe('the leads that wait for a reply', () => {
  const at = (text: string) => new Date(`${text}+02:00`)

  test('are those without a reply, newest first, overdue after two support hours', async () => {
    const [early, late, answered, flagged, returned, gone] = ['1', '2', '3', '4', '5', '6'].map((key) =>
      deterministicUuid('waiting', key),
    ) as [string, string, string, string, string, string]
    await record(leadStreams.of(early), submission(early), at('2026-11-16T09:00'))
    await record(leadStreams.of(answered), submission(answered), at('2026-11-16T09:10'))
    await record(leadStreams.of(flagged), submission(flagged, {}, true), at('2026-11-16T09:20'))
    await record(leadStreams.of(returned), submission(returned), at('2026-11-16T09:30'))
    await record(leadStreams.of(late), submission(late), at('2026-11-16T10:30'))
    await record(leadStreams.of(gone), submission(gone), at('2026-11-16T10:40'))
    await record(leadStreams.of(answered), change({ followUpStatus: 'contacted' }), at('2026-11-16T10:40'))
    await record(leadStreams.of(returned), change({ followUpStatus: 'contacted' }), at('2026-11-16T10:40'))
    await view.projectAll()
    const when = (id: string, text: string) => ({ id, timestamp: at(text).toISOString() })
    expect(await readWaitingLeads(sql, at('2026-11-16T11:01'))).toEqual({
      count: 3,
      overdue: 1,
      newest: [when(gone, '2026-11-16T10:40'), when(late, '2026-11-16T10:30'), when(early, '2026-11-16T09:00')],
    })
    expect((await readWaitingLeads(sql, at('2026-11-16T11:00'))).overdue).toBe(0)
    await record(leadStreams.of(returned), change({ followUpStatus: 'new' }), at('2026-11-16T10:50'))
    await record(leadStreams.of(flagged), released, at('2026-11-16T10:50'))
    await record(leadStreams.of(early), change({ followUpStatus: 'lost' }), at('2026-11-16T10:50'))
    await record(leadStreams.of(gone), erased, at('2026-11-16T10:50'))
    await view.projectAll()
    const { count, overdue, newest } = await readWaitingLeads(sql, at('2030-01-01T00:00'))
    expect({ count, overdue }).toEqual({ count: 3, overdue: 3 })
    expect(newest.map(({ id }) => id)).toEqual([late, returned, flagged])
  })

  test('are counted up to 100, and read from an index of their own', async () => {
    await sql`
      insert into ${sql(schemaOf(overviewProjection))}.facts (lead_id, valid_from, valid_to, submitted_at, source, package,
        is_suspect, is_erased, follow_up_status, reply_time)
      select gen_random_uuid(), ${BEGIN}, until, ${BEGIN}::timestamptz + n * interval '1 second', 'hero_form', 'none', false,
        false, 'new', 'waiting'
      from generate_series(1, 20000) n, lateral (values (case when n % 100 = 0 then 'infinity' else ${BEGIN} end::timestamptz))
        as v (until)`
    const { count, overdue, newest } = await readWaitingLeads(sql, LONG_AFTER)
    expect({ count, overdue, named: newest.length }).toEqual({ count: 100, overdue: 100, named: 20 })
    const plan = await sql`
      explain select from ${sql(schemaOf(overviewProjection))}.facts
      where reply_time = 'waiting' and valid_to = 'infinity' and not is_suspect and not is_erased and not is_merged and not is_merged
      order by submitted_at desc limit 100`
    const text = JSON.stringify(plan)
    expect(text).toMatch(/Index (Only )?Scan/)
    expect(text).not.toContain('Filter')
  })
})

test('ratings of chats count on their day, as of that day, in a rebuilt view too', async () => {
  const rate = async (score: ChatScore, day: number, sessionId: string = randomUUID()) => {
    const about = { subjectId: sessionId, personal: { comment: null } }
    await record(
      chatRatingStreams.of(sessionId),
      chatRated({ score }, about),
      new Date(BEGIN.getTime() + day * 24 * HOUR_MS),
    )
    return sessionId
  }
  // its comment comes in an event of its own
  await rate('good', 0, await rate('good', 0))
  await rate('bad', 1)
  await rate('good', 1)
  await rate('good', 3)
  const ratings = async (asOf: string, days: number) =>
    (await readOverview(sql, { asOf, days, now: LONG_AFTER })).chatRatings
  const counted = (good: number, bad: number) => [
    { score: 'good', ratings: good },
    { score: 'bad', ratings: bad },
  ]
  await project(sql, overviewProjection)
  for (const again of [false, true]) {
    if (again) await rebuildProjection({ databaseUrl: view.databaseUrl, keys: TEST_KEYS }, overviewProjection)
    expect(await ratings(THURSDAY, 30)).toEqual(counted(3, 1))
    expect(await ratings('2026-11-17', 30)).toEqual(counted(2, 1))
    expect(await ratings('2026-11-17', 1)).toEqual(counted(1, 1))
    expect(await ratings('2026-11-15', 30)).toEqual(counted(0, 0))
  }
})
