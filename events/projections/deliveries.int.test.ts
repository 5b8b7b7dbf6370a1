import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DeliveryState, emailForwarded } from '../email.ts'
import { newLead } from '../fixtures/samples.ts'
import { createTestDatabase } from '../local/test-database.ts'
import { TEST_KEYS } from '../local/test-keys.ts'
import { openAppender } from '../log/append.ts'
import { connect, type Sql } from '../log/connection.ts'
import { readLog } from '../log/read.ts'
import {
  activationIsDone,
  activationPause,
  claimDelivery,
  dueDeliveries,
  type LoggedOutcome,
  listOutbox,
  noteDeliveries,
  outcomeIsLogged,
  postponeDelivery,
  recordAttempt,
  resendDelivery,
  unloggedOutcomes,
} from './deliveries.ts'

const CLAIM_SECONDS = 60
const HOUR_MS = 3_600_000

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
  await noteDeliveries(sql, asked)
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
    askedAt,
  }))
const idAt = (index: number) => ids[index] ?? ''
/** Lets time pass for one delivery. */
const age = (eventId: string, seconds: number) => sql`
  update deliveries set claimed_until = claimed_until - ${seconds} * interval '1 second',
    updated_at = updated_at - ${seconds} * interval '1 second', due_at = due_at - ${seconds} * interval '1 second'
  where event_id = ${eventId}`

/** What the log would be told. */
const outcomeOf = (forwardId: string): LoggedOutcome => ({
  id: randomUUID(),
  ...emailForwarded({ forwardId, to: 'service', attempt: 1 }),
})

/** Claims a delivery and records how the attempt ended. */
const attempt = async (
  eventId: string,
  state: DeliveryState,
  retryAfterMs?: number,
  outcome: LoggedOutcome | null = null,
) => {
  const claim = await claimDelivery(sql, eventId)
  if (!claim) throw new Error(`${eventId} cannot be claimed`)
  return await recordAttempt(sql, claim, { state, kind: state, answer: 'answer', retryAfterMs, outcome })
}

test('deliveries are due in the order of the log, and noting them again changes nothing', async () => {
  expect(await dueDeliveries(sql)).toEqual(ids)
  await attempt(idAt(0), 'delivered')
  await noteDeliveries(sql, await askedFor())
  await noteDeliveries(sql, [])
  expect(await dueDeliveries(sql)).toEqual(ids.slice(1))
})

test('of many workers that claim a delivery at once one gets it', async () => {
  const claims = await Promise.all(Array.from({ length: 20 }, () => claimDelivery(sql, idAt(1))))
  const [event] = await readLog(sql, 1, 1)
  expect(claims.filter((claim) => claim !== undefined)).toEqual([
    {
      eventId: idAt(1),
      stream: event?.stream,
      attempt: 1,
      attemptSinceAsked: 1,
      isAskedAgain: false,
      resendPosition: 0,
    },
  ])
  expect(await dueDeliveries(sql)).toEqual([idAt(0), idAt(2), idAt(3)])
})

test('a claim runs out, and the next is the second attempt', async () => {
  await claimDelivery(sql, idAt(0))
  await age(idAt(0), CLAIM_SECONDS - 5)
  expect(await claimDelivery(sql, idAt(0))).toBeUndefined()
  expect(await dueDeliveries(sql)).not.toContain(idAt(0))
  await age(idAt(0), 10)
  expect(await dueDeliveries(sql)).toContain(idAt(0))
  expect(await claimDelivery(sql, idAt(0))).toMatchObject({ attempt: 2, attemptSinceAsked: 2 })
  expect(await claimDelivery(sql, idAt(0))).toBeUndefined()
})

test('nothing that is unknown can be claimed', async () => {
  expect(await claimDelivery(sql, randomUUID())).toBeUndefined()
})

test.each<DeliveryState>(['delivered', 'outbox', 'rejected'])('a delivery that is %s is done', async (state) => {
  await attempt(idAt(0), state)
  expect(await claimDelivery(sql, idAt(0))).toBeUndefined()
  expect(await dueDeliveries(sql)).not.toContain(idAt(0))
})

