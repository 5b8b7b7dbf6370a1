import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agencyDay } from '../../../events/agency-day.ts'
import { STAFF } from '../../../events/testing/node.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'
import { fillSignIn } from '../../test-sign-in.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

/** The width of a name that can be told from another one. */
const LEGIBLE_PX = 96

/** Today fetches its chats every 5 s. */
const SOON = { timeout: 30_000 }

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
    .toBe('Later Lindiwe, Lindiwe Catering')

  const soon = await site.submit({ name: 'Soon Sarah', message: 'Could you build a shop?' })
  await rowsOf(mine, /^New 1/)
    .getByText('Soon Sarah')
    .waitFor()
  await rowsOf(mine, /^New 1/)
    .getByText('Could you build a shop?')
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
    'Waiting chats 1',
    'Emails that need attention 1',
    'Next action due 2',
    'New 1',
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

  await theirs.setViewportSize({ width: 390, height: 500 })
  await theirs.getByRole('button', { name: 'Mark contacted: Soon Sarah' }).press('Enter')
  await section(theirs, /^New/).waitFor({ state: 'detached' })
  await section(mine, /^New/).waitFor({ state: 'detached' })
  // the row in its place is next, and the page stays where it is
  await expect
    .poll(() => theirs.evaluate(() => document.activeElement?.closest('section')?.textContent))
    .toMatch(/^Next action/)
  expect(await theirs.evaluate(() => scrollY)).toBeGreaterThan(100)
  await theirs.getByRole('button', { name: 'Undo' }).click()
  await rowsOf(mine, /^New 1/)
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
  await expect
    .poll(() => mine.evaluate(() => document.activeElement?.getAttribute('placeholder')))
    .toBe('Type your response...')
  await mine.getByPlaceholder('Type your response...').fill('Good day, Chris')
  await mine.getByRole('button', { name: 'Send', exact: true }).click()
  await section(theirs, /^Waiting chats/).waitFor({ state: 'detached' })

  await theirs.getByRole('link', { name: 'Email Soon Sarah' }).click()
  await theirs.waitForURL(`**/admin-lead?id=${soon.id}#answer`)
  await theirs.getByRole('heading', { name: 'Answer' }).waitFor()
  await theirs.goBack()
  await mine.goto('/admin-today')
  await rowsOf(mine, /^New 1/)
    .getByText('Soon Sarah')
    .waitFor()
  await theirs.getByRole('link', { name: 'Call Soon Sarah' }).click()
  const question = theirs.getByRole('region', { name: 'Did you reach Soon Sarah?' })
  await question.getByRole('button', { name: 'No answer' }).click()
  await theirs.getByText('No answer noted').waitFor()
  for (const page of [mine, theirs]) {
    const row = rowsOf(page, /^New/).filter({ hasText: 'Soon Sarah' })
    await row.getByText(/^Called, no answer · \d\d:\d\d$/).waitFor({ timeout: 30_000 })
    await row.getByText(/^Reply due /).waitFor()
  }
  await theirs.getByRole('button', { name: 'Assign to me: Soon Sarah' }).click()
  await theirs.getByText('Assigned to you: Soon Sarah').waitFor()
  await rowsOf(theirs, /^New 1/)
    .getByText('Sipho Dube')
    .waitFor()
  await theirs.getByRole('link', { name: 'Call Soon Sarah' }).click()
  await question.getByRole('button', { name: 'Yes, we spoke' }).click()
  await theirs.getByText('Call noted: Soon Sarah').waitFor()
  await section(theirs, /^New/).waitFor({ state: 'detached' })
  await theirs.evaluate(() => Object.assign(window, { isSamePage: true }))
  await theirs.getByRole('status').getByRole('link', { name: 'Soon Sarah' }).click()
  await theirs.waitForURL(`**/admin-lead?id=${soon.id}#note`)
  await theirs.getByRole('heading', { name: 'Soon Sarah' }).waitFor()
  await expect
    .poll(() => theirs.getByRole('textbox', { name: 'Note' }).evaluate((field) => field === document.activeElement))
    .toBe(true)
  expect(await theirs.evaluate(() => 'isSamePage' in window)).toBe(true)
  await mine.context().close()
  await theirs.context().close()
})

