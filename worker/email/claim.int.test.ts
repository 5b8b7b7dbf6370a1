import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DISPATCH } from '../../events/consumers/acting-consumers.ts'
import { KeyError } from '../../events/keys/key-ring.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import type { Appender } from '../../events/log/append.ts'
import { readHead } from '../../events/log/read.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { logLeftOutcomes, requeueEmail } from './email-sweeps.ts'
import type { EmailLanes } from './lanes.ts'

let service: TestService
let mail: TestDelivering

beforeAll(async () => {
  service = await openTestService()
})

beforeEach(async () => {
  mail = await openTestDelivering(service)
  return () => mail.close()
})

afterAll(() => service.close())

describe('two workers', () => {
  test('send once', async () => {
    const id = await mail.submitContract()
    await Promise.all(Array.from({ length: 8 }, () => mail.attempt(id)))
    expect(service.submissions).toHaveLength(1)
    expect(await mail.outcomesOf(id)).toHaveLength(1)
  })

  test('dispatch every event once, even at the same time', async () => {
    for (let count = 0; count < 5; count += 1) await mail.submitContract()
    await mail.sql`delete from checkpoint_positions where consumer = 'dispatch'`
    await Promise.all(Array.from({ length: 6 }, () => dispatch(mail.sql, mail.queue)))
    const { position } = await readHead(mail.sql)
    const [checkpoint] = await mail.sql`select position from checkpoint_position('dispatch', ${DISPATCH.version})`
    const [rows] = await mail.sql`select count(*) as count from deliveries`
    expect([checkpoint?.position, rows?.count]).toEqual([position, 5])
  })
})

describe('a worker that dies', () => {
  test('between queueing and advancing leaves nothing that is sent twice', async () => {
    const id = await mail.submitContract()
    await mail.attempt(id)
    await mail.sql`delete from checkpoint_positions where consumer = 'dispatch'`
    await dispatch(mail.sql, mail.queue)
    expect(mail.queued).toEqual([id])
    await mail.attempt(id)
    expect(service.submissions).toHaveLength(1)
    expect(await mail.rowOf(id)).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  test('between noting and queueing leaves the queueing to the next', async () => {
    const failing: EmailLanes = { ...mail.queue, add: () => Promise.reject(new Error('Redis is away')) }
    const working = mail.queue
    mail.queue = failing
    await expect(mail.submitContract()).rejects.toThrow('Redis is away')
    expect(mail.queued).toEqual([])
    await dispatch(mail.sql, working)
    expect(mail.queued).toHaveLength(1)
    const [rows] = await mail.sql`select count(*) as count from deliveries`
    expect(rows?.count).toBe(1)
  })

  test('in the middle of sending has its delivery sent again once its claim expires', async () => {
    const id = await mail.submitContract()
    await mail.sql`update deliveries set claimed_until = now() + interval '1 minute', attempts = 1 where event_id = ${id}`
    await mail.attempt(id)
    expect(service.submissions).toEqual([])
    expect(await mail.due()).toEqual([])
    await mail.setBack(id)
    expect(await mail.due()).toEqual([id])
    await mail.attempt(id)
    expect(service.submissions).toHaveLength(1)
  })

  test('between recording and appending has the outcome appended by the next, once', async () => {
    const dying: Appender = { ...mail.log, append: () => Promise.reject(new Error('killed')) }
    const id = await mail.submitContract()
    await expect(deliver({ ...mail.delivering, log: dying }, id)).rejects.toThrow('killed')
    expect(await mail.outcomesOf(id)).toEqual([])
    await mail.setBack(id)
    await logLeftOutcomes(mail.delivering)
    await logLeftOutcomes(mail.delivering)
    expect(await mail.outcomesOf(id)).toEqual([{ type: 'EmailSent', emailId: id, to: 'service', attempt: 1 }])
    expect((await mail.viewOf(id))?.emailStatus).toBe('delivered')
    expect(service.submissions).toHaveLength(1)
  })
})

test('an email whose key is unavailable is put back, unsent and uncounted, and goes out once it is available', async () => {
  const id = await mail.submitContract()
  const change = () => mail.sql`update subject_keys set wrapped = set_byte(wrapped, 20, 255 - get_byte(wrapped, 20))`
  await change()
  await expect(mail.attempt(id)).rejects.toThrow(KeyError)
  expect(await mail.rowOf(id)).toMatchObject({ state: 'pending', attempts: 0, claimed_until: null })
  expect(await mail.due()).toEqual([])
  expect(service.submissions).toHaveLength(0)
  await change()
  await mail.attempt(id)
  expect(service.submissions).toHaveLength(0)
  await mail.setBack(id)
  await mail.attempt(id)
  expect(await mail.rowOf(id)).toMatchObject({ state: 'delivered', attempts: 1 })
})

test('an email that comes before the first worker has filled the views waits for them, unsent and uncounted', async () => {
  const id = await mail.submitContract()
  const schema = schemaOf(leadsProjection)
  const rename = (from: string, to: string) => mail.sql`alter schema ${mail.sql(from)} rename to ${mail.sql(to)}`
  await rename(schema, 'not_there_yet')
  try {
    expect(await mail.attempt(id)).toBeLessThanOrEqual(5_000)
  } finally {
    await rename('not_there_yet', schema)
  }
  expect(await mail.rowOf(id)).toMatchObject({ state: 'pending', attempts: 0, claimed_until: null })
  expect(service.submissions).toHaveLength(0)
  await mail.setBack(id)
  await mail.attempt(id)
  expect(await mail.rowOf(id)).toMatchObject({ state: 'delivered', attempts: 1 })
})

test('an outcome that cannot be appended delays no other, and no email', async () => {
  const dying: Appender = { ...mail.log, append: () => Promise.reject(new Error('killed')) }
  const ids = [await mail.submitContract(), await mail.submitContract()]
  const [first = '', second = ''] = ids
  for (const id of ids) {
    await expect(deliver({ ...mail.delivering, log: dying }, id)).rejects.toThrow('killed')
    await mail.setBack(id)
  }
  const refusing: Appender = {
    ...mail.log,
    append: (request) =>
      request.stream.endsWith(first) ? Promise.reject(new Error('refused')) : mail.log.append(request),
  }
  const waiting = await mail.submitContract()
  mail.queued.length = 0
  await requeueEmail({ ...mail.delivering, log: refusing }, mail.queue)
  expect(mail.queued).toEqual([waiting])
  expect(await mail.outcomesOf(first)).toEqual([])
  expect(await mail.outcomesOf(second)).toMatchObject([{ type: 'EmailSent' }])
  await mail.setBack(first)
  await requeueEmail(mail.delivering, mail.queue)
  expect(await mail.outcomesOf(first)).toMatchObject([{ type: 'EmailSent' }])
})

test('an email whose workers die each time while they send it is sent three times at most', async () => {
  const id = await mail.submitContract()
  const dying: Appender = { ...mail.log, append: () => Promise.reject(new Error('killed')) }
  for (let count = 0; count < 3; count += 1) {
    await mail.sql`
      update deliveries set attempts = attempts + 1, claimed_until = now() - interval '1 second',
        uncertain_tries = uncertain_tries + ${count === 0 ? 0 : 1} where event_id = ${id}`
  }
  await expect(deliver({ ...mail.delivering, log: dying }, id)).rejects.toThrow('killed')
  expect(service.submissions).toEqual([])
  expect(await mail.rowOf(id)).toMatchObject({ state: 'uncertain' })
})