test.each<DeliveryState>(['retrying', 'needs_activation', 'blocked'])(
  'a delivery that is %s is due again when its time comes',
  async (state) => {
    await attempt(idAt(0), state, HOUR_MS)
    expect(await dueDeliveries(sql)).not.toContain(idAt(0))
    await age(idAt(0), HOUR_MS / 1_000 + 1)
    expect(await dueDeliveries(sql)).toContain(idAt(0))
    expect(await claimDelivery(sql, idAt(0))).toMatchObject({ attempt: 2 })
  },
)

test('an outcome that is not in the log is found once its worker has had its time', async () => {
  const outcome = outcomeOf(idAt(2))
  await attempt(idAt(2), 'delivered', undefined, outcome)
  await attempt(idAt(3), 'delivered')
  expect(await unloggedOutcomes(sql)).toEqual([])
  await age(idAt(2), CLAIM_SECONDS + 1)
  await age(idAt(3), CLAIM_SECONDS + 1)
  const [event] = await readLog(sql, 2, 1)
  expect(await unloggedOutcomes(sql)).toEqual([{ eventId: idAt(2), stream: event?.stream, outcome }])
  await outcomeIsLogged(sql, idAt(2), { id: randomUUID() })
  expect(await unloggedOutcomes(sql)).toHaveLength(1)
  await outcomeIsLogged(sql, idAt(2), outcome)
  expect(await unloggedOutcomes(sql)).toEqual([])
})

test('what waits for the address to be confirmed is due as soon as it is', async () => {
  expect(await activationPause(sql)).toBeUndefined()
  await attempt(idAt(0), 'needs_activation', HOUR_MS)
  await attempt(idAt(1), 'retrying', HOUR_MS)
  const until = await activationPause(sql)
  expect(until?.getTime()).toBeGreaterThan(Date.now() + HOUR_MS / 2)
  const claim = await claimDelivery(sql, idAt(2))
  if (!claim || !until) throw new Error('nothing to postpone')
  await postponeDelivery(sql, claim, until)
  expect(await dueDeliveries(sql)).toEqual([idAt(3)])
  expect(await activationPause(sql)).toEqual(until)
  await activationIsDone(sql)
  expect(await activationPause(sql)).toBeUndefined()
  expect(await dueDeliveries(sql)).toEqual([idAt(0), idAt(2), idAt(3)])
  expect(await claimDelivery(sql, idAt(2))).toMatchObject({ attempt: 1 })
})

test('what was asked for again before it could be postponed is due at once', async () => {
  const claim = await claimDelivery(sql, idAt(0))
  if (!claim) throw new Error('nothing was claimed')
  await resendDelivery(sql, { eventId: idAt(0), position: 9, askedAt: new Date() })
  await postponeDelivery(sql, claim, new Date(Date.now() + HOUR_MS))
  expect(await dueDeliveries(sql)).toContain(idAt(0))
  expect(await claimDelivery(sql, idAt(0))).toMatchObject({ attempt: 1, isAskedAgain: true })
})

test('a worker whose claim has run out does not overwrite the next attempt', async () => {
  const late = await claimDelivery(sql, idAt(0))
  await age(idAt(0), CLAIM_SECONDS + 1)
  await attempt(idAt(0), 'delivered')
  if (!late) throw new Error('nothing was claimed')
  const result = { state: 'retrying' as const, kind: 'busy', answer: 'late', retryAfterMs: 0, outcome: null }
  expect(await recordAttempt(sql, late, result)).toEqual({ isRecorded: false, isNews: false })
  expect(await dueDeliveries(sql)).not.toContain(idAt(0))
})

