import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TimelineEntry } from '../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { passMidnight } from '../../../events/testing/clock.ts'
import { openTestSmtp, type TestSmtp } from '../../../events/testing/smtp.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../testing/staff-site.ts'

const SOON = { timeout: 30_000 }

let smtp: TestSmtp
let site: StaffSite
let ben: TestSession

beforeAll(passMidnight)

beforeAll(async () => {
  smtp = await openTestSmtp()
  site = await startStaffSite([], { SMTP_URL: smtp.url, EMAIL_SMTP_PER_MINUTE: '600' })
  ben = await site.hire('Ben Dube')
})

afterAll(async () => {
  await site?.stop()
  await smtp?.close()
})

const open = async (lead: Lead, options: Parameters<StaffSite['open']>[1] = {}) => {
  const page = await site.open(`/admin-lead?id=${lead.id}`, options)
  await write(page).waitFor()
  return page
}
const panel = (page: Page) => page.getByRole('region', { name: 'Answer' })
const write = (page: Page) => panel(page).getByRole('button', { name: /^Email/ })
const send = (page: Page) => panel(page).getByRole('button', { name: 'Send email' })
const notices = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' })
const toast = (page: Page, text: string) => notices(page).getByText(text).waitFor()
const status = (page: Page) => page.getByLabel('Status', { exact: true })
const saved = async ({ id }: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${id}`)).json()
const timelineOf = async ({ id }: Lead): Promise<TimelineEntry[]> =>
  (await (await site.call('GET', `/api/leads/${id}/person`)).json()).timeline
const received = (lead: Lead) => smtp.taken.filter(({ to }) => to.includes(lead.email))
const entries = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const close = (...pages: Page[]) => Promise.all(pages.map((page) => page.context().close()))

test('an email reaches the lead once, by a double click too; a colleague sees it at once, and no longer counts it as a reply', async () => {
  const lead = await site.submit({ name: 'Thandi Mokoena', leadSource: 'live_chat' })
  const [page, other] = [await open(lead), await open(lead, { as: ben })]
  for (const each of [page, other]) await write(each).click()
  await panel(page).getByLabel('Text').fill('Hello Thandi Mokoena, this one is by hand.')
  await send(page).dblclick()
  await toast(page, 'Email on its way')
  expect(await send(page).count()).toBe(0)
  // a staff member who writes as well is warned before a second email is sent
  await panel(other)
    .getByRole('alert')
    .getByText(/^thandi has replied since /)
    .waitFor(SOON)
  expect(await faultsOf(other)).toEqual([])
  for (const each of [page, other]) {
    const entry = entries(each).filter({ hasText: 'Wrote an email' })
    await entry.getByText('Email delivered', { exact: true }).waitFor(SOON)
    await entry.getByText('Hello Thandi Mokoena, this one is by hand.').waitFor()
    await expect.poll(() => status(each).inputValue()).toBe('contacted')
    expect(await each.getByText(/^Answer by /).count()).toBe(0)
  }
  expect(received(lead).map(({ message }) => message.includes('this one is by hand.'))).toEqual([true])
  await entries(other)
    .getByRole('button', { name: /^Not an answer/ })
    .click()
  await toast(other, 'The email itself can’t be recalled.')
  for (const each of [page, other]) await each.getByText(/^Answer by /).waitFor(SOON)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'new', ownerId: null })
  await close(page, other)
})

test('an email is written with its whole form visible on every screen, and its mark in a list links to the draft', async () => {
  const person = { name: 'Mark Naidoo', email: 'mark@example.com', message: 'Could you build a shop?\n'.repeat(20) }
  const [lead, gone] = [await site.submit(person), await site.submit(person)]
  const headers = { 'content-type': 'application/json', 'if-match': `"${lead.version}"`, ...site.owner }
  const body = JSON.stringify({ mergedId: gone.id, mergedVersion: gone.version, takes: [] })
  expect((await site.node.call(`/api/leads/${lead.id}/merge`, { method: 'POST', headers, body })).status).toBe(200)
  const page = await open(lead)
  const [subject, text] = [page.getByLabel('Subject'), panel(page).getByLabel('Text')]
  await write(page).click()
  await expect.poll(() => text.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.getByLabel('Template').selectOption({ label: 'Package details' })
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    const bar = await page.evaluate(() => document.querySelector('nav[aria-label=Staff]')?.getBoundingClientRect().top)
    const foot = width < 768 ? (bar ?? expect.fail()) : height
    for (const words of ['Hello', 'One more line\n'.repeat(60)]) {
      await text.fill(words)
      await text.evaluate((it) => it.scrollIntoView({ block: 'nearest' }))
      const button = (await send(page).boundingBox()) ?? expect.fail()
      expect(button.y + button.height).toBeLessThanOrEqual(foot)
      expect((await subject.boundingBox())?.y).toBeGreaterThanOrEqual(0)
    }
    expect(await faultsOf(page)).toEqual([])
  }
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/admin-today')
    const mark = page.getByRole('link', { name: 'Unsent email: Mark Naidoo' })
    await page.getByRole('listitem').filter({ has: mark }).getByText('+ merged lead', { exact: true }).waitFor()
    await mark.click()
    await page.waitForURL(`**/admin-lead?id=${lead.id}#answer`)
    await expect.poll(() => text.evaluate((it) => it === document.activeElement)).toBe(true)
    const { y, height } = (await text.boundingBox()) ?? expect.fail()
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(844)
  }
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.waitForURL('**/admin-today')
  await close(page)
})

