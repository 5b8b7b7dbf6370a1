import { Queue } from 'bullmq'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { asConnection, QUEUES, queuePrefix } from '../../events/log/queues.ts'
import { connectRedis, type RedisClient } from '../../events/log/redis.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { DELIVERED, json, openTestService, type TestService } from '../../events/testing/email-service.ts'
import { eventually } from '../../events/testing/node.ts'
import { type EmailJob, type EmailLanes, openEmailLanes } from './lanes.ts'
import { requeueEmail } from './requeue.ts'
import { startSender } from './sender.ts'
import { openTestForwarding, type TestForwarding } from './test-forwarding.ts'

const PREFIX = '{test}:'

let service: TestService
let mail: TestForwarding
let redis: RedisClient
let lanes: EmailLanes
let queue: Queue<EmailJob>
let sender: ReturnType<typeof startSender>

beforeEach(async () => {
  service = await openTestService()
  mail = await openTestForwarding(service)
  redis = connectRedis(await testRedisUrl(), { maxRetriesPerRequest: null })
  const { config } = mail.forwarding
  config.emailLanes = { service: { perMinute: 6_000, concurrency: 1 }, smtp: { perMinute: 6_000, concurrency: 3 } }
  lanes = openEmailLanes(config, redis, { prefix: PREFIX, onError: () => {} })
  mail.queue = lanes
  queue = new Queue(QUEUES.emailService, { connection: asConnection(redis), prefix: queuePrefix(PREFIX) })
  sender = startSender(mail.forwarding, lanes, redis, PREFIX)
})

afterEach(async () => {
  await sender.close()
  await Promise.all([lanes.close(), queue.close()])
  redis.disconnect()
  await mail.close()
  await service.close()
})

const jobs = async () => {
  const keys = await redis.keys(`${PREFIX}*:fwd-*`)
  return (await Promise.all(keys.map((key) => redis.hgetall(key).catch(() => ({}))))).map((job) => JSON.stringify(job))
}
const isInState = (id: string, state: string, attempts: number) =>
  eventually(async () => expect(await mail.rowOf(id)).toMatchObject({ state, attempts }))
const jobOf = (id: string) => queue.getJob(`fwd-${id}`)

test('Redis is told that an attempt failed, and nothing of what the error quotes', async () => {
  await mail.sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise '% cannot be stored', new.last_answer; end $$;
    create trigger die before update on deliveries for each row when (new.last_answer is not null) execute function die()`)
  service.reply((response) => response.end('Ana Botha has written'))
  await mail.submitContract()
  await eventually(async () => expect((await jobs()).join()).toContain('failedReason'))
  expect((await jobs()).join()).not.toContain('Ana')
})

test('what failed for good stays on the queue board, and goes out when staff ask for it', async () => {
  service.reply(json({ success: 'false', message: 'Invalid' }))
  const id = await mail.submitContract()
  await isInState(id, 'rejected', 3)
  await eventually(async () => expect(await (await jobOf(id))?.isFailed()).toBe(true))
  expect((await jobOf(id))?.failedReason).toBe('rejected: it waits for staff')
  service.reply(DELIVERED)
  await mail.askAgain(id)
  await isInState(id, 'delivered', 4)
})

test('a failed job that is run again past the log sends nothing', async () => {
  service.reply(json({ success: 'false', message: 'Invalid' }))
  const id = await mail.submitContract()
  await isInState(id, 'rejected', 3)
  await eventually(async () => expect(await (await jobOf(id))?.isFailed()).toBe(true))
  service.reply(DELIVERED)
  await (await jobOf(id))?.retry('failed')
  await eventually(async () => expect(await jobOf(id)).toBeUndefined())
  expect(service.submissions).toHaveLength(3)
})

test('a job that is promoted by hand sends nothing before its email is due', async () => {
  service.reply(json({ success: 'false' }, 429, { 'retry-after': '3600' }))
  const id = await mail.submitContract()
  await isInState(id, 'retrying', 1)
  await eventually(async () => expect(await (await jobOf(id))?.isDelayed()).toBe(true))
  const before = (await jobOf(id))?.processedOn
  await (await jobOf(id))?.promote()
  await eventually(async () => expect((await jobOf(id))?.processedOn).not.toBe(before))
  await eventually(async () => expect(await (await jobOf(id))?.isDelayed()).toBe(true))
  expect((await jobOf(id))?.delay).toBeGreaterThan(3_500_000)
  expect(service.submissions).toHaveLength(1)
})

test('a job that is removed by hand comes back from the deliveries', async () => {
  await queue.pause()
  const id = await mail.submitContract()
  await (await jobOf(id))?.remove()
  await queue.resume()
  expect(await jobOf(id)).toBeUndefined()
  await requeueEmail(mail.forwarding, lanes)
  await isInState(id, 'delivered', 1)
  expect(service.submissions).toHaveLength(1)
})
