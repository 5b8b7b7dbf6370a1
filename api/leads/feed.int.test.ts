import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { leadFollowUpChanged } from '../../events/lead/follow-up/follow-up.ts'
import { NO_SUBMISSION_CONTEXT } from '../../events/lead/form/submission-context.ts'
import { leadReleased, leadStreams, submitLead } from '../../events/lead/lead.ts'
import { LEADS_CHANNEL, leadsProjection } from '../../events/lead/store/view.ts'
import type { AppendRequest } from '../../events/log/append.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { type Bus, openBus } from '../../events/stores/redis/bus.ts'
import { connectRedis } from '../../events/stores/redis/redis.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { newLead, sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { openTestView, type TestView } from '../../events/testing/view.ts'
import { type Admission, OverLimitError, openAdmission } from '../admission/admission.ts'
import { SLOTS } from '../admission/limits.ts'
import type { CallerEnv } from '../staff/caller.ts'
import { openLeadFeed } from './feed.ts'
import { openLeadStream } from './stream.ts'

const WAIT = { timeout: 30_000, interval: 10 }

let view: TestView
let bus: Bus
let queries: number
/** The view's connection, counting its queries. */
let sql: Sql

beforeAll(async () => {
  view = await openTestView(leadsProjection)
  bus = openBus(await testRedisUrl(), { prefix: `{${randomUUID()}}:`, onError: () => {} })
  const ask = (...args: Parameters<Sql>) => {
    queries += 1
    return view.sql(...args)
  }
  sql = Object.assign(ask, view.sql) as unknown as Sql
})

beforeEach(async () => {
  await view.clear()
  queries = 0
})

afterAll(async () => {
  bus.close()
  await view.close()
})

const append = async (request: AppendRequest) => {
  await view.appender.append(request)
  await view.projectAll()
  await bus.publish(LEADS_CHANNEL, '')
}

const addLead = async () => {
  const id = randomUUID()
  await append(newLead(id))
  return id
}

const idsTold = (told: string[]) => told.map((json) => (JSON.parse(json) as { id: string }).id)

/** Lets several listeners watch. Returns the three leads that each received, and how often the view was queried. */
const watchThree = async (watchers: number) => {
  const feed = openLeadFeed({ reading: sql, bus, logger: pino({ enabled: false }) })
  await addLead() // before any watcher: sent to none
  const all = Array.from({ length: watchers }, () => [] as string[])
  const leave = await Promise.all(
    all.map((told) => feed.watch(({ changes }) => told.push(...changes.map(({ json }) => json)))),
  )
  const ids: string[] = []
  queries = 0
  for (let count = 1; count <= 3; count += 1) {
    ids.push(await addLead())
    await vi.waitFor(() => expect(all.every((told) => told.length === count)).toBe(true), WAIT)
  }
  const asked = queries
  for (const stop of leave) stop()
  return { all: all.map(idsTold), ids, asked, feed }
}

test('sends each change once to all watchers, in order, with no more queries than for one of them', async () => {
  const alone = await watchThree(1)
  expect(alone.all).toEqual([alone.ids])
  const many = await watchThree(200)
  expect(many.all).toEqual(Array.from({ length: 200 }, () => many.ids))
  // each query is two calls: the query and the name of the view's schema; a poll or a late wake-up may add some
  expect(many.asked).toBeLessThan(alone.asked + 40)
})

test('reads nothing without a watcher, and misses nothing between two watchers', async () => {
  const { feed } = await watchThree(1)
  const missed = await addLead()
  const told: string[] = []
  const leave = await feed.watch(({ changes }) => told.push(...changes.map(({ json }) => json)))
  const next = await addLead()
  await vi.waitFor(() => expect(idsTold(told)).toEqual([next]), WAIT)
  leave()
  const position = (await feed.position()) - 2
  expect((await feed.after(position)).changes.map(({ json }) => idsTold([json])[0])).toEqual([missed, next])
})

test('continues to send after the view could not be read', async () => {
  const feed = openLeadFeed({ reading: sql, bus, logger: pino({ enabled: false }) })
  const told: string[] = []
  const leave = await feed.watch(({ changes }) => told.push(...changes.map(({ json }) => json)))
  const leads = `${schemaOf(leadsProjection)}.leads`
  await view.sql.unsafe(`alter table ${leads} rename to hidden`)
  queries = 0
  await bus.publish(LEADS_CHANNEL, '')
  await vi.waitFor(() => expect(queries).toBeGreaterThan(0), WAIT)
  await view.sql.unsafe(`alter table ${schemaOf(leadsProjection)}.hidden rename to leads`)
  const id = await addLead()
  await vi.waitFor(() => expect(idsTold(told)).toEqual([id]), WAIT)
  leave()
})

