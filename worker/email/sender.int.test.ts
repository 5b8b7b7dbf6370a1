import { afterEach, beforeEach, expect, test } from 'vitest'
import { testRedisUrl } from '../../events/local/test-database.ts'
import { openTestService, type TestService } from '../../events/local/test-email-service.ts'
import { eventually } from '../../events/local/test-node.ts'
import { connectRedis, type RedisClient } from '../../events/log/redis.ts'
import { type EmailQueue, openEmailQueue } from '../queue.ts'
import { startSender } from './sender.ts'
import { openTestForwarding, type TestForwarding } from './test-forwarding.ts'

const PREFIX = '{test}:'

let service: TestService
let mail: TestForwarding
let redis: RedisClient
let queue: EmailQueue

beforeEach(async () => {
  service = await openTestService()
  mail = await openTestForwarding(service)
  redis = connectRedis(await testRedisUrl(), { maxRetriesPerRequest: null })
  queue = openEmailQueue(redis, { prefix: PREFIX, onError: () => {} })
})

afterEach(async () => {
  await queue.close()
  redis.disconnect()
  await mail.close()
  await service.close()
})

const jobs = async () => {
  const keys = await redis.keys(`${PREFIX}*:fwd-*`)
  return (await Promise.all(keys.map((key) => redis.hgetall(key).catch(() => ({}))))).map((job) => JSON.stringify(job))
}

test('Redis is told that an attempt failed, and nothing of what the error quotes', async () => {
  await mail.sql.unsafe(`
    create function die() returns trigger language plpgsql as $$ begin raise '% cannot be stored', new.last_answer; end $$;
    create trigger die before update on deliveries for each row when (new.last_answer is not null) execute function die()`)
  service.reply((response) => response.end('Ana Botha has written'))
  const sender = startSender(mail.forwarding, redis, PREFIX)
  try {
    await queue.add([await mail.submitContract()])
    await eventually(async () => expect((await jobs()).join()).toContain('failedReason'))
    expect((await jobs()).join()).not.toContain('Ana')
  } finally {
    await sender.close()
  }
})
