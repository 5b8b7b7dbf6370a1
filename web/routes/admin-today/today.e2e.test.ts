import type { Locator, Page } from 'playwright-core'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agencyDay } from '../../../events/base/agency-day.ts'
import { DAY_MS } from '../../../events/base/time.ts'
import { STAFF } from '../../../events/testing/node.ts'
import { fillSignIn } from '../../testing/sign-in.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../testing/staff-site.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

const THUMB = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Today fetches its chats every 5 s. */
const SOON = { timeout: 30_000 }

let site: StaffSite
let colleague: TestSession

beforeAll(async () => {
  site = await startStaffSite([
    { name: 'First Fatima', at: daysAgo(14).toISOString() },
    { name: 'Later Lindiwe', businessName: 'Lindiwe Catering', at: daysAgo(12).toISOString() },
    { name: 'Third Thabo', at: daysAgo(10).toISOString() },
    { name: 'Late Lerato', at: daysAgo(9).toISOString() },
  ])
  colleague = await site.hire('Sipho Dube')
})

afterAll(() => site?.stop())

const section = (page: Page, name: RegExp) => page.getByRole('region', { name })
const rowsOf = (page: Page, name: RegExp) => section(page, name).getByRole('listitem')
const pressOn = (page: Page, name: string) => page.getByRole('button', { name: `Mark contacted: ${name}` })

const giveNextAction = async (name: string, day: Date) => {
  const { id } = await site.submit({ name })
  const change = { followUpStatus: 'quoted', nextActionDate: agencyDay(day) }
  expect((await site.call('PATCH', `/api/leads/${id}`, change)).status).toBe(200)
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

/** The most that the app's first screen may load, in bytes as they are sent. */
const MAX_SCRIPT = 180_000

test('the first screen loads at most 180 kB of compressed script', async () => {
  const page = await site.open('/admin-today')
  await pressOn(page, 'First Fatima').waitFor()
  const bytes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
  expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT)
  expect(bytes, 'it measures').toBeGreaterThan(MAX_SCRIPT / 3)
  await page.context().close()
})

test('a window of 1440×900 shows fourteen leads to answer, and a phone six', async () => {
  const added = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      site.submit({ name: `New Nomvula ${at}`, message: 'Please call me about a site for my bakery. '.repeat(10) }),
    ),
  )
  const page = await site.open('/admin-today', { viewport: { width: 1440, height: 900 } })
  await page
    .getByRole('button', { name: /^Mark contacted: New Nomvula/ })
    .nth(9)
    .waitFor()
  const wholeAbove = (end: number, on = page) =>
    on
      .getByRole('listitem')
      .filter({ has: on.getByRole('button', { name: /^Mark contacted/ }) })
      .evaluateAll((rows, end) => rows.filter((row) => row.getBoundingClientRect().bottom <= end).length, end)
  expect(await wholeAbove(900)).toBeGreaterThanOrEqual(14)
  await page.context().close()
  const phone = await site.open('/admin-today', THUMB)
  const boxOf = async (it: Locator) => (await it.first().boundingBox()) ?? expect.fail()
  const words = phone.getByText(/^Please call me about a site/)
  await words.first().waitFor()
  expect(
    await wholeAbove((await boxOf(phone.getByRole('navigation', { name: 'Staff' }))).y, phone),
  ).toBeGreaterThanOrEqual(6)
  // enough to know what it is about
  expect((await boxOf(words)).width).toBeGreaterThan(120)
  const all = await boxOf(phone.getByRole('link', { name: 'See all new leads' }))
  expect(Math.min(all.width, all.height)).toBeGreaterThanOrEqual(44)
  await phone.context().close()
  for (const { id } of added) await site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'lost' })
})

