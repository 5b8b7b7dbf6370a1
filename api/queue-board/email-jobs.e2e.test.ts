import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { leadStreams } from '../../events/lead.ts'
import { connect, type Sql } from '../../events/log/connection.ts'
import { readLog } from '../../events/log/read.ts'
import { openTestBrowser, type TestBrowser } from '../../events/testing/browser.ts'
import { DELIVERED, json, openTestService, type Reply, type TestService } from '../../events/testing/email-service.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, startTestWorker } from '../../events/testing/node.ts'
import type { TestProcess } from '../../events/testing/process.ts'
import { openTestAccounts, type TestAccounts } from '../staff/test-accounts.ts'

const SECRETS = ['Nomvula', 'nomvula@private.example', '0825550188', 'Khumalo Interiors', 'a private message']
const QUEUE = '/admin-queues/queue/email-service'
/** Lost jobs are looked for every 15 s. */
const REQUEUE_TIMEOUT_MS = 60_000

/** The service means it after three tries, within some seconds. */
const REFUSED = json({ success: 'false', message: 'Not accepted' })
const busyFor = (seconds: number) => json({ success: 'false' }, 429, { 'retry-after': String(seconds) })

let accounts: TestAccounts
let service: TestService
let worker: TestProcess
let browser: TestBrowser
let page: Page
let sql: Sql

beforeAll(async () => {
  accounts = await openTestAccounts()
  service = await openTestService()
  worker = await startTestWorker(accounts.stores, { EMAIL_FORWARD_URL: service.url })
  sql = connect(accounts.stores.databaseUrl, { max: 1, name: 'test', keys: TEST_KEYS })
  browser = await openTestBrowser()
  const context = await browser.newContext({ baseURL: accounts.nodes[0].url, viewport: { width: 1366, height: 768 } })
  const [name = '', value = ''] = accounts.owner().cookie.split(/=(.*)/s)
  await context.addCookies([{ name, value, url: accounts.nodes[0].url }])
  page = await context.newPage()
})

afterEach(() => service.reply(DELIVERED))

afterAll(async () => {
  await Promise.all([browser.close(), worker.stop(), sql.end()])
  await service.close()
  await accounts.stop()
})

/** A contract whose email the service answers like this; answers the lead's id once it has come to a state. */
const contractThatIs = async (reply: Reply, state: string) => {
  service.reply(reply)
  const [name, email, phone, businessName, message] = SECRETS
  const contract = { leadSource: 'contract_premium', agreedToTerms: true }
  const response = await accounts.nodes[0].post('/api/leads', {
    name,
    email,
    phone,
    businessName,
    message,
    ...contract,
  })
  expect(response.status).toBe(201)
  const { id }: { id: string } = await response.json()
  await eventually(async () => expect(await stateOf(id)).toBe(state))
  return id
}

const stateOf = async (leadId: string) => {
  const [row] = await sql<{ state: string }[]>`select state from deliveries where stream = ${leadStreams.of(leadId)}`
  return row?.state
}

/** Presses the button of the one job that is shown, and confirms. */
const press = async (icon: string) => {
  await page.locator(`button:visible:not(:has-text("all")) .lucide-${icon}`).first().click()
  await page.getByRole('button', { name: 'Confirm' }).click()
}

const askedAgain = async (leadId: string) =>
  (await readLog(sql, 0, 1_000)).flatMap((event) =>
    event.type === 'EmailResendRequested' && event.stream === leadStreams.of(leadId) ? [event.data.by] : [],
  )

test('a failed email is retried on the board, and sent', async () => {
  const leadId = await contractThatIs(REFUSED, 'rejected')
  await page.goto(`${QUEUE}?status=failed`)
  await page.getByText('it waits for staff').first().waitFor()
  service.reply(DELIVERED)
  await press('refresh-cw')
  await eventually(async () => expect(await stateOf(leadId)).toBe('delivered'))
  const me = await (await accounts.send('GET', '/api/me')).json()
  expect(await askedAgain(leadId)).toEqual([me.id])
  await page.getByText('No failed jobs in this queue').waitFor()
})

test('an email that waits for its next try is promoted on the board, and sent at once', async () => {
  const leadId = await contractThatIs(busyFor(3_600), 'retrying')
  await page.goto(`${QUEUE}?status=delayed`)
  service.reply(DELIVERED)
  await press('corner-up-left')
  await eventually(async () => expect(await stateOf(leadId)).toBe('delivered'))
  expect(await askedAgain(leadId)).toHaveLength(1)
})

test('an email whose job is removed on the board comes back from the deliveries, and is sent', async () => {
  const leadId = await contractThatIs(busyFor(20), 'retrying')
  await page.goto(`${QUEUE}?status=delayed`)
  service.reply(DELIVERED)
  await press('trash-2')
  await page.getByText('No delayed jobs in this queue').waitFor()
  expect(await stateOf(leadId)).toBe('retrying')
  await eventually(async () => expect(await stateOf(leadId)).toBe('delivered'), REQUEUE_TIMEOUT_MS)
  expect(await askedAgain(leadId)).toEqual([])
})

test('nothing personal is on the board, with a failed job and one that waits', async () => {
  await contractThatIs(REFUSED, 'rejected')
  await contractThatIs(busyFor(3_600), 'retrying')
  const shown = await Promise.all(
    ['latest', 'failed', 'delayed'].map(async (status) => {
      const path = `/admin-queues/api/queues?activeQueue=email-service&status=${status}&page=1&jobsPerPage=50`
      return await (await accounts.send('GET', path)).text()
    }),
  )
  expect(shown.join()).toContain('eventId')
  for (const secret of SECRETS) expect(shown.join()).not.toContain(secret)
})
