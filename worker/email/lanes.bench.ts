import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DISPATCH } from '../../events/consumers/acting-consumers.ts'
import { activationStreams, emailActivationRequested } from '../../events/email/email.ts'
import { leadStreams, submitLead } from '../../events/lead/lead.ts'
import { figureOf, printTable, quantile } from '../../events/local/figures.ts'
import { startNodeProcess } from '../../events/local/node-process.ts'
import { openAppender } from '../../events/log/append.ts'
import { prepareActingConsumer } from '../../events/log/checkpoints.ts'
import { migrate } from '../../events/log/migrate.ts'
import { readHead } from '../../events/log/read.ts'
import { DEFAULT_SETTINGS } from '../../events/settings/settings.ts'
import { connect } from '../../events/stores/connection.ts'
import { redisPrefix } from '../../events/stores/redis/prefix.ts'
import { connectRedis } from '../../events/stores/redis/redis.ts'
import { DELIVERED, openTestService } from '../../events/testing/email-service.ts'
import { sampleLeadForm } from '../../events/testing/fixtures/samples.ts'
import { TEST_DATA_KEY, TEST_KEYS } from '../../events/testing/keys.ts'
import { dispatch } from './dispatch.ts'
import { openEmailLanes } from './lanes.ts'

/**
 * 1,000 queued emails leave at the configured rate, and no faster, from two workers to a service that responds in 100
 * ms; the contracts among them, which were requested last, leave first.
 *
 * Measured at 1,200 a minute: 1,057 a minute, 21 in the fullest second; the 200 contracts that were requested last
 * leave first.
 */

const OTHERS = 800
const CONTRACTS = 200
const ANSWER_MS = 100
const PER_MINUTE = 1_200
const CONCURRENCY = 4
const WORKERS = 2

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const databaseUrl = process.env.DATABASE_URL ?? ''
const redisUrl = process.env.REDIS_URL ?? ''

await migrate(databaseUrl)
const sql = connect(databaseUrl, { max: 2, name: 'bench', keys: TEST_KEYS })
const log = openAppender(databaseUrl, { keys: TEST_KEYS })
const service = await openTestService()
let underWay = 0
let mostUnderWay = 0
service.reply((response, submission) => {
  underWay += 1
  mostUnderWay = Math.max(mostUnderWay, underWay)
  setTimeout(() => {
    underWay -= 1
    DELIVERED(response, submission)
  }, ANSWER_MS)
})

const askForTest = () => {
  const id = randomUUID()
  const events = [{ id, ...emailActivationRequested({}) }]
  return log.append({ stream: activationStreams.of(id), expectedVersion: 0, events })
}
const submitContract = () => {
  const id = randomUUID()
  const contract = { leadSource: 'contract_premium', businessName: 'Shop', agreedToTerms: true }
  const events = [{ id, ...submitLead({ leadId: id, form: sampleLeadForm(contract) }) }]
  return log.append({ stream: leadStreams.of(id), expectedVersion: 0, events })
}

await Promise.all(Array.from({ length: OTHERS }, askForTest))
await Promise.all(Array.from({ length: CONTRACTS }, submitContract))
await log.close()

const limits = { perMinute: PER_MINUTE, concurrency: CONCURRENCY }
const config = { emailForwardUrl: service.url, smtpUrl: undefined, emailLanes: { service: limits, smtp: limits } }
const redis = connectRedis(redisUrl, { maxRetriesPerRequest: 1 })
const { epoch } = await readHead(sql)
const lanes = openEmailLanes({ config, settings: { current: DEFAULT_SETTINGS } }, redis, {
  prefix: redisPrefix(epoch),
  onError: (error) => {
    throw error
  },
})
await prepareActingConsumer(sql, DISPATCH)
const queueing = performance.now()
while (await dispatch(sql, lanes));
const queuedMs = performance.now() - queueing
await lanes.close()
redis.disconnect()

const env = {
  ...process.env,
  DATA_KEY: TEST_DATA_KEY,
  SESSION_SECRET: 'only for this benchmark',
  LOG_LEVEL: 'warn',
  EMAIL_FORWARD_URL: service.url,
  EMAIL_SERVICE_PER_MINUTE: String(PER_MINUTE),
  EMAIL_SERVICE_CONCURRENCY: String(CONCURRENCY),
}
const workers = await Promise.all(Array.from({ length: WORKERS }, () => startNodeProcess(`${ROOT}worker/main.ts`, env)))
while (service.submissions.length < OTHERS + CONTRACTS) await delay(ANSWER_MS)

const times = service.submissions.map(({ at }) => at)
const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
const lastMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
const isContract = (fields: [string, string][]) =>
  fields.some(([name, value]) => name === '_subject' && value.startsWith('New contract'))
const lastContract = service.submissions.findLastIndex(({ fields }) => isContract(fields)) + 1
const inASecond = times.map((at) => times.filter((other) => other >= at && other < at + 1_000).length)
printTable(
  ['1,000 emails, two workers', 'measured', 'wanted'],
  [
    ['queued in, ms', figureOf(queuedMs), ''],
    ['a minute', figureOf((gaps.length * 60_000) / lastMs), `at most ${PER_MINUTE}`],
    ['most in any second', String(Math.max(...inASecond)), `about ${PER_MINUTE / 60}`],
    ['gap in ms, p50', figureOf(quantile(gaps, 0.5)), figureOf(60_000 / PER_MINUTE)],
    ['sent at once', String(mostUnderWay), `at most ${CONCURRENCY}`],
    ['place of the last contract', String(lastContract), `${CONTRACTS}`],
  ],
)
await Promise.all(workers.map((worker) => worker.stop()))
await Promise.all([sql.end(), service.close()])
process.exit(0)
