import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../base/time.ts'
import { openAppender } from '../../log/append.ts'
import { readLog } from '../../log/read.ts'
import { connect, type Sql } from '../../stores/connection.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { newLead } from '../../testing/fixtures/samples.ts'
import { TEST_KEYS } from '../../testing/keys.ts'
import { type DeliveryState, EMAIL_PRIORITIES, emailSent } from '../email.ts'
import {
  activationIsDone,
  activationPause,
  addDeliveries,
  claimDelivery,
  type LoggedOutcome,
  listOutbox,
  postponeDelivery,
  recordAttempt,
  resendDelivery,
} from './deliveries.ts'
import { readyDeliveries, readyInShares } from './ready-deliveries.ts'
import { leftOutcomes, outcomeIsLogged, putOutcomeBack } from './unlogged-outcomes.ts'

const CLAIM_SECONDS = 60

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let ids: string[]

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 8, name: 'test', keys: TEST_KEYS })
  const appender = openAppender(database.url, { keys: TEST_KEYS })
  for (let count = 0; count < 4; count++) await appender.append(newLead(randomUUID()))
  await appender.close()
})

beforeEach(async () => {
  await sql`truncate deliveries cascade`
  const asked = await askedFor()
  ids = asked.map(({ id }) => id)
  await addDeliveries(sql, asked)
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const askedFor = async () =>
  (await readLog(sql, 0, 4)).map(({ id, position, stream, recordedAt: askedAt }) => ({
    id,
    position,
    stream,
    recipient: 'agency' as const,
    priority: EMAIL_PRIORITIES.contract,
    share: null,
    askedAt,
  }))
const idAt = (index: number) => ids[index] ?? ''
const claim = (eventId: string) => claimDelivery(sql, eventId, { perShare: 1 })
/** The ids of the deliveries that may be sent now. */
const due = async () => (await readyDeliveries(sql, { perShare: 1 })).map(({ eventId }) => eventId)
/** Lets time pass for one delivery. */
const age = (eventId: string, seconds: number) => sql`
  update deliveries set claimed_until = claimed_until - ${seconds} * interval '1 second',
    updated_at = updated_at - ${seconds} * interval '1 second', due_at = due_at - ${seconds} * interval '1 second'
  where event_id = ${eventId}`

/** The outcome that the log would get. */
const outcomeOf = (emailId: string): LoggedOutcome => ({
  id: randomUUID(),
  ...emailSent({ emailId, to: 'service', attempt: 1 }),
})

/** Claims a delivery and records how the attempt ended. */
const attempt = async (
  eventId: string,
  state: DeliveryState,
  retryAfterMs?: number,
  outcome: LoggedOutcome | null = null,
) => {
  const claimed = await claim(eventId)
  if (!claimed) throw new Error(`${eventId} cannot be claimed`)
  return await recordAttempt(sql, claimed, { state, kind: state, answer: 'answer', retryAfterMs, outcome })
}

test('deliveries are due in the order of the log, and storing them again changes nothing', async () => {
  expect(await due()).toEqual(ids)
  await attempt(idAt(0), 'delivered')
  await addDeliveries(sql, await askedFor())
  await addDeliveries(sql, [])
  expect(await due()).toEqual(ids.slice(1))
})

test('one of many workers that claim a delivery at once gets it', async () => {
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim(idAt(1))))
  const [event] = await readLog(sql, 1, 1)
  expect(claims.filter((claim) => claim !== undefined)).toEqual([
    {
      eventId: idAt(1),
      stream: event?.stream,
      share: null,
      attempt: 1,
      attemptSinceRequest: 1,
      uncertainTries: 0,
      triedForMs: 0,
      inboxStates: {},
      isResent: false,
      resendPosition: 0,
    },
  ])
  expect(await due()).toEqual([idAt(0), idAt(2), idAt(3)])
})

test('a claim expires, and the next one is the second attempt', async () => {
  await claim(idAt(0))
  await age(idAt(0), CLAIM_SECONDS - 5)
  expect(await claim(idAt(0))).toBeUndefined()
  expect(await due()).not.toContain(idAt(0))
  await age(idAt(0), 10)
  expect(await due()).toContain(idAt(0))
  expect(await claim(idAt(0))).toMatchObject({ attempt: 2, attemptSinceRequest: 2 })
  expect(await claim(idAt(0))).toBeUndefined()
})