test('a lead whose email the mail server refuses waits again for all staff, until it is sent to the right address', async () => {
  smtp.answer({ recipient: () => ({ status: 550, text: '5.1.1 no such user' }) })
  const lead = await site.submit({ name: 'Bouncing Bea', leadSource: 'live_chat' })
  const [page, today] = [await open(lead), await site.open('/admin-today', { as: ben })]
  await write(page).click()
  await panel(page).getByLabel('Text').fill('My own words')
  await send(page).click()
  await toast(page, 'The email did not arrive')
  await entries(page).filter({ hasText: 'The email failed' }).waitFor(SOON)
  await page.getByText(/^Answer by /).waitFor(SOON)
  await expect.poll(() => status(page).inputValue()).toBe('new')
  const row = today.getByRole('listitem').filter({ hasText: 'Bouncing Bea' }).filter({ hasText: 'Email failed' })
  await row.first().waitFor(SOON)
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  smtp.answer({})
  const right = `right-${lead.email}`
  const headers = { 'content-type': 'application/json', ...site.owner }
  const body = JSON.stringify({ email: right })
  expect((await site.node.call(`/api/leads/${lead.id}/contact`, { method: 'PATCH', headers, body })).status).toBe(200)
  await panel(page)
    .getByText(/The address has been corrected since: write again\.$/)
    .waitFor(SOON)
  await write(page).click()
  await expect.poll(() => panel(page).getByLabel('Text').inputValue()).toBe('My own words')
  await send(page).click()
  await expect.poll(() => smtp.taken.map(({ to }) => to), SOON).toContainEqual([right])
  await expect.poll(() => status(page).inputValue(), SOON).toBe('contacted')
  await close(page, today)
})

test('an email that several tabs show is sent once: the others close it, except for text that was typed there', async () => {
  const lead = await site.submit({ name: 'Tabitha Zulu', leadSource: 'live_chat' })
  const page = await open(lead)
  await write(page).click()
  await panel(page).getByLabel('Text').fill('Hello Tabitha, from one of the tabs.')
  const restore = async (tab: Page) => {
    await tab.goto(`/admin-lead?id=${lead.id}`)
    await panel(tab).getByText('You typed this before. It is not sent yet.').waitFor()
    await entries(tab).first().waitFor()
  }
  const context = page.context()
  const [other, edited, late] = [await context.newPage(), await context.newPage(), await context.newPage()]
  // a tab that gets no messages from the others
  await late.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation()))
  for (const tab of [other, edited, late]) await restore(tab)
  await panel(edited).getByLabel('Text').fill('Hello Tabitha, these are other words.')
  await send(page).click()
  await toast(page, 'Email on its way')
  await toast(other, 'This email was sent or discarded in another tab')
  expect(await panel(other).getByLabel('Text').count()).toBe(0)
  expect(await panel(edited).getByLabel('Text').inputValue()).toBe('Hello Tabitha, these are other words.')
  await panel(late)
    .getByText(/^Last answered by /)
    .waitFor(SOON)
  await send(late).click()
  await panel(late)
    .getByText(/ has replied since /)
    .waitFor()
  await panel(late).getByRole('button', { name: 'Send anyway' }).click()
  await toast(late, 'Email on its way')
  const kinds = (await timelineOf(lead)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'answer_email')).toHaveLength(1)
  await context.close()
})

test('the timeline shows a copy that the customer’s mail server refused, and a contract that reached our inbox', async () => {
  smtp.answer({ recipient: () => ({ status: 550, text: '5.1.1 no such user' }) })
  const lead = await site.submit({ name: 'Copied Cora', leadSource: 'hero_form' })
  const emailsOf = async (about: Lead) => (await timelineOf(about)).filter(({ kind }) => kind === 'email')
  const copy = { carries: 'lead_copy', state: 'rejected', to: lead.email }
  await expect.poll(() => emailsOf(lead), SOON).toMatchObject([{ data: copy }])
  smtp.answer({})
  const contract = { businessName: 'Stoep', leadSource: 'contract_premium', agreedToTerms: true }
  const signed = await site.submit({ name: 'Signing Sam', ...contract })
  await expect.poll(() => emailsOf(signed), SOON).toMatchObject([{ data: { state: 'delivered' } }])
  expect((await saved(signed)).emailStatus).toBe('delivered')
})