test('sends of a flagged lead only that there is a change, until it is released', async () => {
  const feed = openLeadFeed({ reading: sql, bus, logger: pino({ enabled: false }) })
  const told: Parameters<Parameters<typeof feed.watch>[0]>[0][] = []
  const leave = await feed.watch((news) => told.push(news))
  const [flagged, by] = [randomUUID(), randomUUID()]
  const stream = leadStreams.of(flagged)
  const caught = submitLead(
    { leadId: flagged, form: sampleLeadForm() },
    { ...NO_SUBMISSION_CONTEXT, spamSignals: ['trap'] },
  )
  await append({ stream, expectedVersion: 0, events: [{ id: randomUUID(), ...caught }] })
  const hears = async (count: number) => {
    await vi.waitFor(() => expect(told).toHaveLength(count), WAIT)
    const { changes, events: _, ...untold } = told.at(-1) ?? { changes: [] }
    return [idsTold(changes.map(({ json }) => json)), untold]
  }
  const ofQuarantine = { withdrawn: 0, hasQuarantineChanged: true }
  expect(await hears(1)).toEqual([[], ofQuarantine])
  const spam = { id: randomUUID(), ...leadFollowUpChanged({ followUpStatus: 'lost', by }) }
  await append({ stream, expectedVersion: 1, events: [spam] })
  expect(await hears(2)).toEqual([[], ofQuarantine])
  const released = { id: randomUUID(), ...leadReleased({ emailId: null, by }) }
  await append({ stream, expectedVersion: 2, events: [released] })
  expect(await hears(3)).toEqual([[flagged], ofQuarantine])
  const plain = await addLead()
  expect(await hears(4)).toEqual([[plain], { withdrawn: 0, hasQuarantineChanged: false }])
  leave()
})

test('makes the events of each batch once for all watchers, and lets other work run between them', async () => {
  const feed = openLeadFeed({ reading: sql, bus, logger: pino({ enabled: false }) })
  const told: { events: Uint8Array; turn: number }[] = []
  let turn = 0
  const leave = await Promise.all(
    Array.from({ length: 5 }, () =>
      feed.watch(({ events }) => {
        told.push({ events, turn })
        setImmediate(() => {
          turn += 1
        })
        for (const until = performance.now() + 6; performance.now() < until; );
      }),
    ),
  )
  const id = await addLead()
  await vi.waitFor(() => expect(told).toHaveLength(5), WAIT)
  expect(new Set(told.map(({ events }) => events)).size).toBe(1)
  expect(new TextDecoder().decode(told[0]?.events)).toMatch(
    new RegExp(`^event: lead\nid: \\d+\ndata: {.*${id}.*}\n\n$`),
  )
  expect(told.map((each) => each.turn)).toEqual([0, 1, 2, 3, 4])
  for (const stop of leave) stop()
})

describe('the stream', () => {
  let admission: Admission

  beforeAll(async () => {
    const redis = connectRedis(await testRedisUrl(), { lazyConnect: true })
    admission = openAdmission(redis, { prefix: `{${randomUUID()}}:`, key: 'a key of the tests' })
  })

  /** Opens streams of one account. */
  const openStreams = (options?: Parameters<typeof openLeadStream>[2]) => {
    const node = { reading: sql, bus, admission, logger: pino({ enabled: false }), isDraining: false }
    const id = randomUUID()
    const app = new Hono<CallerEnv>()
      .use(async (c, next) => {
        c.set('caller', { id, tokenHash: Buffer.from('hash'), isProgram: false })
        await next()
      })
      .get('/', openLeadStream(node, { enter: () => () => {} }, options))
      .onError((error, c) => c.body(null, error instanceof OverLimitError ? 429 : 500))
    return ({ headers = {}, outgoing = new PassThrough() } = {}) => app.request('/', { headers }, { outgoing })
  }

  test('without changes sends events, which a page can see, to show that it is alive', async () => {
    const { body } = await openStreams()()
    let text = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.includes('event: heartbeat\ndata: \n\n')) break
    }
    expect(text).toContain('event: heartbeat\ndata: \n\n')
  })

  test('sends all leads of a batch at once, in order, and continues after those that its client has', async () => {
    const [, first, second] = [await addLead(), await addLead(), await addLead()]
    const position = (await openLeadFeed({ reading: sql, bus, logger: pino({ enabled: false }) }).position()) - 2
    const { body } = await openStreams()({ headers: { 'last-event-id': String(position) } })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe(': the stream is open\n\n')
    const { value = '' } = (await reader?.read()) ?? {}
    expect(idsTold(value.match(/(?<=^data: ).*$/gm) ?? [])).toEqual([first, second])
    await reader?.cancel()
  })

  test('is refused to an account that has the maximum number, until one ends', async () => {
    const open = openStreams()
    const streams = await Promise.all(Array.from({ length: SLOTS.lead_streams_of_account.most }, () => open()))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    expect((await open()).status).toBe(429)
    expect((await openStreams()()).status).toBe(200)
    await streams[0]?.body?.cancel()
    expect((await open()).status).toBe(200)
  })

  test('is cut off when its client has read nothing for long', async () => {
    const open = openStreams({ maxUnreadMs: 50 })
    const outgoing = new PassThrough()
    await open({ outgoing })
    await vi.waitFor(() => expect(outgoing.destroyed).toBe(true), WAIT)
    const others = Array.from({ length: SLOTS.lead_streams_of_account.most }, () => open())
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200))
  })
})
