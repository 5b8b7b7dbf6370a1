import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agencyDay } from '../../../events/agency-day.ts'
import { STAFF } from '../../../events/testing/node.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'
import { fillSignIn } from '../../test-sign-in.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

let site: StaffSite
let colleague: TestSession

beforeAll(async () => {
  site = await startStaffSite([
    { name: 'Late Lerato', at: daysAgo(9).toISOString() },
    { name: 'Later Lindiwe', businessName: 'Lindiwe Catering', at: daysAgo(12).toISOString() },
  ])
  colleague = await site.hire('Sipho Dube')
})

afterAll(() => site?.stop())

const section = (page: Page, name: RegExp) => page.getByRole('region', { name })
const rowsOf = (page: Page, name: RegExp) => section(page, name).getByRole('listitem')

const giveNextAction = async (name: string, day: Date) => {
  const { id } = await site.submit({ name })
  const change = { followUpStatus: 'quoted', nextActionDate: agencyDay(day) }
  expect((await site.call('PATCH', `/api/leads/${id}`, change)).status).toBe(200)
  return id
}

/** An email that the service refused for good, as the worker would leave it. */
const failAnEmail = async () => {
  const contract = { leadSource: 'contract_premium', businessName: 'Stoep', agreedToTerms: true }
  const { id } = await site.submit({ name: 'Contract Chris', ...contract })
  await site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'contacted' })
  const sql = postgres(site.stores.databaseUrl, { max: 1 })
  await expect
    .poll(
      async () =>
        (await sql`update deliveries set state = 'rejected' where state = 'outbox' and recipient = 'agency'`).count,
    )
    .toBe(1)
  await sql.end()
}

test('sign-in leads to Today, which is first in the menu', async () => {
  const page = await (await site.browser.newContext({ baseURL: site.node.url })).newPage()
  await page.goto('/login')
  await fillSignIn(page, STAFF)
  await page.waitForURL('**/admin-today')
  const links = page.getByRole('navigation', { name: 'Staff' }).getByRole('link')
  await expect.poll(() => links.first().textContent()).toBe('Today')
  await page.context().close()
})

test('what is most urgent comes first, each a click from its action, live, for two at once', async () => {
  const mine = await site.open('/admin-today')
  const theirs = await site.open('/admin-today', { as: colleague })
  await expect
    .poll(() =>
      rowsOf(mine, /^Overdue 2/)
        .getByRole('link')
        .first()
        .textContent(),
    )
    .toBe('Lindiwe Catering')

  const soon = await site.submit({ name: 'Soon Sarah' })
  await rowsOf(mine, /^Due soon 1/)
    .getByText('Soon Sarah')
    .waitFor()
  await giveNextAction('Today Tumi', new Date())
  await giveNextAction('Yesterday Yusuf', daysAgo(1))
  await giveNextAction('Tomorrow Thabo', daysAgo(-1))
  await site.chat({ name: 'Chatty Chris', email: 'chris@example.com' }, 'Do you build shops?')
  await failAnEmail()
  await section(mine, /^Next action due 2/).waitFor()
  await section(mine, /^Emails that need attention 1/).waitFor()
  await rowsOf(mine, /^Waiting chats 1/)
    .getByText('Do you build shops?')
    .waitFor()
  expect(await mine.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Overdue 2',
    'Due soon 1',
    'Waiting chats 1',
    'Emails that need attention 1',
    'Next action due 2',
  ])
  expect(
    await rowsOf(mine, /^Next action due/)
      .getByRole('link')
      .first()
      .textContent(),
  ).toBe('Yesterday Yusuf')
  expect(await mine.getByRole('link', { name: 'Call Soon Sarah' }).getAttribute('href')).toMatch(/^tel:082700/)
  for (const width of [360, 390, 768, 1440]) {
    await mine.setViewportSize({ width, height: 844 })
    expect(await faultsOf(mine), `at ${width} px`).toEqual([])
  }

  await theirs.getByRole('button', { name: 'Mark contacted: Soon Sarah' }).press('Enter')
  await section(theirs, /^Due soon/).waitFor({ state: 'detached' })
  await section(mine, /^Due soon/).waitFor({ state: 'detached' })
  await expect.poll(() => theirs.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await theirs.getByRole('button', { name: 'Undo' }).click()
  await rowsOf(mine, /^Due soon 1/)
    .getByText('Soon Sarah')
    .waitFor()

  await mine.getByRole('button', { name: 'Done: Yesterday Yusuf' }).click()
  await section(theirs, /^Next action due 1/).waitFor()
  await section(mine, /^Next action due 1/)
    .getByRole('link', { name: 'See all' })
    .click()
  await mine.getByText('1 submissions found (filtered by Next action due)').waitFor()
  await mine.getByRole('heading', { name: 'Today Tumi' }).waitFor()
  await mine.goBack()
  await mine.getByRole('link', { name: 'Answer Chatty Chris' }).click()
  await mine.waitForURL('**/admin-chat?session=*')
  await mine.getByRole('heading', { name: 'Chat with Chatty Chris' }).waitFor()
  await mine.getByPlaceholder('Type your response...').fill('Good day, Chris')
  await mine.keyboard.press('Enter')
  await section(theirs, /^Waiting chats/).waitFor({ state: 'detached' })

  await theirs.getByRole('link', { name: 'Email Soon Sarah' }).click()
  await theirs.waitForURL(`**/admin-lead?id=${soon.id}#answer`)
  await theirs.getByRole('heading', { name: 'Answer' }).waitFor()
  await theirs.goBack()
  await theirs.getByRole('link', { name: 'Call Soon Sarah' }).click()
  await theirs.getByText('Call noted').waitFor()
  await section(theirs, /^Due soon/).waitFor({ state: 'detached' })
  await mine.context().close()
  await theirs.context().close()
})

test('says that nothing waits, and what failed', async () => {
  const page = await site.open('/admin-today')
  await section(page, /^Overdue/).waitFor()
  const none = { count: 0, leads: [] }
  const nothing = {
    overdue: none,
    dueSoon: none,
    nextActions: none,
    chats: { count: 0, chats: [] },
    emails: { count: 0, emails: [] },
  }
  await page.route('**/api/today', (route) => route.fulfill({ json: nothing }))
  await page.getByText('Nothing waits for you').waitFor()
  await page.unroute('**/api/today')
  await page.route('**/api/today', (route) => route.abort())
  await page.getByText('Error loading today’s work').waitFor()
  await page.getByText('The server did not answer. Try again.').waitFor()
  await page.unroute('**/api/today')
  await page.getByRole('button', { name: 'Try again' }).click()
  await section(page, /^Overdue/).waitFor()
  await page.context().close()
})
