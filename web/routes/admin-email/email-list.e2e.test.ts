import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leadStreams } from '../../../events/lead.ts'
import { buildWebIfStale } from '../../../events/local/web-build.ts'
import { openTestBrowser, type TestBrowser } from '../../../events/testing/browser.ts'
import { createTestDatabase, testRedisUrl } from '../../../events/testing/database.ts'
import { DELIVERED, json, openTestService, type TestService, text } from '../../../events/testing/email-service.ts'
import { eventually, STAFF, startTestNode, startTestWorker, type TestNode } from '../../../events/testing/node.ts'
import type { TestProcess } from '../../../events/testing/process.ts'
import { violationsIn } from '../../test-axe.ts'

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

/** Answers by the name of the business, as the service would in each of its moods. */
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

/** Puts the delivery of a business into a state as if its attempts had led there. */
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
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.goto(`${node.url}/admin-email`)
  await page.getByLabel('Username').fill(STAFF.username)
  await page.getByLabel('Password').fill(STAFF.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Email', exact: true }).waitFor()
})

beforeEach(() => lie())

afterAll(async () => {
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
const cardsAre = (count: number) => expect.poll(() => page.getByRole('article').count()).toBe(count)
test('an empty list says so', async () => {
  await page.getByText('No emails yet').waitFor()
  await page.getByText('Emails appear here once a contract is signed.').waitFor()
  await page.goto(`${node.url}/admin-email?state=blocked`)
  await page.getByText('No emails: blocked').waitFor()
  expect(await violationsIn(page)).toEqual([])
})

test('every state stands in plain words, with what to do and what was answered', async () => {
  // they go out one by one; a delivered one in the end would send on what `force` has just made wait for activation
  for (const name of ['Delivered Inn', 'Busy Bee', 'Active Gym', 'Refused Ltd', 'Outbox Cafe', 'Blocked & Co'])
    await submit(name)
  await eventually(async () => {
    const rows = await sql`select 1 from deliveries where state in ('delivered', 'blocked', 'retrying')`
    expect(rows).toHaveLength(6)
  }, 60_000)
  await force('Active Gym', 'needs_activation')
  await force('Refused Ltd', 'rejected')
  await force('Outbox Cafe', 'outbox')
  await page.goto(`${node.url}/admin-email`)

  await chip('Delivered Inn', 'Delivered').waitFor()
  expect(await card('Delivered Inn').innerText()).toMatch(/To the agency\s+1 attempt\s+Open the lead/)
  expect(await card('Blocked & Co').innerText()).toMatch(/Blocked.*1 attempt, next at \d\d:\d\d/s)
  await card('Blocked & Co').getByText('The service does not take email from this website.').waitFor()
  await card('Blocked & Co').getByText('Last response: a page titled "Just a moment..." (403)').waitFor()
  await chip('Busy Bee', 'Waiting for another try').waitFor()
  await card('Busy Bee').getByText('Last response: Slow down (429)').waitFor()
  await chip('Active Gym', 'Needs activation').waitFor()
  expect(await card('Active Gym').getByRole('link', { name: 'have it sent again' }).getAttribute('href')).toBe(
    '/test-form',
  )
  await chip('Refused Ltd', 'Failed').waitFor()
  await card('Refused Ltd').getByText('It was refused and is not tried again by itself.').waitFor()
  await chip('Outbox Cafe', 'Not sent (no email service)').waitFor()
  const advices = {
    false: 'Email isn’t set up. Connect a service, then resend.',
    true: 'Email wasn’t set up then, so it was not sent. It is set up now: send it again.',
    undefined: 'Email wasn’t set up, so it was not sent. Once it is, send it again.',
  }
  for (const [isSetUp, advice] of Object.entries(advices)) {
    await page.route('**/api/emails/summary', async (route) => {
      const { isSetUp: _, ...summary } = await (await route.fetch()).json()
      await route.fulfill({ json: { ...summary, ...(isSetUp !== 'undefined' && { isSetUp: isSetUp === 'true' }) } })
    })
    await page.reload()
    await card('Outbox Cafe').getByText(advice).waitFor()
    await page.unroute('**/api/emails/summary')
  }
  expect(await card('Refused Ltd').getByRole('link', { name: 'Open the lead' }).getAttribute('href')).toMatch(
    /^\/admin-lead\?id=[0-9a-f-]{36}$/,
  )
})

test('what waits for a decision says what happened and what the button does', async () => {
  await force('Refused Ltd', 'uncertain')
  await page.reload()
  await chip('Refused Ltd', 'May have arrived').waitFor()
  await card('Refused Ltd').getByText('Look in the inbox first: after "Send again" it may be there twice.').waitFor()
  await force('Refused Ltd', 'expired')
  await page.reload()
  await chip('Refused Ltd', 'Given up').waitFor()
  await card('Refused Ltd').getByText('The other side was busy for four days.').waitFor()
  await force('Refused Ltd', 'partial')
  const standings = { taken: 'delivered', untaken: 'refused' }
  await sql`update deliveries set standings = ${sql.json(standings)} where stream = ${streamOf('Refused Ltd')}`
  await page.reload()
  await chip('Refused Ltd', 'Delivered to some').waitFor()
  const inboxes = card('Refused Ltd').getByRole('list', { name: 'Inboxes' }).getByRole('listitem')
  expect(await inboxes.allInnerTexts()).toEqual([
    'An inbox that is set no longer has it',
    'An inbox that is set no longer refused it',
  ])
  expect(await violationsIn(page)).toEqual([])
  await sql`update deliveries set standings = '{}' where stream = ${streamOf('Refused Ltd')}`
  await force('Refused Ltd', 'rejected')
  await page.reload()
  await page.getByRole('button', { name: 'Failed 1' }).waitFor()
})

test('the filter is in the address, Back goes back, and the counts are true', async () => {
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
  const meaning = (words: string) => page.getByRole('status').filter({ hasText: words })
  await meaning('Every email, newest first.').waitFor()
  await showOnly(/^Needs attention/)
  await cardsAre(4)
  await meaning('Somebody has to look at these:').waitFor()
  await showOnly(/^Stuck/)
  await cardsAre(3)
  await meaning('The emails of "Needs attention", apart from contracts').waitFor()
  expect(new URL(page.url()).search).toBe('?state=stuck')
  // from a lead the way back leads to what was shown
  await page.getByRole('link', { name: 'Open the lead' }).first().click()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await cardsAre(3)
  expect(new URL(page.url()).search).toBe('?state=stuck')
  await showOnly(/^Not sent/)
  await cardsAre(1)
  await page.goBack()
  await cardsAre(3)
  await page.reload()
  await cardsAre(3)
  await showOnly('All')
  await cardsAre(6)
})

test('its tries and the whole email are folded away, as plain text', async () => {
  const busy = card('Busy Bee')
  await busy.getByText('Details').click()
  await busy.getByText('The other side was busy').waitFor()
  await busy.getByText('429 {"success":"false","message":"Slow down"}').waitFor()
  await busy.getByText('<b>bold</b>').waitFor()
  expect(await busy.locator('dl').innerText()).toContain('ana@example.com')
  const terms = await busy.locator('dt').allInnerTexts()
  expect(terms.slice(0, 2)).toEqual(['To', 'Subject'])
  expect(terms).toEqual(expect.arrayContaining(['Business name', 'Source', 'Message']))
  expect(terms.filter((term) => !/^[A-Z][^A-Z]*$/.test(term))).toEqual([])
  expect(await busy.locator('dd').first().innerText()).toBe('hello@karoowebstudio.example')
})

test('what failed and what was delivered differ in colour', async () => {
  const colourOf = (businessName: string, words: string) =>
    chip(businessName, words).evaluate((element) => getComputedStyle(element).backgroundColor)
  const [failed, delivered, kept] = [
    await colourOf('Refused Ltd', 'Failed'),
    await colourOf('Delivered Inn', 'Delivered'),
    await colourOf('Outbox Cafe', 'Not sent (no email service)'),
  ]
  expect(new Set([failed, delivered, kept]).size).toBe(3)
})

test.each(SIZES)('nothing is out of place at $width px, and axe finds nothing', async (size) => {
  await page.setViewportSize(size)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)
  expect(await violationsIn(page)).toEqual([])
})

test('the dashboard and the navigation raise an alarm, which leads to what is stuck', async () => {
  await page.goto(`${node.url}/admin-dashboard`)
  await page.getByRole('alert').getByText('3 emails are stuck').waitFor()
  await page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name: 'Email 3 stuck' }).waitFor()
  await page.getByRole('link', { name: 'View emails' }).click()
  await cardsAre(3)
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/admin-email?state=stuck')
})