test('a second press at the same place marks no other lead, and one on the same button leaves the undo', async () => {
  const page = await site.open('/admin-today')
  const box = (await pressOn(page, 'First Fatima').boundingBox()) ?? expect.fail()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2] as const
  // presses again at the moment when the row has left
  await page.evaluate(
    ([x, y]) => {
      const pressed = document.elementFromPoint(x, y)
      new MutationObserver((_, observer) => {
        if (pressed?.isConnected) return
        observer.disconnect()
        const next = document.elementFromPoint(x, y)?.closest('button')
        next?.dispatchEvent(
          new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: y }),
        )
        document.body.dataset.second = next?.ariaLabel ?? 'nothing'
      }).observe(document.body, { childList: true, subtree: true })
    },
    [x, y] as const,
  )
  await page.mouse.click(x, y)
  await pressOn(page, 'First Fatima').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.body.dataset.second)).toBe('Mark contacted: Later Lindiwe')
  // a press elsewhere counts: it comes after the second press would have acted
  await pressOn(page, 'Third Thabo').click({ position: { x: 4, y: 4 } })
  await pressOn(page, 'Third Thabo').waitFor({ state: 'detached' })
  expect(await pressOn(page, 'Later Lindiwe').count()).toBe(1)
  const leads: { name: string; followUpStatus: string }[] = await (await site.call('GET', '/api/leads')).json()
  expect(leads.find(({ name }) => name === 'Later Lindiwe')?.followUpStatus).toBe('new')

  const held = Promise.withResolvers<void>()
  await page.route('**/api/today*', async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  const button = pressOn(page, 'Later Lindiwe')
  await button.click()
  await page.getByRole('region', { name: 'Notifications (F8)' }).getByText('Marked contacted: Later Lindiwe').waitFor()
  // it is marked as busy: a person presses it all the same
  await button.click({ force: true })
  await button.click({ force: true })
  const undo = page.getByRole('button', { name: 'Undo' })
  // a toast stays as long as the mouse is over it
  await undo.hover()
  held.resolve()
  await button.waitFor({ state: 'detached' })
  await undo.click()
  await button.waitFor()
  await page.context().close()
})

/** Loads a page again without its timer of 5 s: it then fetches only if it is notified. */
const fetchOnlyIfTold = async (page: Page) => {
  await page.addInitScript(() => {
    const start = window.setTimeout
    window.setTimeout = ((act: () => void, ms: number) => (ms === 5_000 ? 0 : start(act, ms))) as typeof start
  })
  await page.reload()
}

test('sign-in opens the most urgent tasks, each a click from its action, live, for two at once', async () => {
  const mine = await (await site.browser.newContext({ baseURL: site.node.url, reducedMotion: 'reduce' })).newPage()
  await mine.goto('/login')
  await fillSignIn(mine, STAFF)
  await mine.waitForURL('**/admin-today')
  const links = mine.getByRole('navigation', { name: 'Staff' }).getByRole('link')
  await expect.poll(() => links.first().textContent()).toBe('Today')
  const theirs = await site.open('/admin-today', { as: colleague })
  await expect
    .poll(() =>
      rowsOf(mine, /^Now 2/)
        .getByRole('link')
        .first()
        .textContent(),
    )
    .toBe('Later Lindiwe, Lindiwe Catering')

  const soon = await site.submit({ name: 'Soon Sarah', message: 'Could you build a shop?' })
  await rowsOf(mine, /^Now 3/)
    .getByText('Soon Sarah')
    .waitFor()
  await giveNextAction('Today Tumi', new Date())
  await giveNextAction('Yesterday Yusuf', daysAgo(1))
  await giveNextAction('Tomorrow Thabo', daysAgo(-1))
  const sessionId = await site.chat({ name: 'Chatty Chris', email: 'chris@example.com' }, 'Do you build shops?')
  const { id: to } = await (await site.call('GET', '/api/me', undefined, colleague)).json()
  const handed = { to, version: 0, note: 'He asked for you' }
  expect((await site.call('POST', `/api/chats/${sessionId}/assign`, handed)).status).toBe(200)
  await failAnEmail()
  await section(mine, /^Next actions 2/).waitFor()
  await section(mine, /^To check 1/).waitFor()
  const chat = rowsOf(theirs, /^Now 4/)
  await chat.getByText('Do you build shops?').waitFor(SOON)
  await chat.getByText('Assigned to you by thandi', { exact: true }).waitFor(SOON)
  await chat.getByText('Note: He asked for you').waitFor()
  await rowsOf(mine, /^Now/).getByText('Assigned to Sipho Dube by you', { exact: true }).waitFor(SOON)
  expect(await mine.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Now 4',
    'Next actions 2',
    'To check 1',
  ])

  await theirs.setViewportSize({ width: 390, height: 500 })
  await pressOn(theirs, 'Soon Sarah').press('Enter')
  const undo = theirs.getByRole('button', { name: 'Undo' })
  await undo.hover()
  await section(theirs, /^Now 3/).waitFor()
  await section(mine, /^Now 3/).waitFor()
  // the row in its place is next, and the page stays at its position
  await expect
    .poll(() => theirs.evaluate(() => document.activeElement?.closest('section')?.textContent))
    .toMatch(/^Next action/)
  await undo.click()
  await rowsOf(mine, /^Now 4/)
    .getByText('Soon Sarah')
    .waitFor()

  await theirs.setViewportSize({ width: 1024, height: 500 })
  await theirs.getByRole('link', { name: 'Email Soon Sarah' }).click()
  await theirs.waitForURL(`**/admin-lead?id=${soon.id}#answer`)
  await theirs.getByRole('heading', { name: 'Answer' }).waitFor()
  await theirs.goBack()
  await theirs.getByRole('link', { name: 'Call Soon Sarah' }).click()
  await theirs.getByRole('button', { name: 'Log call' }).click()
  await theirs.getByRole('dialog', { name: 'Log call: Soon Sarah' }).getByRole('button', { name: 'No answer' }).click()
  await theirs.getByText('No answer logged').waitFor()
  for (const page of [mine, theirs]) {
    const row = rowsOf(page, /^Now/).filter({ hasText: 'Soon Sarah' })
    await row.getByText(/^Called, no answer · \d\d:\d\d$/).waitFor(SOON)
  }
  await theirs.getByRole('button', { name: 'Done: Yesterday Yusuf' }).click()
  await section(mine, /^Next actions 1/).waitFor()

  await mine.getByRole('link', { name: 'Answer Chatty Chris' }).click()
  await mine.waitForURL('**/admin-chat?session=*')
  const field = mine.getByPlaceholder('Type your response...')
  const isInField = () => field.evaluate((it) => it === document.activeElement)
  await expect.poll(isInField).toBe(true)
  // after a reload or Back, the chat is there to be read: the field does not take the focus
  await mine.reload()
  await field.waitFor()
  expect(await isInField()).toBe(false)
  await field.fill('Good day, Chris')
  await mine.getByRole('button', { name: 'Send', exact: true }).click()
  await rowsOf(theirs, /^Now/).filter({ hasText: 'Chatty Chris' }).waitFor({ state: 'detached' })
  await Promise.all([mine, theirs].map((page) => page.context().close()))
})