test('asks what came of a call until somebody says so, also when a colleague has answered the lead', async () => {
  const { id } = await site.submit({ name: 'Ringing Rea' })
  const page = await site.open('/admin-today')
  await page.getByRole('link', { name: 'Call Ringing Rea' }).click()
  const question = page.getByRole('region', { name: 'Did you reach Ringing Rea?' })
  await question.waitFor()
  expect((await site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'contacted' }, colleague)).status).toBe(200)
  await page.getByRole('link', { name: 'Call Ringing Rea' }).waitFor({ state: 'detached' })
  await question.getByRole('button', { name: 'Yes, we spoke' }).click()
  await page.getByText('Call noted').waitFor()
  await question.waitFor({ state: 'detached' })
  await page.context().close()

  const other = await site.submit({ name: 'Ringing Rudi' })
  const list = await site.open('/admin-dashboard?status=new')
  await list.getByRole('button', { name: 'Rows', exact: true }).click()
  await list.getByRole('button', { name: /Ringing Rudi/ }).click()
  const preview = list.getByRole('complementary', { name: 'Preview: Ringing Rudi' })
  await preview.getByRole('link', { name: 'Call' }).click()
  const asked = list.getByRole('region', { name: 'Did you reach Ringing Rudi?' })
  await asked.waitFor()
  await site.call('PATCH', `/api/leads/${other.id}`, { followUpStatus: 'contacted' }, colleague)
  await preview.waitFor({ state: 'detached' })
  await asked.getByRole('button', { name: 'No answer' }).click()
  await list.getByText('No answer noted').waitFor()
  await list.context().close()
})

test('where the site has no mail server one click opens one’s own mail program, and an answer can be taken back', async () => {
  const { id, email } = await site.submit({ name: 'Mailed Mia' })
  const page = await site.open('/admin-today')
  await page.route('**/api/emails/summary', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), reachesPeople: false } })
  })
  await page.reload()
  const link = page.getByRole('link', { name: 'Email Mailed Mia' })
  await expect
    .poll(() => link.getAttribute('href'))
    .toMatch(new RegExp(`^mailto:${email}\\?subject=[^+&]+&body=[^+]*Mailed%20Mia`))
  await link.click()
  const question = page.getByRole('region', { name: 'Did you send Mailed Mia the email?' })
  expect(new URL(page.url()).pathname).toBe('/admin-today')
  await question.getByRole('button', { name: 'Yes, I sent it' }).click()
  await page.getByText('Email noted: Mailed Mia').waitFor()
  const saved = async () => (await site.call('GET', `/api/leads/${id}`)).json()
  expect(await saved()).toMatchObject({ followUpStatus: 'contacted', ownerId: expect.any(String) })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await saved()).followUpStatus).toBe('new')
  await link.waitFor()

  // the preview of a row has the same link
  await page.goto('/admin-dashboard?status=new&q=mailed')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  await page.getByRole('button', { name: /Mailed Mia/ }).click()
  const preview = page.getByRole('complementary', { name: 'Preview: Mailed Mia' })
  await expect
    .poll(() => preview.getByRole('link', { name: 'Email', exact: true }).getAttribute('href'))
    .toMatch(/^mailto:/)
  await site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'contacted' })
  await page.context().close()
})