test('a double click sends once, and the list shows by itself what came of it', async () => {
  await showOnly('All')

  const before = service.submissions.length
  service.reply(DELIVERED)
  await card('Refused Ltd').getByRole('button', { name: 'Send again' }).dblclick()
  await page.getByText('Sending again').first().waitFor()
  await chip('Refused Ltd', 'Delivered').waitFor()
  // fewer by one, or by two: what is delivered frees what waited for the address to be confirmed
  await expect.poll(() => page.getByRole('navigation', { name: 'Staff' }).innerText()).toMatch(/Email\s+[12]\b/)
  expect(
    service.submissions.slice(before).filter(({ fields }) => JSON.stringify(fields).includes('Refused Ltd')),
  ).toHaveLength(1)
})

test('what was delivered is sent again only once somebody has said so', async () => {
  const sent = () => service.submissions.filter(({ fields }) => JSON.stringify(fields).includes('Delivered Inn')).length
  const before = sent()
  const inn = card('Delivered Inn')
  await inn.getByRole('button', { name: 'Send again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send this email again?' })
  await dialog.getByText(/It was delivered on .+ The agency gets a second copy\./).waitFor()
  expect(await violationsIn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await chip('Delivered Inn', 'Delivered').waitFor()
  expect(sent()).toBe(before)
  await inn.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByRole('button', { name: 'Send a second copy' }).click()
  await page.getByText('Sending again').first().waitFor()
  await inn.getByText('2 attempts').waitFor()
  await chip('Delivered Inn', 'Delivered').waitFor()
  expect(sent()).toBe(before + 1)
})

test('what cannot be asked for is taken back and said', async () => {
  await page.route('**/api/emails/*/resend', (route) => route.abort())
  await card('Blocked & Co').getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Not sent again').first().waitFor()
  await chip('Blocked & Co', 'Blocked').waitFor()
  await page.unroute('**/api/emails/*/resend')
})

test('a failed fetch says what failed and is tried again', async () => {
  await page.route('**/api/emails?**', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page.route('**/api/emails', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page.goto(`${node.url}/admin-email`)
  await page.getByRole('alert').getByText('Error loading emails').waitFor()
  await page.getByText('Not available just now. Try again in a moment.').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await cardsAre(6)
})

test('an email whose data key is lost says so, offers no sending again, and the others stay as they are', async () => {
  const subjectId = leadIds.get('Refused Ltd') ?? ''
  await force('Refused Ltd', 'rejected')
  const [kept] = await sql`delete from subject_keys where subject_id = ${subjectId} returning *`
  await page.goto(`${node.url}/admin-email`)
  await cardsAre(6)
  const lost = page.getByRole('article', { name: 'This email cannot be read: its key is lost' })
  await lost.getByText('The data key of this person is lost', { exact: false }).waitFor()
  expect(await lost.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(5)
  await lost.getByText('Details').click()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect(await violationsIn(page), `at ${size.width} px`).toEqual([])
  }
  await page.goto(`${node.url}/admin-today`)
  const row = page.getByRole('listitem').filter({ hasText: 'This email cannot be read: its key is lost' })
  await row.getByRole('link', { name: /^Open lead/ }).waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect(await violationsIn(page), `at ${size.width} px`).toEqual([])
  }
  await sql`insert into subject_keys ${sql(kept as object)}`
})

test('an email that cannot be read while the data keys are away says so, and offers no sending again', async () => {
  await page.route('**/api/emails', async (route) => {
    const response = await route.fetch()
    const [first, ...others] = await response.json()
    const subject = 'This email cannot be read just now'
    await route.fulfill({ response, json: [{ ...first, subject, isUnreadable: true, areKeysAway: true }, ...others] })
  })
  await page.goto(`${node.url}/admin-email`)
  const away = page.getByRole('article', { name: 'This email cannot be read just now' })
  await away.getByText('The data keys cannot be reached.', { exact: false }).waitFor()
  expect(await away.getByRole('button').count()).toBe(0)
  await page.unrouteAll()
})

test('an erased person is shown as erased, and nothing of theirs is left to send', async () => {
  await sql`
    update subject_keys set wrapped = null, ring_key = null, destroyed_at = now()
    where subject_id = ${leadIds.get('Outbox Cafe') ?? ''}`
  await sql`update deliveries set is_erased = true where stream = ${streamOf('Outbox Cafe')}`
  await page.goto(`${node.url}/admin-email?state=outbox`)
  await page.getByText('No emails: not sent (no email service)').waitFor()
  await page.goto(`${node.url}/admin-email`)
  const erased = page.getByRole('article', { name: 'Erased' })
  await erased.getByText('This person has been erased: there is nothing left to send.').waitFor()
  expect(await erased.getByRole('button').count()).toBe(0)
  // now all that needs attention is stuck: one button is enough for it, but for who comes here by the other
  const stuck = page.getByRole('button', { name: /^Stuck/ })
  await page.getByRole('button', { name: /^Needs attention [1-9]/ }).waitFor()
  expect(await stuck.count()).toBe(0)
  await page.goto(`${node.url}/admin-email?state=stuck`)
  await stuck.waitFor()
})

test('more than a page is shown on asking', async () => {
  for (let count = 0; count < 24; count += 1) await submit(`Many ${count}`)
  await eventually(async () => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from deliveries`
    expect(row?.count).toBe(30)
  })
  await page.goto(`${node.url}/admin-email`)
  await cardsAre(25)
  await page.getByRole('button', { name: 'Show more' }).click()
  await cardsAre(30)
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
})
