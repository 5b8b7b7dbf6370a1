import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leadStreams } from '../../../events/lead/lead.ts'
import { buildWebIfStale } from '../../../events/local/web-build.ts'
import { openTestBrowser, type TestBrowser } from '../../../events/testing/browser.ts'
import { createTestDatabase, testRedisUrl } from '../../../events/testing/database.ts'
import { DELIVERED, json, openTestService, type TestService, text } from '../../../events/testing/email-service.ts'
import { eventually, STAFF, startTestNode, startTestWorker, type TestNode } from '../../../events/testing/node.ts'
import type { TestProcess } from '../../../events/testing/process.ts'
import { installClock } from '../../testing/clock.ts'
import { cookieOf, openAs } from '../../testing/signed-in.ts'
import { faultsOf } from '../../testing/staff-site.ts'

const SIZES = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
]

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: postgres.Sql
let node: TestNode
let worker: TestProcess
let service: TestService
let browser: TestBrowser
let page: Page

/** Responds by the name of the business, as the service does in each of its states. */
const lie = () =>
  service.reply((response, submission) => {
    const { businessName = '' } = Object.fromEntries(submission.fields)
    const reply = businessName.startsWith('Blocked')
      ? text('<!DOCTYPE html><title>Just a moment...</title>', 403)
      : businessName.startsWith('Busy')
        ? json({ success: 'false', message: 'Slow down' }, 429, { 'retry-after': '3600' })
        : DELIVERED
    reply(response, submission)
  })

/** The leads that were submitted, by their business. */
const leadIds = new Map<string, string>()

const submit = async (businessName: string) => {
  const response = await node.post('/api/leads', {
    name: 'Ana Botha',
    email: 'ana@example.com',
    phone: '+27 82 555 0199',
    leadSource: 'contract_premium',
    businessName,
    agreedToTerms: true,
    message: `${'x'.repeat(400)} <b>bold</b>`,
  })
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as { id: string }
  leadIds.set(businessName, id)
}

const streamOf = (businessName: string) => leadStreams.of(leadIds.get(businessName) ?? '')

/** Puts the delivery of a business into a state as if its attempts had led to it. */
const force = (businessName: string, state: string) => sql`
  with forced as (
    update deliveries set state = ${state}, due_at = now() + interval '15 minutes'
    where stream = ${streamOf(businessName)} returning event_id
  )
  update delivery_tries t set kind = ${state}, answer = ${`200 {"success":"false","message":"It is ${state}"}`}
  from forced where t.event_id = forced.event_id`

beforeAll(async () => {
  await buildWebIfStale(resolve('.'))
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1 })
  service = await openTestService()
  const stores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  ;[node, worker, browser] = await Promise.all([
    startTestNode(stores),
    startTestWorker(stores, { EMAIL_FORWARD_URL: service.url }),
    openTestBrowser(),
  ])
  page = await openAs({ browser, node }, await cookieOf({ node }, STAFF), '/admin-email')
  await page.getByText('No emails yet').waitFor()
})

beforeEach(() => lie())

afterAll(async () => {
  worker?.kill('SIGCONT')
  await browser?.close()
  await Promise.all([node, worker].map((process) => process?.stop()))
  await Promise.all([service?.close(), sql?.end()])
  await database?.drop()
})

const card = (businessName: string) =>
  page.getByRole('article', { name: 'New contract: premium 50% off' }).filter({ hasText: businessName })
const chip = (businessName: string, words: string) =>
  card(businessName).locator('h2 + span').getByText(words, { exact: true })
const showOnly = (label: string | RegExp) =>
  page.getByRole('group', { name: 'Show' }).getByRole('button', { name: label }).click()
const looksRight = async () => {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect(await faultsOf(page), `at ${size.width} px`).toEqual([])
  }
}
const alarm = () => page.getByRole('alert').filter({ hasText: /have been behind|are paused/ })

/** Moves the last events and the last progress of the views one minute into the past. */
const waitAMinute = () =>
  sql.unsafe(`
    update events set recorded_at = now() - interval '61 seconds';
    update checkpoint_positions set reached_at = now() - interval '61 seconds'`)

/** How often the screens check whether they are behind. */
const LOOK_MS = 10_000

const cardsAre = (count: number) => expect.poll(() => page.getByRole('article').count()).toBe(count)
test('every state is in the list, in different colours, and fits every window', async () => {
  // they are sent one by one; a later delivery would send the email that `force` has just put on hold for activation
  for (const name of ['Delivered Inn', 'Busy Bee', 'Active Gym', 'Refused Ltd', 'Outbox Cafe', 'Blocked & Co'])
    await submit(name)
  await eventually(async () => {
    const rows = await sql`select 1 from deliveries where state in ('delivered', 'blocked', 'retrying')`
    expect(rows).toHaveLength(6)
  }, 60_000)
  await force('Active Gym', 'needs_activation')
  await force('Refused Ltd', 'rejected')
  await force('Outbox Cafe', 'outbox')
  await page.reload()
  const colourOf = (businessName: string, words: string) =>
    chip(businessName, words).evaluate((element) => getComputedStyle(element).backgroundColor)
  const colours = [
    await colourOf('Refused Ltd', 'Failed'),
    await colourOf('Delivered Inn', 'Delivered'),
    await colourOf('Outbox Cafe', 'Not sent (no email service)'),
  ]
  expect(new Set(colours).size).toBe(3)
  // the service's response is shown
  await card('Blocked & Co').getByText('Last response: a page titled "Just a moment..." (403)').waitFor()
  await chip('Active Gym', 'Needs activation').waitFor()
  await card('Busy Bee').getByText('Details').click()
  await card('Busy Bee').getByText('429 {"success":"false","message":"Slow down"}').waitFor()
  await looksRight()
})