test('contracts in quarantine and all other facts in a row fit into any window, and change live', async () => {
  const contract = { leadSource: 'contract_premium', agreedToTerms: true }
  const person = { name: 'Ayanda Cele', email: 'ayanda@example.co.za', phone: '082 555 0161' }
  const answered = await site.submit({ ...person, message: 'A site for my salon' })
  await site.submit({ ...person, email: 'AYANDA@example.co.za', message: 'And a webshop' })
  const note = { channel: 'whatsapp', text: 'Good day' }
  expect((await site.call('POST', `/api/leads/${answered.id}/contacts`, note)).status).toBe(201)
  await site.submit({ name: 'Quoted Queen', leadSource: 'contact_form', industry: 'whatsapp', package: 'professional' })
  await site.submit({
    ...contract,
    name: 'Signed Sam',
    businessName: 'Stoep',
    package: 'Premium - R1,499 + R499/month',
  })
  await site.submit({
    ...contract,
    name: 'Trapped Thami',
    businessName: 'Thami Motors',
    ...({ quartz: 'x' } as object),
  })
  await site.chat({ name: 'Handed Hanli', email: 'hanli@example.com' }, 'Are you there?')
  const page = await site.open('/admin-today')
  await fetchOnlyIfTold(page)
  // with the failed email
  await section(page, /^To check 2/).waitFor()
  const trapped = await site.submit({
    ...contract,
    name: 'Spam Sam',
    businessName: 'Buy Cheap',
    ...({ quartz: 'x' } as object),
  })
  await section(page, /^To check 3/).waitFor()
  // the first in the group, though it came before others
  await rowsOf(page, /^Now/)
    .filter({ hasNot: page.getByRole('link', { name: /^Answer/ }) })
    .first()
    .getByText('Contract signed')
    .waitFor()
  await page.getByText('Email is not set up').waitFor()
  await rowsOf(page, /^Now/)
    .getByRole('link', { name: /^Also asked: answered by thandi, \d\d:\d\d$/ })
    .waitFor()
  await page.getByRole('link', { name: 'Answer Handed Hanli' }).waitFor()
  for (const width of [360, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  for (const [followUpStatus, count] of Object.entries({ lost: 2, new: 3 })) {
    await site.call('PATCH', `/api/leads/${trapped.id}`, { followUpStatus })
    await section(page, new RegExp(`^To check ${count}`)).waitFor()
  }
  await site.call('POST', `/api/leads/${trapped.id}/release`, {})
  await rowsOf(page, /^Now/).getByText('Buy Cheap').waitFor()

  // an older page's failure disappears once the network is back
  await page.reload()
  const failure = page.getByText('Error loading today’s work')
  await page.route('**/api/today', (route) => route.abort())
  await page.reload()
  await failure.waitFor()
  expect(await faultsOf(page), 'with a failure').toEqual([])
  await page.context().setOffline(true)
  await page.unroute('**/api/today')
  await page.context().setOffline(false)
  await failure.waitFor({ state: 'detached' })
  await page.context().close()
})