test('an unknown delivery cannot be claimed', async () => {
  expect(await claim(randomUUID())).toBeUndefined()
})

test.each<DeliveryState>(['delivered', 'outbox', 'rejected', 'expired', 'uncertain', 'partial'])(
  'a delivery that is %s is done',
  async (state) => {
    await attempt(idAt(0), state)
    expect(await claim(idAt(0))).toBeUndefined()
    expect(await due()).not.toContain(idAt(0))
  },
)

test.each<DeliveryState>(['retrying', 'needs_activation', 'blocked'])(
  'a delivery that is %s is due again when its time comes',
  async (state) => {
    await attempt(idAt(0), state, HOUR_MS)
    expect(await due()).not.toContain(idAt(0))
    await age(idAt(0), HOUR_MS / 1_000 + 1)
    expect(await due()).toContain(idAt(0))
    expect(await claim(idAt(0))).toMatchObject({ attempt: 2 })
  },
)

test('an outcome that is not in the log is found once its worker has had its time', async () => {
  const outcome = outcomeOf(idAt(2))
  await attempt(idAt(2), 'delivered', undefined, outcome)
  await attempt(idAt(3), 'delivered')
  expect(await leftOutcomes(sql)).toEqual([])
  await age(idAt(2), CLAIM_SECONDS + 1)
  await age(idAt(3), CLAIM_SECONDS + 1)
  const [event] = await readLog(sql, 2, 1)
  expect(await leftOutcomes(sql)).toEqual([{ eventId: idAt(2), stream: event?.stream, outcome }])
  await outcomeIsLogged(sql, idAt(2), { id: randomUUID() })
  expect(await leftOutcomes(sql)).toHaveLength(1)
  await outcomeIsLogged(sql, idAt(2), outcome)
  expect(await leftOutcomes(sql)).toEqual([])
})

test('emails that wait for the address to be confirmed are due as soon as it is', async () => {
  expect(await activationPause(sql)).toBeUndefined()
  await attempt(idAt(0), 'needs_activation', HOUR_MS)
  await attempt(idAt(1), 'retrying', HOUR_MS)
  const until = await activationPause(sql)
  expect(until?.getTime()).toBeGreaterThan(Date.now() + HOUR_MS / 2)
  const claimed = await claim(idAt(2))
  if (!claimed || !until) throw new Error('nothing to postpone')
  await postponeDelivery(sql, claimed, until)
  expect(await due()).toEqual([idAt(3)])
  expect(await activationPause(sql)).toEqual(until)
  await activationIsDone(sql)
  expect(await activationPause(sql)).toBeUndefined()
  expect(await due()).toEqual([idAt(0), idAt(2), idAt(3)])
  expect(await claim(idAt(2))).toMatchObject({ attempt: 1 })
})

test('an email requested again before it could be postponed is due at once', async () => {
  const claimed = await claim(idAt(0))
  if (!claimed) throw new Error('nothing was claimed')
  await resendDelivery(sql, { eventId: idAt(0), position: 9, askedAt: new Date() })
  await postponeDelivery(sql, claimed, new Date(Date.now() + HOUR_MS))
  expect(await due()).toContain(idAt(0))
  expect(await claim(idAt(0))).toMatchObject({ attempt: 1, isResent: true })
})

test('a worker with an expired claim does not overwrite the next attempt', async () => {
  const late = await claim(idAt(0))
  await age(idAt(0), CLAIM_SECONDS + 1)
  await attempt(idAt(0), 'delivered')
  if (!late) throw new Error('nothing was claimed')
  const result = { state: 'retrying' as const, kind: 'busy', answer: 'late', retryAfterMs: 0, outcome: null }
  expect(await recordAttempt(sql, late, result)).toEqual({ isRecorded: false, isNews: false })
  expect(await due()).not.toContain(idAt(0))
})

test('the outbox is listed newest first', async () => {
  for (const index of [2, 0]) {
    await attempt(idAt(index), 'outbox')
  }
  const rows = await listOutbox(sql, 10)
  expect(rows.map(({ eventId }) => eventId)).toEqual([idAt(2), idAt(0)])
  expect(rows[0]).toEqual({ eventId: idAt(2), stream: expect.stringMatching(/^lead-/), storedAt: expect.any(Date) })
  expect(await listOutbox(sql, 1)).toHaveLength(1)
})