test('the filter is in the address, the counts are right, and the way back from a lead restores the list', async () => {
  const counts = await page.getByRole('group', { name: 'Show' }).getByRole('button').allInnerTexts()
  expect(counts.map((label) => label.replace(/\s+/g, ' '))).toEqual([
    'All',
    'Needs attention 4',
    'Stuck 3',
    'Waiting 1',
    'Delivered 1',
    'Needs activation 1',
    'Blocked 1',
    'Failed 1',
    'Not sent (no email service) 1',
  ])
  await page.goto(`${node.url}/admin-dashboard`)
  await page.getByRole('alert').getByText('3 emails are stuck').waitFor()
  await page.getByRole('link', { name: 'View emails' }).click()
  await cardsAre(3)
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/admin-email?state=stuck')
  await page.getByRole('link', { name: 'Open the lead' }).first().click()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await cardsAre(3)
  expect(new URL(page.url()).search).toBe('?state=stuck')
  await showOnly(/^Not sent/)
  await cardsAre(1)
  await page.goBack()
  await cardsAre(3)
  await showOnly('All')
  await cardsAre(6)
})

test('a double click sends once, and the list shows the result automatically', async () => {
  const before = service.submissions.length
  service.reply(DELIVERED)
  await card('Refused Ltd').getByRole('button', { name: 'Send again' }).dblclick()
  await chip('Refused Ltd', 'Delivered').waitFor()
  // fewer by one, or by two: a delivery releases the emails that wait for the address to be confirmed
  await expect.poll(() => page.getByRole('navigation', { name: 'Staff' }).innerText()).toMatch(/Settings\s+[12]\b/)
  const ofLtd = service.submissions.slice(before).filter(({ fields }) => JSON.stringify(fields).includes('Refused Ltd'))
  expect(ofLtd).toHaveLength(1)
  await card('Delivered Inn').getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('dialog', { name: 'Send this email again?' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
})

test('an email whose data key is lost shows so, cannot be sent again, and the others are unchanged', async () => {
  await force('Refused Ltd', 'rejected')
  await sql`delete from subject_keys where subject_id = ${leadIds.get('Refused Ltd') ?? ''}`
  await page.goto(`${node.url}/admin-email`)
  await cardsAre(6)
  const lost = page.getByRole('article', { name: 'This email cannot be read: its key is lost' })
  await lost.getByText('The data key of this person is lost', { exact: false }).waitFor()
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(5)
  await lost.getByText('Details').click()
  await looksRight()
  await page.goto(`${node.url}/admin-today`)
  const row = page.getByRole('listitem').filter({ hasText: 'This email cannot be read: its key is lost' })
  await row.getByRole('link', { name: /^Open lead/ }).waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  await looksRight()
})

test('a worker that hangs is reported on every list that is behind because of it, until it continues', async () => {
  worker.kill('SIGSTOP')
  await installClock(page.context())
  await page.goto(`${node.url}/admin-submissions`)
  await page.getByText('Delivered Inn').first().waitFor()
  await submit('Ana Botha Ltd')
  expect(await alarm().count()).toBe(0)
  await waitAMinute()
  await page.clock.runFor(LOOK_MS)
  await alarm().getByText('The lists have been behind since').waitFor()
  expect(await faultsOf(page)).toEqual([])
  for (const [path, words] of [
    ['/admin-dashboard', 'The lists have been behind since'],
    ['/admin-submissions?quarantine=true', 'The lists have been behind since'],
    ['/admin-overview', 'The figures have been behind since'],
    ['/admin-email', 'The emails have been behind since'],
    ['/admin-chat', 'Ended chats have been behind since'],
  ] as const) {
    await page.goto(node.url + path)
    if (path === '/admin-chat') await page.getByRole('button', { name: /ended/i }).first().click()
    await alarm().getByText(words).waitFor()
    expect(await alarm().count()).toBe(1)
  }
  worker.kill('SIGCONT')
  await page.goto(`${node.url}/admin-submissions`)
  await page.getByText('Ana Botha Ltd').first().waitFor()
  await page.clock.runFor(LOOK_MS)
  await expect.poll(() => alarm().count(), { timeout: 60_000 }).toBe(0)
  // after a restored backup it is reported at once
  await sql`update log_head set epoch = gen_random_uuid()`
  await page.reload()
  await alarm()
    .getByText(/^The lists (are paused|have been behind since)/)
    .waitFor()
})
