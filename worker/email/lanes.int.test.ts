import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chatActivityStreams, chatTranscriptRequested } from '../../events/chat/activity.ts'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import { testRedisUrl } from '../../events/testing/database.ts'
import { openTestService, type TestService } from '../../events/testing/email-service.ts'
import { eventually } from '../../events/testing/node.ts'
import { openTestSmtp, type TestSmtp } from '../../events/testing/smtp.ts'
import { openTestDelivering, type TestDelivering } from '../testing/delivering.ts'
import { dispatch } from './dispatch.ts'
import { requeueEmail } from './email-sweeps.ts'
import { startSender } from './lane-workers.ts'
import { type EmailLanes, openEmailLanes } from './lanes.ts'

// Two workers, a service for the agency and an SMTP server for visitors.

const PREFIX = '{test}:'
const LIMITS = { perMinute: 6_000, concurrency: 3 }
const HANGING = 'hanging.example'

let service: TestService
let smtp: TestSmtp
let mail: TestDelivering
let redis: RedisClient
let lanes: EmailLanes
let senders: ReturnType<typeof startSender>[]
let hanging: number

const start = () => [1, 2].map(() => startSender(mail.delivering, lanes, redis, PREFIX))

beforeEach(async () => {
  hanging = 0
  service = await openTestService()
  smtp = await openTestSmtp()
  smtp.answer({
    recipient: (address) => {
      if (!address.endsWith(HANGING)) return undefined
      hanging += 1
      return 'nothing'
    },
  })
  mail = await openTestDelivering(service)
  redis = connectRedis(await testRedisUrl(), { maxRetriesPerRequest: null })
  const { config } = mail.delivering
  Object.assign(config, { smtpUrl: smtp.url, emailLanes: { service: LIMITS, smtp: LIMITS } })
  lanes = openEmailLanes(mail.delivering, redis, { prefix: PREFIX, onError: () => {} })
  mail.queue = lanes
  senders = []
})

afterEach(async () => {
  await Promise.all([smtp.close(), ...senders.map((sender) => sender.close())])
  await lanes.close()
  redis.disconnect()
  await mail.close()
  await service.close()
})

const askTranscripts = async (addresses: string[]) => {
  for (const to of addresses) {
    const sessionId = randomUUID()
    const event = chatTranscriptRequested({ upTo: 0, by: randomUUID() }, { subjectId: sessionId, personal: { to } })
    const events = [{ id: randomUUID(), ...event }]
    await mail.log.append({ stream: chatActivityStreams.of(sessionId), expectedVersion: 0, events })
  }
  while (await dispatch(mail.sql, lanes));
}
const visitorsOf = (domain: string, count: number) =>
  Array.from({ length: count }, (_, index) => `visitor-${index}@${domain}`)
const takenFrom = (domain: string) => smtp.taken.filter(({ to }) => to[0]?.endsWith(domain))

test('a domain that hangs takes one of a lane’s three places, and delays neither other visitors nor contracts', async () => {
  senders = start()
  await askTranscripts(visitorsOf(HANGING, 20))
  await eventually(() => expect(hanging).toBe(1))
  const begun = performance.now()
  await askTranscripts(visitorsOf('well.example', 5))
  await mail.submitContract()
  await eventually(() => expect(takenFrom('well.example')).toHaveLength(5))
  await eventually(() => expect(service.submissions).toHaveLength(1))
  expect(performance.now() - begun).toBeLessThan(10_000) // less than one hanging takes to end
  expect(hanging).toBe(1)
})

test('of a burst to one domain one email waits in the queue at a time, and each goes out', async () => {
  await askTranscripts(visitorsOf('burst.example', 12))
  expect(await redis.keys(`${PREFIX}email-smtp:*-*-*-*-*`)).toHaveLength(1)
  senders = start()
  await eventually(() => expect(takenFrom('burst.example')).toHaveLength(12))
})

test('Redis that is emptied while emails are sent and wait loses none, and doubles none', async () => {
  const answers: (() => void)[] = []
  service.reply((response) => {
    answers.push(() => response.end(JSON.stringify({ success: 'true' })))
  })
  senders = start()
  const ids: string[] = []
  for (let count = 0; count < 6; count += 1) ids.push(await mail.submitContract())
  await askTranscripts(visitorsOf('well.example', 3))
  await eventually(() => expect(service.submissions).toHaveLength(LIMITS.concurrency))
  await redis.flushdb()
  for (const answer of answers.splice(0)) answer()
  service.reply((response) => response.end(JSON.stringify({ success: 'true' })))
  await eventually(async () => {
    await requeueEmail(mail.delivering, lanes)
    const states = await mail.sql<{ state: string }[]>`select state from deliveries`
    expect(states.map(({ state }) => state)).toEqual(Array(9).fill('delivered'))
  })
  expect(service.submissions).toHaveLength(6)
  expect(takenFrom('well.example')).toHaveLength(3)
})

test('jobs hold ids, and neither addresses nor domains', async () => {
  await askTranscripts(['thandi@private.example'])
  const keys = await redis.keys('*')
  const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)))
  expect(keys.some((key) => /email-smtp:.{36}$/.test(key))).toBe(true)
  expect([...keys, ...dumps.map(String)].join('\n')).not.toMatch(/thandi|private/)
  const rows = await mail.sql`select * from deliveries`
  expect(JSON.stringify(rows)).not.toMatch(/thandi|private/)
})