const rowOf = async (eventId: string) => {
  const [row] = await sql`
    select state, attempts, attempts_before, resend_position, claimed_until > now() as claimed, due_at <= now() as due
    from deliveries where event_id = ${eventId}`
  return row
}
const triesOf = (eventId: string) => sql<{ attempt: number; kind: string | null; answer: string | null }[]>`
  select attempt, kind, answer from delivery_tries where event_id = ${eventId} order by attempt`

test('every attempt is stored with its response, an interrupted one without, and a postponed one not at all', async () => {
  await claim(idAt(0))
  await age(idAt(0), CLAIM_SECONDS + 1)
  await attempt(idAt(0), 'retrying', 0)
  const claimed = await claim(idAt(0))
  if (!claimed) throw new Error('nothing was claimed')
  await postponeDelivery(sql, claimed, new Date())
  await attempt(idAt(0), 'delivered')
  expect(await triesOf(idAt(0))).toEqual([
    { attempt: 1, kind: null, answer: null },
    { attempt: 2, kind: 'retrying', answer: 'answer' },
    { attempt: 3, kind: 'delivered', answer: 'answer' },
  ])
})

test('only the newest of very many attempts are stored', async () => {
  for (let count = 1; count <= 53; count += 1) await attempt(idAt(0), 'retrying', 0)
  const tries = await triesOf(idAt(0))
  expect([tries.length, tries[0]?.attempt, tries.at(-1)?.attempt]).toEqual([50, 4, 53])
})

test.each<DeliveryState>(['delivered', 'outbox', 'rejected', 'uncertain', 'blocked', 'needs_activation', 'retrying'])(
  'a delivery that is %s can be asked for again, once for each event, and is due at once',
  async (state) => {
    await attempt(idAt(0), state, HOUR_MS)
    const resend = { eventId: idAt(0), position: 10, askedAt: new Date() }
    await resendDelivery(sql, resend)
    expect(await rowOf(idAt(0))).toMatchObject({ state: 'pending', attempts: 1, attempts_before: 1, due: true })
    expect(await due()).toContain(idAt(0))
    expect(await claim(idAt(0))).toMatchObject({
      attempt: 2,
      attemptSinceRequest: 1,
      isResent: true,
      resendPosition: 10,
    })
    await age(idAt(0), CLAIM_SECONDS + 1)
    await attempt(idAt(0), 'delivered')
    await resendDelivery(sql, resend)
    await resendDelivery(sql, { ...resend, position: 9 })
    expect(await rowOf(idAt(0))).toMatchObject({ state: 'delivered', attempts: 3 })
  },
)

test('a new request does not disturb an attempt under way, which counts as the first since then', async () => {
  await attempt(idAt(0), 'blocked', 0)
  const underWay = await claim(idAt(0))
  if (!underWay) throw new Error('nothing was claimed')
  await resendDelivery(sql, { eventId: idAt(0), position: 10, askedAt: new Date() })
  expect(await rowOf(idAt(0))).toMatchObject({ state: 'pending', attempts: 2, attempts_before: 1, claimed: true })
  expect(await claim(idAt(0))).toBeUndefined()
  expect(await due()).not.toContain(idAt(0))
  const outcome = outcomeOf(idAt(0))
  const result = { state: 'blocked' as const, kind: 'blocked', answer: '403', retryAfterMs: HOUR_MS, outcome }
  expect(await recordAttempt(sql, underWay, result)).toEqual({ isRecorded: true, isNews: true })
  expect(await rowOf(idAt(0))).toMatchObject({ state: 'blocked', attempts: 2 })
})

test('only changes of the delivery state are appended to the log', async () => {
  expect(await attempt(idAt(0), 'retrying', 0, outcomeOf(idAt(0)))).toEqual({ isRecorded: true, isNews: true })
  const [{ outcome } = {}] = await sql`select outcome from deliveries where event_id = ${idAt(0)}`
  expect(await attempt(idAt(0), 'retrying', 0, outcomeOf(idAt(0)))).toEqual({ isRecorded: true, isNews: false })
  expect(await sql`select outcome from deliveries where event_id = ${idAt(0)}`).toEqual([{ outcome }])
})

