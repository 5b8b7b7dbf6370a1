import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatActivityStreams, chatTranscriptRequested } from '../../events/chat/activity.ts'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { eventually } from '../../events/testing/node.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { dispatch } from './dispatch.ts'
import { requeueEmail } from './email-sweeps.ts'
import { startSender } from './lane-workers.ts'
import { type EmailLanes, openEmailLanes } from './lanes.ts'

// A service is the only way out, for the agency's email and for visitors'.

const PREFIX = '{test}:'
const CONTRACTS = 12
/** At this rate four emails take two minutes: a turn each. */
const PER_MINUTE = 2

let service: TestService
let mail: TestDelivering
let redis: RedisClient
let lanes: EmailLanes

beforeEach(async () => {
  service = await openTestService()
  mail = await openTestDelivering(service)
  redis = connectRedis(await testRedisUrl(), { maxRetriesPerRequest: null })
  await useRate(PER_MINUTE)
})

afterEach(async () => {
  await lanes.close()
  redis.disconnect()
  await mail.close()
  await service.close()
})

const useRate = async (perMinute: number) => {
  await lanes?.close()
  const { config } = mail.delivering
  const limits = { perMinute, concurrency: 1 }
  Object.assign(config, { emailLanes: { service: limits, smtp: limits } })
  lanes = openEmailLanes(mail.delivering, redis, { prefix: PREFIX, onError: () => {} })
  mail.queue = lanes
}
const askTranscript = async (domain: string) => {
  const [id, sessionId] = [randomUUID(), randomUUID()]
  const personal = { to: `visitor@${domain}` }
  const event = chatTranscriptRequested({ upTo: 0, by: randomUUID() }, { subjectId: sessionId, personal })
  const events = [{ id, ...event }]
  await mail.log.append({ stream: chatActivityStreams.of(sessionId), expectedVersion: 0, events })
  while (await dispatch(mail.sql, lanes));
  return id
}
const burst = async () => {
  for (let count = 0; count < CONTRACTS; count += 1) await mail.submitContract()
}
/** Lets time pass for all that waits, and for the turns that were given. */
const pass = (seconds: number) => mail.sql`
  update deliveries set due_at = due_at - ${seconds} * interval '1 second', turn_at = turn_at - ${seconds} * interval '1 second'`
/** The ids that go before all that has a priority, the next one first. */
const first = async () => (await redis.lrange(`${PREFIX}email-service:wait`, 0, -1)).reverse()
const requeue = () => requeueEmail(mail.delivering, lanes)

test('emails that wait during a burst of contracts get one send in four, and no more', async () => {
  await burst()
  const transcripts = [await askTranscript('one.example'), await askTranscript('two.example')]
  await requeue()
  expect(await first()).toEqual([])
  await pass(31)
  await requeue()
  expect(await first()).toEqual(transcripts.slice(0, 1))
  await pass(60)
  await requeue()
  expect(await first()).toEqual(transcripts.slice(0, 1))
  await pass(61)
  await requeue()
  expect(await first()).toEqual(transcripts)
})

test('a burst of transcripts to one domain leaves others their turn', async () => {
  await burst()
  const many: string[] = []
  for (let count = 0; count < 3; count += 1) many.push(await askTranscript('burst.example'))
  const other = await askTranscript('other.example')
  await pass(31)
  await requeue()
  await pass(121)
  await requeue()
  expect(await first()).toEqual([many[0], other])
})

test('a transcript is sent before a burst of contracts has ended, and the lost queue keeps its turn', async () => {
  await useRate(600)
  await burst()
  await askTranscript('one.example')
  await pass(31)
  await requeue()
  await redis.flushdb()
  await requeue()
  const sender = startSender(mail.delivering, lanes, redis, PREFIX)
  await eventually(() => expect(service.submissions).toHaveLength(CONTRACTS + 1), 60_000)
  const subjects = service.submissions.map(({ fields }) => Object.fromEntries(fields)._subject)
  expect(subjects.indexOf('Your chat with Karoo Web Studio')).toBeLessThan(3)
  await sender.close()
})