test('says that nothing waits, and what failed', async () => {
  const page = await site.open('/admin-today')
  await section(page, /^Overdue/).waitFor()
  const none = { count: 0, leads: [] }
  const nothing = {
    overdue: none,
    dueSoon: none,
    fresh: none,
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
  const failure = page.getByText('Error loading today’s work')
  await page.route('**/api/today', (route) => route.abort())
  await failure.waitFor()
  await page.context().setOffline(true)
  await page.unroute('**/api/today')
  await page.context().setOffline(false)
  await failure.waitFor({ state: 'detached' })
  await page.context().close()
})

test('a signed contract is marked with its package and price, and comes first', async () => {
  const page = await site.open('/admin-today')
  await site.submit({ name: 'Early Edna' })
  await site.submit({
    name: 'Signed Sam',
    businessName: 'Stoep',
    leadSource: 'contract_premium',
    package: 'Premium - R1,499 + R499/month',
    agreedToTerms: true,
  })
  const [signed, early] = [rowsOf(page, /^New/).first(), rowsOf(page, /^New/).nth(1)]
  await signed.getByText('Contract signed').waitFor()
  await signed.getByText('Premium, R1,499 + R499/month').waitFor()
  await early.getByText('Early Edna').waitFor()
  // what a node says of leads whose promised time is nearly over
  await page.route('**/api/today', async (route) => {
    const response = await route.fetch()
    const { fresh, ...rest } = await response.json()
    await route.fulfill({ json: { ...rest, dueSoon: fresh, fresh: { count: 0, leads: [] } } })
  })
  await rowsOf(page, /^Due soon 2/)
    .getByText('Contract signed')
    .waitFor()
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(
    expect.arrayContaining(['Overdue 2', 'Due soon 2']),
  )
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await page.context().close()
})

test('a signed contract is marked in its row, in the preview beside it, and on its own page', async () => {
  const businessName = 'Botanical Gardens and Nurseries of the Southern Peninsula'
  await site.submit({ name: 'Contract Cynthia', businessName, leadSource: 'contract_essential', agreedToTerms: true })
  const page = await site.open('/admin-dashboard?q=cynthia')
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  const row = page.getByRole('button', { name: /^New ?Contract Cynthia/ })
  await row.getByText('Contract signed', { exact: true }).waitFor()
  const name = row.getByText(/^Contract Cynthia/)
  const company = name.getByText(/Botanical Gardens/)
  for (const width of [390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    // the company is what is cut where there is no room for both
    const [begin = 0, companyBegin = 0, end = 0] = await name.evaluate(
      (element, inner) => {
        const { left, right } = element.getBoundingClientRect()
        return [left, inner?.getBoundingClientRect().left ?? 0, right]
      },
      await company.elementHandle(),
    )
    expect(companyBegin - begin, `at ${width} px`).toBeGreaterThan(LEGIBLE_PX)
    expect(companyBegin, `at ${width} px`).toBeLessThanOrEqual(end)
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await row.click()
  const preview = page.getByRole('complementary', { name: 'Preview: Contract Cynthia' })
  await preview.getByText('Contract signed', { exact: true }).waitFor()
  await preview.getByRole('link', { name: /^Open lead/ }).click()
  await page.getByRole('heading', { level: 1, name: `Contract Cynthia, ${businessName}` }).waitFor()
  await page.getByText('Contract signed', { exact: true }).waitFor()
  await page.context().close()
})

/** Loads a page again without its timer of 5 s: only what it is told then has it fetch. */
const fetchOnlyIfTold = async (page: Page) => {
  await page.addInitScript(() => {
    const start = window.setTimeout
    window.setTimeout = ((act: () => void, ms: number) => (ms === 5_000 ? 0 : start(act, ms))) as typeof start
  })
  await page.reload()
}

test('a contract that was not emailed, and one in quarantine, wait on Today, each a click from its action', async () => {
  const contract = { leadSource: 'contract_premium', agreedToTerms: true }
  const unsent = await site.submit({ ...contract, name: 'Unsent Una', businessName: 'Una Optics' })
  await site.submit({
    ...contract,
    name: 'Trapped Thami',
    businessName: 'Thami Motors',
    ...({ quartz: 'x' } as object),
  })
  const mine = await site.open('/admin-today')
  const theirs = await site.open('/admin-today', { as: colleague })
  await fetchOnlyIfTold(theirs)
  await section(theirs, /^Contracts in quarantine 1/).waitFor()
  const sam = await site.submit({
    ...contract,
    name: 'Spam Sam',
    businessName: 'Buy Cheap',
    ...({ quartz: 'x' } as object),
  })
  const emails = rowsOf(mine, /^Emails that need attention/)
  const row = emails.filter({ hasText: 'Una Optics' })
  await row.getByText('Not sent (no email service)').waitFor()
  await row.getByText('Contract signed').waitFor()
  await section(theirs, /^Contracts in quarantine 2/).waitFor()
  const flagged = rowsOf(mine, /^Contracts in quarantine 2/)
  await flagged.getByText('Filled in a hidden field.').first().waitFor()
  for (const width of [390, 1024, 1440]) {
    await mine.setViewportSize({ width, height: 844 })
    expect(await faultsOf(mine), `at ${width} px`).toEqual([])
  }
  for (const [followUpStatus, count] of Object.entries({ lost: 1, new: 2 })) {
    await site.call('PATCH', `/api/leads/${sam.id}`, { followUpStatus })
    await section(theirs, new RegExp(`^Contracts in quarantine ${count}`)).waitFor()
  }
  await mine.getByRole('button', { name: 'Not spam: Trapped Thami' }).click()
  await rowsOf(theirs, /^New/).getByText('Thami Motors').waitFor()
  await section(theirs, /^Contracts in quarantine 1/).waitFor()
  await theirs.getByRole('button', { name: 'Spam: Spam Sam', exact: true }).click()
  await section(theirs, /^Contracts in quarantine/).waitFor({ state: 'detached' })
  await theirs.getByRole('button', { name: 'Undo' }).click()
  await section(theirs, /^Contracts in quarantine 1/).waitFor()
  await theirs.getByRole('button', { name: 'Spam: Spam Sam', exact: true }).click()
  await section(mine, /^Contracts in quarantine/).waitFor({ state: 'detached' })

  await section(mine, /^Emails that need attention/)
    .getByRole('link', { name: 'See all' })
    .click()
  await mine.getByRole('button', { name: 'Needs attention' }).waitFor()
  await mine.getByRole('article').filter({ hasText: 'Una Optics' }).waitFor()
  await mine.goBack()
  await row.getByRole('link', { name: /^Open lead/ }).click()
  await mine.waitForURL(`**/admin-lead?id=${unsent.id}`)
  await site.call('PATCH', `/api/leads/${unsent.id}`, { followUpStatus: 'contacted' }, colleague)
  await rowsOf(theirs, /^Emails that need attention/)
    .filter({ hasText: 'Una Optics' })
    .waitFor({ state: 'detached' })
  await mine.context().close()
  await theirs.context().close()
})

test('a waiting chat says whose it is, who handed it over, and with which note', async () => {
  const sessionId = await site.chat({ name: 'Handed Hanli', email: 'hanli@example.com' }, 'Are you there?')
  const [mine, theirs] = [await site.open('/admin-today'), await site.open('/admin-today', { as: colleague })]
  const row = (page: Page) => rowsOf(page, /^Waiting chats/).filter({ hasText: 'Handed Hanli' })
  await row(mine).getByText('Unassigned', { exact: true }).waitFor()
  const { id: to } = await (await site.call('GET', '/api/me', undefined, colleague)).json()
  const handed = { to, version: 0, note: 'She asked for you' }
  expect((await site.call('POST', `/api/chats/${sessionId}/assign`, handed)).status).toBe(200)
  await row(theirs).getByText('Assigned to you by thandi', { exact: true }).waitFor(SOON)
  await row(theirs).getByText('Note: She asked for you').waitFor()
  await row(mine).getByText('Assigned to Sipho Dube by you', { exact: true }).waitFor(SOON)
  for (const width of [360, 1440]) {
    await theirs.setViewportSize({ width, height: 844 })
    expect(await faultsOf(theirs), `at ${width} px`).toEqual([])
  }
  // what one comes back to by a reload or by Back is there to be read
  await theirs.getByRole('link', { name: 'Answer Handed Hanli' }).click()
  const field = theirs.getByPlaceholder('Type your response...')
  await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
  await theirs.reload()
  await field.waitFor()
  expect(await field.evaluate((it) => it === document.activeElement)).toBe(false)
  await Promise.all([mine, theirs].map((page) => page.context().close()))
})

test('a row tells how a visitor wants to be reached, and which package they ask about', async () => {
  const quote = { leadSource: 'contact_form', industry: 'whatsapp', package: 'professional' }
  const { id } = await site.submit({ name: 'Quoted Queen', ...quote })
  const contract = { leadSource: 'contract_premium', businessName: 'Stoep', agreedToTerms: true }
  const signed = await site.submit({ name: 'Packed Pieter', package: 'Premium - R1,499 + R499/month', ...contract })
  const page = await site.open('/admin-today')
  const row = rowsOf(page, /^New/).filter({ hasText: 'Quoted Queen' })
  await row.getByText('Prefers WhatsApp', { exact: true }).waitFor()
  await row.getByText('Professional', { exact: true }).waitFor()
  const other = rowsOf(page, /^New/).filter({ hasText: 'Packed Pieter' })
  expect(await other.getByText(/Premium, R1,499/).count()).toBe(1)
  expect(await other.getByText(/^Prefers/).count()).toBe(0)
  await page.setViewportSize({ width: 360, height: 844 })
  expect(await faultsOf(page)).toEqual([])
  for (const each of [id, signed.id]) await site.call('PATCH', `/api/leads/${each}`, { followUpStatus: 'contacted' })
  await page.context().close()
})

test('a row tells that the person was answered under another lead, or that this is a colleague’s, and leads there', async () => {
  const person = { name: 'Ayanda Cele', email: 'ayanda@example.co.za', phone: '082 555 0161' }
  const answered = await site.submit({ ...person, message: 'A site for my salon' })
  const waiting = await site.submit({ ...person, email: 'AYANDA@example.co.za', message: 'And a webshop' })
  const [mine, theirs] = [await site.open('/admin-today'), await site.open('/admin-today', { as: colleague })]
  const row = (page: Page) => rowsOf(page, /^New/).filter({ hasText: 'And a webshop' })
  const saysNothing = async () => {
    await row(mine).waitFor()
    expect(
      await row(mine)
        .getByText(/^Also asked/)
        .count(),
    ).toBe(0)
  }
  await saysNothing()
  const { id: ownerId } = await (await site.call('GET', '/api/me', undefined, colleague)).json()
  expect((await site.call('PATCH', `/api/leads/${answered.id}`, { ownerId })).status).toBe(200)
  await row(mine).getByText('Also asked: not answered yet, owner Sipho Dube', { exact: true }).waitFor(SOON)

  const contact = { channel: 'whatsapp', text: 'Good day' }
  expect((await site.call('POST', `/api/leads/${answered.id}/contacts`, contact)).status).toBe(201)
  const link = row(theirs).getByRole('link', { name: /^Also asked: answered by thandi, \d\d:\d\d$/ })
  expect(await link.getAttribute('href', SOON)).toBe(`/admin-lead?id=${answered.id}`)
  for (const width of [360, 390, 1024, 1440]) {
    await theirs.setViewportSize({ width, height: 844 })
    expect(await faultsOf(theirs), `at ${width} px`).toEqual([])
  }
  // a node of an older version says nothing of it
  await mine.route('**/api/today', async (route) => {
    const response = await route.fetch()
    const { otherRequests: _, ...rest } = await response.json()
    await route.fulfill({ json: rest })
  })
  await mine.reload()
  await saysNothing()
  await link.click()
  await theirs.getByText('A site for my salon').first().waitFor()
  await theirs.goBack()
  await row(theirs).waitFor()
  // Today may be asked for just now
  await mine.unrouteAll({ behavior: 'ignoreErrors' })
  await site.call('PATCH', `/api/leads/${waiting.id}`, { followUpStatus: 'contacted' })
  await Promise.all([mine, theirs].map((page) => page.context().close()))
})

test('a request of the same number under another name says so, and one that is lost is not called answered', async () => {
  const phone = '082 555 0162'
  const lost = await site.submit({ name: 'Bongani Zulu', phone })
  const waiting = await site.submit({ name: 'Cebile Zulu', phone })
  expect((await site.call('PATCH', `/api/leads/${lost.id}`, { followUpStatus: 'lost' }, colleague)).status).toBe(200)
  const page = await site.open('/admin-today')
  const row = rowsOf(page, /^New/).filter({ hasText: 'Cebile Zulu' })
  await row.getByText('Also asked, as Bongani Zulu: lost', { exact: true }).waitFor(SOON)
  await site.call('PATCH', `/api/leads/${waiting.id}`, { followUpStatus: 'contacted' })
  await page.context().close()
})

test('a list of which not all is shown says at its end how much there is, and leads there', async () => {
  await Promise.all(Array.from({ length: 11 }, (_, number) => site.submit({ name: `Many Mandla ${number}` })))
  const page = await site.open('/admin-today')
  await expect.poll(() => rowsOf(page, /^New 1\d/).count()).toBe(10)
  const list = section(page, /^New/)
  await list
    .getByText(/^10 of 1\d shown/)
    .getByRole('link', { name: 'See all' })
    .click()
  await page.waitForURL('**/admin-dashboard?period=all&status=new&sort=asc')
  await page.getByText(/^1\d submissions found/).waitFor()
  await page.context().close()
})