test('many concurrent requests to send an email again are all recorded, and it is due once', async () => {
  await attempt(idAt(0), 'rejected')
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      resendDelivery(sql, { eventId: idAt(0), position: 10 + index, askedAt: new Date() }),
    ),
  )
  expect(await rowOf(idAt(0))).toMatchObject({ state: 'pending', attempts: 1 })
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(idAt(0))))
  expect(claims.filter(Boolean)).toHaveLength(1)
})

test('a delivery that is not due cannot be claimed', async () => {
  await attempt(idAt(0), 'retrying', HOUR_MS)
  expect(await claim(idAt(0))).toBeUndefined()
})

test('attempts without a response are counted, including interrupted ones, until staff ask again', async () => {
  const again = async () => {
    const claimed = await claim(idAt(0))
    await age(idAt(0), CLAIM_SECONDS + 1)
    return claimed
  }
  expect(await again()).toMatchObject({ uncertainTries: 0, triedForMs: 0 })
  const second = await again()
  expect(second).toMatchObject({ attempt: 2, uncertainTries: 1 })
  if (!second) throw new Error('nothing was claimed')
  await recordAttempt(sql, second, { state: 'retrying', kind: 'unknown', answer: '', retryAfterMs: 0, outcome: null })
  expect(await again()).toMatchObject({ attempt: 3, uncertainTries: 2 })
  await resendDelivery(sql, { eventId: idAt(0), position: 10, askedAt: new Date() })
  await sql`update deliveries set claimed_until = null where event_id = ${idAt(0)}`
  expect(await again()).toMatchObject({ attempt: 4, uncertainTries: 0 })
})

test('the time of attempts counts from the first one since the delivery was requested', async () => {
  await attempt(idAt(0), 'retrying', 0)
  await sql`update deliveries set first_tried_at = first_tried_at - interval '2 hours' where event_id = ${idAt(0)}`
  const claimed = await claim(idAt(0))
  expect(claimed?.triedForMs).toBeGreaterThanOrEqual(2 * HOUR_MS)
  await age(idAt(0), CLAIM_SECONDS + 1)
  await resendDelivery(sql, { eventId: idAt(0), position: 10, askedAt: new Date() })
  expect((await claim(idAt(0)))?.triedForMs).toBe(0)
})

test('an outcome that cannot be appended moves behind the others', async () => {
  for (const index of [0, 1]) {
    await attempt(idAt(index), 'delivered', undefined, outcomeOf(idAt(index)))
    await age(idAt(index), CLAIM_SECONDS + 10 - index)
  }
  const left = async () => (await leftOutcomes(sql)).map(({ eventId }) => eventId)
  expect(await left()).toEqual([idAt(0), idAt(1)])
  await putOutcomeBack(sql, idAt(0))
  expect(await left()).toEqual([idAt(1)])
  await age(idAt(0), CLAIM_SECONDS + 1)
  expect(await left()).toEqual([idAt(1), idAt(0)])
})

describe('email to visitors', () => {
  const inShare = (share: number, ...indexes: number[]) => sql`
    update deliveries set recipient = 'visitor', share = ${share}, priority = ${EMAIL_PRIORITIES.chat}
    where event_id in ${sql(indexes.map(idAt))}`

  test('is ready after contracts, for one domain only as many as may be sent at once', async () => {
    await inShare(7, 0, 1, 2)
    expect(await due()).toEqual([idAt(3), idAt(0)])
    const two = await readyDeliveries(sql, { perShare: 2 })
    expect(two.map(({ eventId }) => eventId)).toEqual([idAt(3), idAt(0), idAt(1)])
    expect(two[1]).toEqual({ eventId: idAt(0), recipient: 'visitor', priority: EMAIL_PRIORITIES.chat })
    await claim(idAt(0))
    expect(await readyInShares(sql, [7, 7, 8], 1)).toEqual([])
    expect(await readyInShares(sql, [7], 2)).toMatchObject([{ eventId: idAt(1) }])
  })

  test('is claimed for one domain only as often as may be sent at once, by any number of workers', async () => {
    await inShare(7, 0, 1, 2)
    await inShare(8, 3)
    const claims = await Promise.all(
      [0, 1, 2, 3, 0, 1, 2, 3].map((index) => claimDelivery(sql, idAt(index), { perShare: 2 })),
    )
    expect(claims.filter((claimed) => claimed?.share === 7)).toHaveLength(2)
    expect(claims.filter((claimed) => claimed?.share === 8)).toHaveLength(1)
  })
})
