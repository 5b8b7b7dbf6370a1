import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DISPATCH } from '../../consumers/acting-consumers.ts'
import { prepareCheckpoint, resetCheckpoint } from '../../log/checkpoints.ts'
import { readHead, readLog } from '../../log/read.ts'
import { newLead } from '../../testing/fixtures/samples.ts'
import { openOwnLog } from '../../testing/own-log.ts'
import { type DeliveryState, emailResendRequested, type Recipient } from '../email.ts'
import type { EmailFilter } from '../wire.ts'
import { addDeliveries, claimDelivery, recordAttempt } from './deliveries.ts'
import { countEmails, findDelivery, listEmails, MAX_COUNTED } from './list.ts'

const { sql, log } = await openOwnLog({ connections: 1 })
let ids: string[]

beforeAll(async () => {
  for (let count = 0; count < 8; count++) await log.append(newLead(randomUUID()))
  const { epoch } = await readHead(sql)
  await prepareCheckpoint(sql, DISPATCH, { isFilled: true })

  await resetCheckpoint(sql, DISPATCH, { epoch, position: 8 })
})

beforeEach(async () => {
  await sql`truncate deliveries cascade`
  ids = (await readLog(sql, 0, 8)).map(({ id }) => id)
})

/** Makes the delivery of the lead at an index, tried once. */
const deliver = async (index: number, state: DeliveryState, recipient: Recipient = 'agency') => {
  const [event] = await readLog(sql, index, 1)
  if (!event) throw new Error(`There is no event ${index}`)
  const { id, position, stream, recordedAt: askedAt } = event
  await addDeliveries(sql, [{ id, position, stream, recipient, priority: 1, share: null, askedAt }])
  const claim = await claimDelivery(sql, id, { perShare: 1 })
  if (!claim) throw new Error('nothing was claimed')
  await recordAttempt(sql, claim, { state, kind: state, answer: `said ${state}`, retryAfterMs: 60_000, outcome: null })
  return id
}

const listed = async (filter?: EmailFilter) =>
  (await listEmails(sql, { filter, limit: 100 })).map(({ eventId }) => ids.indexOf(eventId))

test('every state is found by its name, newest first, and counted', async () => {
  const states: DeliveryState[] = [
    'pending',
    'retrying',
    'delivered',
    'needs_activation',
    'blocked',
    'rejected',
    'outbox',
    'partial',
  ]
  for (const [index, state] of states.entries()) await deliver(index, state)
  expect(await listed()).toEqual([7, 6, 5, 4, 3, 2, 1, 0])
  expect(await listed('waiting')).toEqual([1, 0])
  expect(await listed('stuck')).toEqual([7, 5, 4, 3])
  expect(await listed('partial')).toEqual([7])
  expect(await listed('outbox')).toEqual([6])
  expect(await countEmails(sql)).toEqual({
    waiting: 2,
    stuck: 4,
    delivered: 1,
    needs_activation: 1,
    blocked: 1,
    rejected: 1,
    expired: 0,
    uncertain: 0,
    partial: 1,
    outbox: 1,
  })
})

test('the outbox holds no data of erased people', async () => {
  const kept = await deliver(0, 'outbox')
  const erased = await deliver(7, 'outbox')
  await sql`update deliveries set is_erased = true where event_id = ${erased}`
  expect(await listed('outbox')).toEqual([ids.indexOf(kept)])
  expect(await countEmails(sql)).toMatchObject({ outbox: 1 })
})

test('an email that has waited for a quarter of an hour is stuck', async () => {
  const id = await deliver(0, 'retrying')
  await sql`update deliveries set asked_at = now() - interval '14 minutes'`
  expect(await listed('stuck')).toEqual([])
  await sql`update deliveries set asked_at = now() - interval '16 minutes'`
  expect(await listEmails(sql, { filter: 'stuck', limit: 1 })).toMatchObject([{ eventId: id, isStuck: true }])
  expect(await countEmails(sql)).toMatchObject({ stuck: 1, waiting: 1 })
})

test('neither a visitor’s dead address nor an erased person needs attention', async () => {
  await deliver(0, 'rejected', 'visitor')
  await deliver(2, 'expired', 'visitor')
  const id = await deliver(1, 'rejected')
  expect(await listed('stuck')).toEqual([1])
  await sql`update deliveries set is_erased = true where event_id = ${id}`
  expect(await listed('stuck')).toEqual([])
  expect(await countEmails(sql)).toMatchObject({ stuck: 0, rejected: 2 })
})

test('attempts come newest first, one without a result as under way and later as interrupted', async () => {
  const id = await deliver(0, 'retrying')
  await sql`update deliveries set due_at = now()`
  await claimDelivery(sql, id, { perShare: 1 })
  const kinds = async () => (await listEmails(sql, { limit: 1 }))[0]?.tries.map(({ kind }) => kind)
  expect(await kinds()).toEqual(['under_way', 'retrying'])
  await sql`update deliveries set claimed_until = now() - interval '1 second'`
  expect(await kinds()).toEqual(['cut_off', 'retrying'])
  const [row] = await listEmails(sql, { limit: 1 })
  expect(row?.tries[1]).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    kind: 'retrying',
    answer: 'said retrying',
  })
})

test('pages follow one another without a gap', async () => {
  for (let index = 0; index < 5; index += 1) await deliver(index, 'delivered')
  const first = await listEmails(sql, { limit: 3 })
  const second = await listEmails(sql, { limit: 3, before: first[2]?.position })
  expect([...first, ...second].map(({ eventId }) => ids.indexOf(eventId))).toEqual([4, 3, 2, 1, 0])
})

test('an email requested again waits, even before the dispatcher has read the request', async () => {
  const id = await deliver(0, 'rejected')
  const { stream = '' } = (await findDelivery(sql, id)) ?? {}
  const event = emailResendRequested({ emailId: id, by: randomUUID() })
  await log.append({ stream, expectedVersion: 'any', events: [{ id: randomUUID(), ...event }] })
  expect(await listEmails(sql, { limit: 1 })).toMatchObject([{ eventId: id, state: 'pending', isStuck: false }])
  expect(await findDelivery(sql, randomUUID())).toBeUndefined()
})

test('emails that need attention are found and counted without reading all sent ones', async () => {
  await sql`
    insert into events (position, id, stream, version, type, schema_version, data, metadata, recorded_at, hash)
    select i, gen_random_uuid(), 'lead-' || gen_random_uuid(), 1, 'LeadSubmitted', 1, '{}', '{}', now(), ''
    from generate_series(1001, 31000) i`
  await sql`
    insert into deliveries (event_id, event_position, stream, state)
    select id, position, stream, 'delivered' from events where position > 1000`
  const stuck = await deliver(0, 'blocked')
  await sql`vacuum analyze deliveries`
  await sql`analyze events`
  const rowsRead = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql<[{ read: number }]>`
      select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::bigint as read
      from pg_stat_user_tables t where relname = 'deliveries'`
    return row.read
  }
  const before = await rowsRead()
  expect((await listEmails(sql, { filter: 'stuck', limit: 25 })).map(({ eventId }) => eventId)).toEqual([stuck])
  expect(await rowsRead()).toBeLessThan(before + 100)
  expect(await countEmails(sql)).toMatchObject({ stuck: 1, blocked: 1, rejected: 0, delivered: MAX_COUNTED })
  expect(await rowsRead()).toBeLessThan(before + 2 * MAX_COUNTED)
})