test('the outbox is listed newest first', async () => {
  for (const index of [2, 0]) {
    await attempt(idAt(index), 'outbox')
  }
  const rows = await listOutbox(sql, 10)
  expect(rows.map(({ eventId }) => eventId)).toEqual([idAt(2), idAt(0)])
  expect(rows[0]).toEqual({ eventId: idAt(2), stream: expect.stringMatching(/^lead-/), keptAt: expect.any(Date) })
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

test('every try is kept with its answer, one that was cut off without, and a postponed one not at all', async () => {
  await claimDelivery(sql, idAt(0))
  await age(idAt(0), CLAIM_SECONDS + 1)
  await attempt(idAt(0), 'retrying', 0)
  const claim = await claimDelivery(sql, idAt(0))
  if (!claim) throw new Error('nothing was claimed')
  await postponeDelivery(sql, claim, new Date())
  await attempt(idAt(0), 'delivered')
  expect(await triesOf(idAt(0))).toEqual([
    { attempt: 1, kind: null, answer: null },
    { attempt: 2, kind: 'retrying', answer: 'answer' },
    { attempt: 3, kind: 'delivered', answer: 'answer' },
  ])
})

test('of very many tries the newest are kept', async () => {
  for (let count = 1; count <= 53; count += 1) await attempt(idAt(0), 'retrying', 0)
  const tries = await triesOf(idAt(0))
  expect([tries.length, tries[0]?.attempt, tries.at(-1)?.attempt]).toEqual([50, 4, 53])
})

test.each<DeliveryState>(['delivered', 'outbox', 'rejected', 'blocked', 'needs_activation', 'retrying'])(
  'a delivery that is %s can be asked for again, once for each event, and is due at once',
  async (state) => {
    await attempt(idAt(0), state, HOUR_MS)
    const resend = { eventId: idAt(0), position: 10, askedAt: new Date() }
    await resendDelivery(sql, resend)
    expect(await rowOf(idAt(0))).toMatchObject({ state: 'pending', attempts: 1, attempts_before: 1, due: true })
    expect(await dueDeliveries(sql)).toContain(idAt(0))
    expect(await claimDelivery(sql, idAt(0))).toMatchObject({
      attempt: 2,
      attemptSinceAsked: 1,
      isAskedAgain: true,
      resendPosition: 10,
    })
    await age(idAt(0), CLAIM_SECONDS + 1)
    await attempt(idAt(0), 'delivered')
    await resendDelivery(sql, resend)
    await resendDelivery(sql, { ...resend, position: 9 })
    expect(await rowOf(idAt(0))).toMatchObject({ state: 'delivered', attempts: 3 })
  },
)

test('asking again does not disturb an attempt under way, which counts as the first since', async () => {
  await attempt(idAt(0), 'blocked', HOUR_MS)
  const underWay = await claimDelivery(sql, idAt(0))
  if (!underWay) throw new Error('nothing was claimed')
  await resendDelivery(sql, { eventId: idAt(0), position: 10, askedAt: new Date() })
  expect(await rowOf(idAt(0))).toMatchObject({ state: 'pending', attempts: 2, attempts_before: 1, claimed: true })
  expect(await claimDelivery(sql, idAt(0))).toBeUndefined()
  expect(await dueDeliveries(sql)).not.toContain(idAt(0))
  const outcome = outcomeOf(idAt(0))
  const result = { state: 'blocked' as const, kind: 'blocked', answer: '403', retryAfterMs: HOUR_MS, outcome }
  expect(await recordAttempt(sql, underWay, result)).toEqual({ isRecorded: true, isNews: true })
  expect(await rowOf(idAt(0))).toMatchObject({ state: 'blocked', attempts: 2 })
})

test('only what changes where a delivery stands is news', async () => {
  expect(await attempt(idAt(0), 'retrying', 0, outcomeOf(idAt(0)))).toEqual({ isRecorded: true, isNews: true })
  const [{ outcome } = {}] = await sql`select outcome from deliveries where event_id = ${idAt(0)}`
  expect(await attempt(idAt(0), 'retrying', 0, outcomeOf(idAt(0)))).toEqual({ isRecorded: true, isNews: false })
  expect(await sql`select outcome from deliveries where event_id = ${idAt(0)}`).toEqual([{ outcome }])
})

test('of many who ask for the same again at once each is heard, and it is due once', async () => {
  await attempt(idAt(0), 'rejected')
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      resendDelivery(sql, { eventId: idAt(0), position: 10 + index, askedAt: new Date() }),
    ),
  )
  expect(await rowOf(idAt(0))).toMatchObject({ state: 'pending', attempts: 1 })
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimDelivery(sql, idAt(0))))
  expect(claims.filter(Boolean)).toHaveLength(1)
})
