import { Queue } from 'bullmq'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asConnection, QUEUES, queuePrefix } from '../../events/stores/redis/queues.ts'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { DELIVERED, json, openTestService, type TestService } from '../../events/testing/email-service.ts'
import { eventually } from '../../events/testing/node.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { requeueEmail } from './email-sweeps.ts'
import { startSender } from './lane-workers.ts'
import { type EmailLanes, openEmailLanes } from './lanes.ts'

const PREFIX = '{test}:'

let service: TestService
let mail: TestDelivering
let redis: RedisClient
let lanes: EmailLanes
let queue: Queue
let sender: ReturnType<typeof startSender>

beforeEach(async () => {
  service = await openTestService()
  mail = await openTestDelivering(service)
  redis = connectRedis(await testRedisUrl(), { maxRetriesPerRequest: null })
  const { config } = mail.delivering
  config.emailLanes = { service: { perMinute: 6_000, concurrency: 1 }, smtp: { perMinute: 6_000, concurrency: 3 } }
  lanes = openEmailLanes(mail.delivering, redis, { prefix: PREFIX, onError: () => {} })
  mail.queue = lanes
  queue = new Queue(QUEUES.emailService, { connection: asConnection(redis), prefix: queuePrefix(PREFIX) })
  sender = startSender(mail.delivering, lanes, redis, PREFIX)
})

afterEach(async () => {
  await sender.close()
  await Promise.all([lanes.close(), queue.close()])
  redis.disconnect()
  await mail.close()
  await service.close()
})

const isInState = (id: string, state: string, attempts: number) =>
  eventually(async () => expect(await mail.rowOf(id)).toMatchObject({ state, attempts }))
const jobOf = (id: string) => queue.getJob(id)

test('an attempt that breaks off leaves no job behind, and nothing that the error quotes', async () => {
  await mail.sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise '% cannot be stored', new.last_answer; end $$;
    create trigger die before update on deliveries for each row when (new.last_answer is not null) execute function die()`)
  service.reply((response) => response.end('Ana Botha has written'))
  const id = await mail.submitContract()
  const events = await eventually(async () => {
    const read = JSON.stringify(await redis.xrange(`${PREFIX}email-service:events`, '-', '+'))
    expect(read).toContain('sending failed')
    return read
  })
  expect(events).not.toContain('Ana')
  expect(await jobOf(id)).toBeUndefined()
})

test('an email that failed for good goes out when staff request it, and not when its job is added again', async () => {
  service.reply(json({ success: 'false', message: 'Invalid' }))
  const id = await mail.submitContract()
  await eventually(async () => {
    await requeueEmail(mail.delivering, lanes)
    expect(await mail.rowOf(id)).toMatchObject({ state: 'rejected', attempts: 3 })
  })
  service.reply(DELIVERED)
  await lanes.add([{ eventId: id, recipient: 'agency', priority: 1 }])
  await eventually(async () => expect(await jobOf(id)).toBeUndefined())
  expect(service.submissions).toHaveLength(3)
  await mail.askAgain(id)
  await isInState(id, 'delivered', 4)
})

test('a job that is added by hand sends nothing before its email is due', async () => {
  service.reply(json({ success: 'false' }, 429, { 'retry-after': '3600' }))
  const id = await mail.submitContract()
  await isInState(id, 'retrying', 1)
  await eventually(async () => expect(await jobOf(id)).toBeUndefined())
  await lanes.add([{ eventId: id, recipient: 'agency', priority: 1 }])
  await eventually(async () => expect(await jobOf(id)).toBeUndefined())
  expect((await mail.rowOf(id))?.pause).toBeGreaterThan(3_500)
  expect(service.submissions).toHaveLength(1)
})

test('a job that is removed by hand comes back from the deliveries', async () => {
  await queue.pause()
  const id = await mail.submitContract()
  await (await jobOf(id))?.remove()
  await queue.resume()
  expect(await jobOf(id)).toBeUndefined()
  await requeueEmail(mail.delivering, lanes)
  await isInState(id, 'delivered', 1)
  expect(service.submissions).toHaveLength(1)
})