test('the timeline shows that a chat was handed over, and not that one was taken', async () => {
  const email = 'handed@example.co.za'
  const sessionId = await site.chat({ name: 'Lindiwe', email }, 'Who builds shops?')
  const form = { name: 'Lindiwe Zulu', email, phone: '082 555 0188' }
  const lead: Lead = await (await site.call('POST', `/api/chats/${sessionId}/lead`, form)).json()
  const assign = async (given: object) =>
    expect((await site.call('POST', `/api/chats/${sessionId}/assign`, given)).ok).toBe(true)
  const idOf = async (as?: TestSession) => (await (await site.call('GET', '/api/me', undefined, as)).json()).id
  await assign({ to: await idOf(), version: 0 })
  await assign({ to: await idOf(ben), version: 1, note: 'Wants a shop before December' })
  const handed = async () => (await timelineOf(lead)).filter(({ kind }) => kind === 'chat_handed')
  const data = { to: 'Ben Dube', note: 'Wants a shop before December' }
  await expect.poll(handed, SOON).toMatchObject([{ by: 'thandi', sessionId, data }])
})

test('a call is logged from its toast after the screen has changed, and an offline toast stays visible', async () => {
  const name = 'Long-named Louisa van der Westhuizen-Mokoena'
  const lead = await site.submit({ name, phone: '082 555 0135' })
  const page = await site.open('/admin-dashboard?q=louisa', { as: ben, viewport: { width: 320, height: 700 } })
  const card = page.getByRole('article', { name })
  await card.getByRole('button', { name: `Log call: ${name}` }).waitFor()
  await card.getByRole('link', { name: '082 555 0135' }).click()
  await page.getByRole('button', { name: 'Log call', exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: /^Today/ }).click()
  await page.waitForURL('**/admin-today')
  await page.getByRole('button', { name: 'Log call', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Log call: ${name}` })
  await dialog.getByRole('button', { name: 'We spoke' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'We spoke' }).dblclick()
  await page.getByText(`Call logged: ${name}`).waitFor()
  expect((await timelineOf(lead)).map(({ kind }) => kind)).toEqual(['lead', 'call'])

  await page.context().setOffline(true)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const offline = page.getByText(/^You are offline\. What you see/)
  await offline.waitFor()
  await expect.poll(async () => ((await offline.boundingBox())?.y ?? -1) >= 0).toBe(true)
  await page.context().setOffline(false)
  await offline.waitFor({ state: 'detached' })
  await close(page)
})

test('a lead created from a live chat is answered there, which is undone, counted again, and right after Back and a reload', async () => {
  const email = 'zanele@example.co.za'
  const elsewhere = await site.chat({ name: 'Somebody Else', email: '' }, 'Hello there')
  const sessionId = await site.chat({ name: 'Zanele', email }, 'Did you get my request?')
  const form = { name: 'Zanele Khumalo', email, phone: '082 555 0177' }
  const lead: Lead = await (await site.call('POST', `/api/chats/${sessionId}/lead`, form)).json()
  const page = await open(lead)
  await page.getByText(/^Answer by /).waitFor()
  const chat = await site.open(`/admin-chat?session=${sessionId}`, { as: ben })
  const waiting = chat.getByRole('region', { name: 'Waiting lead' })
  const count = waiting.getByRole('button', { name: 'Count your reply as the answer' })
  const field = chat.getByPlaceholder('Type your response...')
  await chat.getByText('Did you get my request?').first().waitFor()
  await field.fill('We did, and call you at ten.')
  await chat.keyboard.press('Enter')

  await page.getByText(/^Answer by /).waitFor({ state: 'detached', ...SOON })
  await panel(page)
    .getByText(/^Answered in the chat by Ben Dube, /)
    .waitFor(SOON)
  const answer = entries(page).filter({ hasText: 'Answered in the chat' })
  await answer.getByRole('button', { name: /^Not an answer/ }).click()
  await page.getByText(/^Answer by /).waitFor(SOON)
  expect(await faultsOf(page)).toEqual([])
  await count.waitFor(SOON)
  for (const width of [390, 1440]) {
    await chat.setViewportSize({ width, height: 900 })
    expect(await faultsOf(chat), `at ${width} px`).toEqual([])
  }
  await count.press('Enter')
  await waiting.waitFor({ state: 'detached', ...SOON })
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true)
  await page.getByText(/^Answer by /).waitFor({ state: 'detached', ...SOON })

  await chat.getByRole('button', { name: /^Somebody Else/ }).click()
  await chat.waitForURL(`**/admin-chat?session=${elsewhere}`)
  await chat.getByText('Hello there').last().waitFor()
  const { id } = (await timelineOf(lead)).findLast(({ kind }) => kind === 'chat_answer') ?? expect.fail()
  expect((await site.call('POST', `/api/leads/${lead.id}/undo`, { eventId: id })).status).toBe(200)
  await chat.goBack()
  await count.waitFor(SOON)
  const counted = Promise.withResolvers<void>()
  await chat.route('**/chat-answers', async (route) => {
    await route.fetch()
    counted.resolve() // its response never comes
  })
  await count.click()
  await counted.promise
  await chat.reload()
  await chat.getByText('We did, and call you at ten.').last().waitFor()
  await waiting.waitFor({ state: 'detached', ...SOON })
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted' })
  await close(page, chat)
})
