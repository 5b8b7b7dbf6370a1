import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { referenceOf } from '../../../events/reference.ts'
import { passMidnight } from '../../../events/testing/clock.ts'
import { openTestSmtp, type TestSmtp } from '../../../events/testing/smtp.ts'
import type { ListedEmail } from '../../../events/wire/email.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

const SOON = { timeout: 30_000 }

let smtp: TestSmtp
let site: StaffSite
let ben: TestSession
let lead: Lead

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

beforeEach(async () => {
  smtp.taken.length = 0
  lead = await site.submit({
    name: 'Thandi Mokoena',
    businessName: 'Stoep & Co',
    package: 'premium',
    leadSource: 'live_chat',
  })
})

const open = async (options: Parameters<StaffSite['open']>[1] = {}) => {
  const page = await site.open(`/admin-lead?id=${lead.id}`, options)
  await page.getByRole('heading', { name: 'Answer' }).waitFor()
  return page
}
const panel = (page: Page) => page.getByRole('region', { name: 'Answer' })
const write = (page: Page) => panel(page).getByRole('button', { name: 'Write an email' })
const send = (page: Page) => panel(page).getByRole('button', { name: 'Send email' })
const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByText(text).waitFor()
/** Answers a lead, so that it takes no row of Today from those of the tests below: ten are shown. */
const putAside = ({ id }: Lead) => site.call('PATCH', `/api/leads/${id}`, { followUpStatus: 'contacted' })
const saved = async (): Promise<Lead> => (await site.call('GET', `/api/leads/${lead.id}`)).json()
/** What has reached this test's lead: an email of an earlier test may be late. */
const received = () => smtp.taken.filter(({ to }) => to.includes(lead.email))
const entries = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')

test('an email from a template reaches the lead once, by a double click too, and a colleague sees it', async () => {
  const [page, other] = [await open(), await open({ as: ben })]
  await page.getByText(/^Reply due /).waitFor()
  await write(page).click()
  const [subject, text] = [page.getByLabel('Subject'), panel(page).getByLabel('Text')]
  await page.getByLabel('Template').selectOption({ label: 'Package details' })
  expect(await subject.inputValue()).toBe(`The Premium package, reference ${referenceOf(lead.id)}`)
  expect(await text.inputValue()).toMatch(/^Hello Thandi Mokoena,[\s\S]*Kind regards\nSupport Team\nKaroo Web Studio$/)
  await text.fill('Hello Thandi Mokoena, this one is by hand.')
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await send(page).dblclick()
  await toast(page, 'Email on its way')
  expect(await send(page).count()).toBe(0)
  for (const each of [page, other]) {
    const entry = entries(each).filter({ hasText: 'Wrote an email' })
    await entry.getByText('Email delivered', { exact: true }).waitFor(SOON)
    await entry.getByText('Hello Thandi Mokoena, this one is by hand.').waitFor()
    await panel(each)
      .getByText(/^Last answered by thandi, /)
      .waitFor(SOON)
    await expect.poll(() => each.getByLabel('Status', { exact: true }).inputValue()).toBe('contacted')
    expect(await each.getByText(/^Reply due /).count()).toBe(0)
  }
  expect(received()).toHaveLength(1)
  expect(received()[0]?.message).toContain('Hello Thandi Mokoena, this one is by hand.')
  await Promise.all([page, other].map((each) => each.context().close()))
})

test.each([
  [1440, 900],
  [390, 844],
])('the subject, the text and the button that sends are in sight together, at %i by %i px', async (width, height) => {
  const page = await open({ viewport: { width, height } })
  await write(page).click()
  const [subject, text] = [page.getByLabel('Subject'), panel(page).getByLabel('Text')]
  await expect.poll(() => text.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.getByLabel('Template').selectOption({ label: 'Package details' })
  const bar = await page.evaluate(() => document.querySelector('nav[aria-label=Staff]')?.getBoundingClientRect().top)
  const foot = width < 768 ? (bar ?? expect.fail()) : height
  const sentAt = async () => (await send(page).boundingBox()) ?? expect.fail()
  const topOfSubject = async () => (await subject.boundingBox())?.y
  for (const words of ['Hello Thandi Mokoena', 'One more line\n'.repeat(60)]) {
    await text.fill(words)
    await text.evaluate((it) => it.scrollIntoView({ block: 'nearest' }))
    const { y, height: tall } = await sentAt()
    expect(y + tall).toBeLessThanOrEqual(foot)
    expect(await topOfSubject()).toBeGreaterThanOrEqual(0)
  }
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('an email that the mail server refuses is no answer: the lead waits again for everybody, until it is sent again', async () => {
  smtp.answer({ recipient: () => ({ status: 550, text: '5.1.1 no such user' }) })
  const [page, today] = [await open(), await site.open('/admin-today', { as: ben })]
  await write(page).click()
  await send(page).click()
  await toast(page, 'The email reached nobody')
  await entries(page).filter({ hasText: 'The email failed' }).getByText('It reached nobody').waitFor(SOON)
  await page.getByText('Email failed', { exact: true }).first().waitFor(SOON)
  await panel(page)
    .getByText(/That email reached nobody: correct the address below and write again, or call\.$/)
    .waitFor(SOON)
  await page.getByText(/^Reply due /).waitFor(SOON)
  await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('new')
  // that it is no answer is so already: only the other question is left
  const arrived = entries(page).getByRole('button', { name: /^It did arrive/ })
  const described = page.getByText('Use this only if you know that they have it. The lead then counts as answered.')
  await described.waitFor()
  expect(await arrived.getAttribute('aria-describedby')).toBe(await described.getAttribute('id'))
  expect(await page.getByRole('button', { name: /^Not an answer/ }).count()).toBe(0)
  // the lead was nobody's: whose it is by that email can still be taken back
  await entries(page)
    .getByRole('button', { name: /^Undo: Wrote an email/ })
    .click()
  await expect.poll(() => page.getByLabel('Owner').inputValue(), SOON).toBe('')
  await expect.poll(() => page.getByRole('button', { name: /^(Undo: Wrote|Not an answer)/ }).count(), SOON).toBe(0)
  const row = today.getByRole('listitem').filter({ hasText: 'Thandi Mokoena' }).filter({ hasText: 'Email failed' })
  await row.first().waitFor(SOON)
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  smtp.answer({})
  const mails = await site.open('/admin-email')
  await mails.getByText('"Send again" uses the same address').first().waitFor()
  await mails.getByText(lead.email, { exact: true }).first().waitFor()
  await mails
    .getByRole('button', { name: /^Send again/ })
    .first()
    .click()
  await entries(page).filter({ hasText: 'The email arrived' }).waitFor(SOON)
  await entries(page).filter({ hasText: 'Email resent' }).getByText('An answer to this lead.').waitFor()
  await entries(page).filter({ hasText: 'Email resent' }).getByText(`To ${lead.email}`).waitFor()
  await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('contacted')
  expect(await page.getByText(/^Reply due /).count()).toBe(0)
  await Promise.all([page, today, mails].map((each) => each.context().close()))
})

test('a copy that the customer’s mail server refuses is told in the timeline and before one writes, until an email arrives', async () => {
  smtp.answer({ recipient: () => ({ status: 550, text: '5.1.1 no such user' }) })
  await putAside(lead)
  lead = await site.submit({ name: 'Bouncing Bea', leadSource: 'hero_form' })
  const state = async () => {
    const mails: ListedEmail[] = await (await site.call('GET', '/api/emails')).json()
    return mails.find(({ to, recipient }) => recipient === 'visitor' && to?.includes(lead.email))?.state
  }
  await expect.poll(state, SOON).toBe('rejected')
  const page = await open()
  const warning = panel(page).getByText('An email to this address failed: check it, or call.')
  await warning.waitFor()
  const entry = entries(page).filter({ hasText: 'The copy to the customer failed' })
  await entry.getByText('It reached nobody.', { exact: true }).waitFor()
  await entry.getByText(`To ${lead.email}`, { exact: true }).waitFor()
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  smtp.answer({})
  await write(page).click()
  await send(page).click()
  await warning.waitFor({ state: 'detached', ...SOON })
  await entry.waitFor()
  await page.context().close()
})

test('that a contract has reached our inbox does not read as if the customer was answered', async () => {
  await putAside(lead)
  lead = await site.submit({ businessName: 'Stoep', leadSource: 'contract_premium', agreedToTerms: true })
  const page = await open()
  await page.getByText('Contract reached our inbox', { exact: true }).waitFor(SOON)
  const entry = entries(page).filter({ hasText: 'The contract, to our inbox.' })
  await entry.waitFor(SOON)
  expect(await entry.textContent()).not.toContain('smtp')
  await putAside(lead)
  await page.context().close()
})

test('an email that failed is there to be written again, to the address as it was corrected', async () => {
  smtp.answer({ recipient: () => ({ status: 550, text: '5.1.1 no such user' }) })
  const page = await open()
  await write(page).click()
  await panel(page).getByLabel('Text').fill('My own words')
  await send(page).click()
  await entries(page).filter({ hasText: 'The email failed' }).waitFor(SOON)
  await page.getByText('Email failed', { exact: true }).first().waitFor(SOON)
  smtp.answer({})
  const right = `right-${lead.email}`
  const headers = { 'content-type': 'application/json', ...site.owner }
  const body = JSON.stringify({ email: right })
  expect((await site.node.call(`/api/leads/${lead.id}/contact`, { method: 'PATCH', headers, body })).status).toBe(200)
  // also where the timeline comes after the form was opened
  const held = Promise.withResolvers<void>()
  await page.route('**/person', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  await write(page).click()
  await panel(page).getByLabel('Text').waitFor()
  held.resolve()
  await expect.poll(() => page.getByLabel('Template').inputValue()).toBe('The email that failed')
  expect(await panel(page).getByLabel('Text').inputValue()).toBe('My own words')
  await panel(page).getByText(`To ${right}`).waitFor()
  await panel(page)
    .getByText(/The address has been corrected since: write again\.$/)
    .waitFor()
  await send(page).click()
  await expect.poll(() => smtp.taken.map(({ to }) => to), SOON).toContainEqual([right])
  await page.context().close()
})

test('an email is one entry of the timeline that tells all it changed, with one undo that says what it cannot take back', async () => {
  const [page, other] = [await open({ as: ben }), await open()]
  await write(page).click()
  await send(page).click()
  await toast(page, 'Email on its way')
  const email = entries(page).filter({ hasText: 'Wrote an email' })
  await email.getByText('Email delivered', { exact: true }).waitFor(SOON)
  await email.getByText('Status: Contacted', { exact: true }).waitFor()
  await email.getByText('Owner: Ben Dube', { exact: true }).waitFor()
  expect(await entries(page).count()).toBe(2)
  expect(
    await entries(page)
      .getByRole('button', { name: /^Not an answer/ })
      .count(),
  ).toBe(1)
  await email
    .getByText('Use this if it was not a real reply. It takes back the changes to this lead. The email stays sent.')
    .waitFor()
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  await entries(other)
    .filter({ hasText: 'Wrote an email' })
    .getByRole('button', { name: /^Not an answer/ })
    .click()
  await toast(other, 'The email itself can’t be taken back.')
  for (const each of [page, other]) {
    await each.getByText(/^Reply due /).waitFor(SOON)
    await entries(each).getByText('Status: Contacted (undone)', { exact: true }).waitFor(SOON)
    await entries(each).getByText('Owner: Ben Dube (undone)', { exact: true }).waitFor()
    const undo = entries(each).filter({ hasText: 'Undid a change' })
    await undo.getByText('Status: New', { exact: true }).waitFor()
    await undo.getByText('Owner: Unassigned', { exact: true }).waitFor()
  }
  expect(await saved()).toMatchObject({ followUpStatus: 'new', ownerId: null })
  await Promise.all([page, other].map((each) => each.context().close()))
})

test('an address that asks for an email opens it', async () => {
  const page = await site.open(`/admin-lead?id=${lead.id}#answer`)
  await page.getByLabel('Subject').waitFor()
  await page.context().close()
})

test('a name in braces is filled in as it is', async () => {
  lead = await site.submit({ name: '{me} & Sons', leadSource: 'live_chat' })
  const page = await open()
  await write(page).click()
  expect(await panel(page).getByLabel('Text').inputValue()).toContain('Hello {me} & Sons,')
  await send(page).click()
  await page.getByRole('button', { name: 'Send as written' }).click()
  await toast(page, 'Email on its way')
  await entries(page).getByText('Hello {me} & Sons,').waitFor()
  await page.context().close()
})

test('two colleagues who answer at once each send their own, and the clock stops once', async () => {
  const pages = [await open(), await open({ as: ben })]
  for (const page of pages) await write(page).click()
  await Promise.all(pages.map((page) => send(page).click()))
  await Promise.all(pages.map((page) => toast(page, 'Email on its way')))
  await expect.poll(() => received().length, SOON).toBe(2)
  const history = await (await site.call('GET', `/api/leads/${lead.id}/history`)).json()
  expect(history.map(({ type }: { type: string }) => type)).toEqual([
    'LeadSubmitted',
    'LeadFollowUpChanged',
    'LeadFollowUpChanged',
  ])
  await Promise.all(pages.map((page) => page.context().close()))
})

test('what was typed stays where the server fails, and says what is wrong at its field', async () => {
  const page = await open()
  await write(page).click()
  await page.getByLabel('Subject').fill(' ')
  await send(page).click()
  await page.getByText('A subject is required').waitFor()
  await page.getByLabel('Subject').fill('Your website')
  await page.route('**/emails', (route) => route.abort())
  await send(page).click()
  await panel(page).getByRole('alert').waitFor()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Your website')
  await page.unroute('**/emails')
  await send(page).click()
  await toast(page, 'Email on its way')
  await expect.poll(() => received().length, SOON).toBe(1)
  await page.context().close()
})

test('WhatsApp opens with the text filled in and a call leads to its note; both are noted once somebody says so', async () => {
  const page = await open()
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const whatsapp = panel(page).getByRole('link', { name: 'WhatsApp' })
  const href = new URL((await whatsapp.getAttribute('href')) ?? '')
  expect(href.pathname).toMatch(/^\/27827\d+$/)
  const words = `Hello Thandi Mokoena, this is Support Team from Karoo Web Studio about your request, reference ${referenceOf(lead.id)}. Is now a good time?`
  expect(href.searchParams.get('text')).toBe(words)
  await whatsapp.dblclick()
  const sent = page.getByRole('region', { name: 'Did you send Thandi Mokoena the message?' })
  await sent.waitFor()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await faultsOf(page)).toEqual([])
  }
  await sent.getByRole('button', { name: 'Not sent' }).click()
  await sent.waitFor({ state: 'detached' })
  expect(await saved()).toMatchObject({ followUpStatus: 'new', ownerId: null })
  await whatsapp.click()
  await sent.getByRole('button', { name: 'Yes, I sent it' }).dblclick()
  await entries(page).filter({ hasText: 'Wrote by WhatsApp' }).getByText(words).waitFor(SOON)
  const call = panel(page).getByRole('link', { name: 'Call' })
  expect(await call.getAttribute('href')).toMatch(/^tel:0827\d+$/)
  await call.focus()
  await page.keyboard.press('Enter')
  const reached = page.getByRole('region', { name: 'Did you reach Thandi Mokoena?' })
  await reached.getByRole('button', { name: 'Yes, we spoke' }).focus()
  await page.keyboard.press('Enter')
  await toast(page, 'Call noted')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Note' }).evaluate((field) => field === document.activeElement))
    .toBe(true)
  await entries(page).getByText('Called').waitFor(SOON)
  const { timeline } = await (await site.call('GET', `/api/leads/${lead.id}/person`)).json()
  expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['lead', 'whatsapp', 'call'])
  await page.context().close()
})

test('a call that nobody took stops no clock, and one that was noted by mistake is taken back', async () => {
  const page = await open({ as: ben })
  const call = panel(page).getByRole('link', { name: 'Call' })
  const reached = page.getByRole('region', { name: 'Did you reach Thandi Mokoena?' })
  await call.click()
  await reached.getByRole('button', { name: 'Not called' }).click()
  await reached.waitFor({ state: 'detached' })
  await call.click()
  await reached.getByRole('button', { name: 'No answer' }).click()
  await toast(page, 'No answer noted')
  await entries(page).getByText('Called, no answer').waitFor(SOON)
  await page.getByText(/^Reply due /).waitFor()
  expect(
    await panel(page)
      .getByText(/^Last answered/)
      .count(),
  ).toBe(0)
  expect(await saved()).toMatchObject({ followUpStatus: 'new', ownerId: null })

  await page.getByRole('region', { name: 'Request' }).getByRole('link', { name: lead.phone }).click()
  await reached.getByRole('button', { name: 'Yes, we spoke' }).click()
  await page.getByText('You now own this lead. Add a note about what was said.').waitFor()
  await expect.poll(async () => (await saved()).followUpStatus).toBe('contacted')
  await page.getByText(/^Reply due /).waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('button', { name: 'Undo' }).click()
  await toast(page, 'Undone')
  await page.getByText(/^Reply due /).waitFor()
  await entries(page).getByText('Called (removed)').waitFor(SOON)
  expect(await saved()).toMatchObject({ followUpStatus: 'new', ownerId: null, answeredAt: null })
  await entries(page).filter({ hasText: 'Called, no answer' }).getByRole('button', { name: /^Undo/ }).click()
  await entries(page).getByText('Called, no answer (removed)').waitFor(SOON)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('who answers a lead that is nobody’s owns it, unless they say otherwise', async () => {
  const page = await open({ as: ben })
  await write(page).click()
  await send(page).click()
  await toast(page, 'You now own this lead.')
  await toast(page, 'Email on its way')
  const owner = page.getByLabel('Owner')
  await expect.poll(() => owner.locator('option:checked').textContent()).toBe('Ben Dube')
  await page
    .getByRole('region', { name: 'Notifications (F8)' })
    .getByRole('button', { name: 'Leave unassigned' })
    .click()
  await toast(page, 'Undone')
  expect(await saved()).toMatchObject({ followUpStatus: 'contacted', ownerId: null })
  await page.getByRole('button', { name: 'Assign to me: Thandi Mokoena' }).click()
  await toast(page, 'Assigned to you: Thandi Mokoena')
  await expect.poll(() => owner.locator('option:checked').textContent()).toBe('Ben Dube')
  expect(await page.getByRole('button', { name: /^Assign to me/ }).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await page.context().close()
})

test('owners change the templates, and the next answer begins with them', async () => {
  const page = await site.open('/admin-settings#answer-templates')
  const form = page.getByRole('form', { name: 'Answer templates' })
  await form.getByRole('button', { name: 'Add a template' }).click()
  await form.getByRole('button', { name: 'Save answer templates' }).click()
  await form.getByText('A name is required').waitFor()
  await form.getByRole('button', { name: 'Remove template 3' }).click()
  await form.getByRole('button', { name: 'Remove template 2' }).click()
  await form.getByLabel('Name').fill('Short')
  await form.getByLabel('Subject').fill('About {business}')
  await form.getByRole('button', { name: 'Save answer templates' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }
  const answering = await open({ as: ben })
  await write(answering).click()
  await expect.poll(() => answering.getByLabel('Subject').inputValue()).toBe('About Stoep & Co')
  const reading = await site.open('/admin-settings#answer-templates', { as: ben })
  await reading.getByText('Short: About {business}').waitFor()
  await Promise.all([page, answering, reading].map((each) => each.context().close()))
})

test('where a node is not told of the mail server the panel says so, and offers both ways', async () => {
  const page = await site.open('/admin-account')
  await page.route('**/api/emails/summary', async (route) => {
    const response = await route.fetch()
    const { reachesPeople: _, ...json } = await response.json()
    await route.fulfill({ response, json })
  })
  await page.goto(`/admin-lead?id=${lead.id}`)
  await panel(page).getByText('Whether this site can send emails to people is not known here.').waitFor()
  await panel(page).getByRole('link', { name: 'Email in your own program' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await write(page).click()
  await page.getByLabel('Subject').waitFor()
  await page.context().close()
})

test('without a mail server the panel says so, and offers one’s own mail program', async () => {
  const page = await site.open('/admin-account')
  await page.route('**/api/emails/summary', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), reachesPeople: false } })
  })
  await page.goto(`/admin-lead?id=${lead.id}`)
  await panel(page).getByText('This site has no mail server, so it can’t send your emails.').waitFor()
  const href = await panel(page).getByRole('link', { name: 'Email in your own program' }).getAttribute('href')
  expect(href).toMatch(new RegExp(`^mailto:${lead.email}\\?subject=[^+]*&body=[^+]*$`))
  expect(await write(page).count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await panel(page).getByRole('link', { name: 'Email in your own program' }).click()
  const sent = page.getByRole('region', { name: `Did you send ${lead.name} the email?` })
  await sent.getByRole('button', { name: 'Not sent' }).click()
  await sent.waitFor({ state: 'detached' })
  expect(await saved()).toMatchObject({ followUpStatus: 'new', ownerId: null })
  await panel(page).getByRole('link', { name: 'Email in your own program' }).click()
  await sent.getByRole('button', { name: 'Yes, I sent it' }).click()
  await toast(page, 'Email noted')
  await entries(page).getByText('Wrote an email in own program: ').waitFor(SOON)
  expect(await saved()).toMatchObject({ followUpStatus: 'contacted', ownerId: expect.any(String) })
  await page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('button', { name: 'Undo' }).click()
  await toast(page, 'Undone')
  expect(await saved()).toMatchObject({ followUpStatus: 'new', ownerId: null })
  await page.context().close()
})

test('an email that was typed outlives a reload, and one whose answer got lost goes out once', async () => {
  const page = await open()
  page.on('dialog', (dialog) => dialog.accept())
  await write(page).click()
  await panel(page).getByLabel('Text').fill('Hello Thandi, typed before the reload.')
  await page.reload()
  await panel(page).getByText('You typed this before. It is not sent yet.').waitFor()
  expect(await panel(page).getByLabel('Text').inputValue()).toBe('Hello Thandi, typed before the reload.')
  expect(await faultsOf(page)).toEqual([])
  const other = await open({ as: ben })
  expect(await panel(other).getByLabel('Text').count()).toBe(0)
  await page.route('**/emails', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await send(page).click()
  await panel(page).getByRole('alert').filter({ hasText: /./ }).waitFor()
  await page.unroute('**/emails')
  await page.reload()
  await send(page).click()
  await toast(page, 'Email on its way')
  await expect.poll(() => received().length, SOON).toBe(1)
  await page.reload()
  await write(page).waitFor()
  expect(await panel(page).getByLabel('Text').count()).toBe(0)
  await expect.poll(() => entries(page).filter({ hasText: 'typed before the reload' }).count()).toBe(1)
  await Promise.all([page, other].map((each) => each.context().close()))
})

test('an email that several tabs show goes out once: the others close it, but for words that were typed there', async () => {
  const page = await open()
  await write(page).click()
  await panel(page).getByLabel('Text').fill('Hello Thandi, from one of the tabs.')
  const restore = async (tab: Page) => {
    await tab.goto(`/admin-lead?id=${lead.id}`)
    await panel(tab).getByText('You typed this before. It is not sent yet.').waitFor()
    await entries(tab).first().waitFor()
  }
  const context = page.context()
  const [other, edited, late] = [await context.newPage(), await context.newPage(), await context.newPage()]
  // a tab that hears nothing of the others
  await late.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation()))
  for (const tab of [other, edited, late]) await restore(tab)
  await panel(edited).getByLabel('Text').fill('Hello Thandi, these are other words.')
  await send(page).click()
  await toast(page, 'Email on its way')
  await toast(other, 'This email was sent or discarded in another tab')
  expect(await panel(other).getByLabel('Text').count()).toBe(0)
  expect(await panel(edited).getByLabel('Text').inputValue()).toBe('Hello Thandi, these are other words.')
  await panel(late)
    .getByText(/^Last answered by /)
    .waitFor(SOON)
  await send(late).click()
  await panel(late)
    .getByText(/ has answered meanwhile /)
    .waitFor()
  await panel(late).getByRole('button', { name: 'Send anyway' }).click()
  await toast(late, 'Email on its way')
  const { timeline } = await (await site.call('GET', `/api/leads/${lead.id}/person`)).json()
  expect(timeline.filter(({ kind }: { kind: string }) => kind === 'answer_email')).toHaveLength(1)
  await context.close()
})

test('an email that still holds a placeholder is asked about before it is sent', async () => {
  const page = await open()
  await write(page).click()
  const text = panel(page).getByLabel('Text')
  await text.fill('Hello {nmae}')
  await send(page).dblclick()
  await page.getByText('"{nmae}" is not filled in. Correct the text, or send it as written.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Send as written' }).click()
  await toast(page, 'Email on its way')
  await page.context().close()
})

test('who writes while a colleague answers is asked before a second email goes, and then sends it', async () => {
  const [mine, theirs] = [await open(), await open({ as: ben })]
  for (const page of [mine, theirs]) await write(page).click()
  await send(theirs).click()
  await toast(theirs, 'Email on its way')
  const told = panel(mine)
    .getByRole('alert')
    .getByText(/^Ben Dube has answered meanwhile /)
  await told.waitFor(SOON)
  await send(mine).dblclick()
  await expect.poll(() => told.evaluate((it) => it.closest('[tabindex]') === document.activeElement)).toBe(true)
  await mine.getByLabel('Subject').press('Enter')
  expect(await told.isVisible()).toBe(true)
  await expect.poll(() => received().length, SOON).toBe(1)
  await panel(mine).getByRole('button', { name: 'Send anyway' }).click()
  await toast(mine, 'Email on its way')
  await expect.poll(() => received().length, SOON).toBe(2)
  await Promise.all([mine, theirs].map((page) => page.context().close()))
})

test('an email that is put aside is marked in every list, outlives an unsaved follow-up, and signing out asks about it', async () => {
  const page = await open({ as: await site.hire('Lerato Moloi') })
  await write(page).click()
  await panel(page).getByLabel('Text').fill('My own words')
  await page.getByRole('link', { name: 'Today' }).click()
  const marked = page.getByRole('listitem').filter({ hasText: 'Unsent email' })
  await marked.getByRole('link', { name: /^Thandi Mokoena/ }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByText('Unsent email').first().waitFor()

  // its mark leads to the words, wherever it can be pressed
  const text = panel(page).getByLabel('Text')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/admin-today')
    await page.getByRole('link', { name: 'Unsent email: Thandi Mokoena' }).click()
    await page.waitForURL(`**/admin-lead?id=${lead.id}#answer`)
    await expect.poll(() => text.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await text.inputValue()).toBe('My own words')
    const { y, height } = (await text.boundingBox()) ?? expect.fail()
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(844)
  }
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.waitForURL('**/admin-today')

  // a change that is given up takes nothing else with it
  await page.goto(`/admin-lead?id=${lead.id}`)
  await page.getByLabel('Status', { exact: true }).selectOption('Lost')
  await page.getByRole('link', { name: 'Pipeline' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL('**/admin-pipeline')
  await page.goto(`/admin-lead?id=${lead.id}`)
  expect(await panel(page).getByLabel('Text').inputValue()).toBe('My own words')
  await page.goto('/admin-email')
  await page.getByRole('button', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out without saving?' })
  await question.getByText('An email to Thandi Mokoena that was not sent', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await question.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  await page.context().close()
})

test('the address under the request opens one’s own mail program, and asks what came of it', async () => {
  const page = await open()
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
  await page.getByRole('region', { name: 'Request' }).getByRole('link', { name: lead.email }).click()
  const question = page.getByRole('region', { name: 'Did you send Thandi Mokoena the email?' })
  await question.getByRole('button', { name: 'Yes, I sent it' }).click()
  await toast(page, 'Email noted')
  await expect.poll(saved).toMatchObject({ followUpStatus: 'contacted', answeredAt: expect.any(String) })
  await page.context().close()
})

test('a template that takes the place of typed words gives them back, and they are kept until they are discarded', async () => {
  const page = await open()
  await write(page).click()
  const [text, template] = [panel(page).getByLabel('Text'), page.getByLabel('Template')]
  const before = await template.inputValue()
  await text.fill('My own words')
  await template.selectOption({ label: 'Empty' })
  expect(await text.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  expect(await text.inputValue()).toBe('My own words')
  expect(await template.inputValue()).toBe(before)
  // also once the notice has gone
  await template.selectOption({ label: 'Empty' })
  await page.getByRole('link', { name: 'Today' }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.goBack()
  // as it stood, with the way to what was typed
  await template.getByText('What you typed before').waitFor({ state: 'attached' })
  expect([await template.inputValue(), await text.inputValue()]).toEqual(['', ''])
  await template.selectOption({ label: 'What you typed before' })
  expect(await text.inputValue()).toBe('My own words')
  await template.selectOption({ label: 'Empty' })
  await text.fill('Something else')
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  expect(await text.inputValue()).toBe('My own words')
  await template.selectOption({ label: 'What you typed before' })
  expect(await text.inputValue()).toBe('Something else')
  await template.selectOption({ label: 'What you typed before' })
  expect(await text.inputValue()).toBe('My own words')
  expect(await template.inputValue()).toBe(before)
  await panel(page).getByRole('button', { name: 'Keep for later' }).click()
  await toast(page, 'Email kept')
  await panel(page).getByRole('button', { name: 'Go on with your email' }).click()
  expect(await text.inputValue()).toBe('My own words')
  await panel(page).getByText('You typed this before. It is not sent yet.').waitFor()
  await panel(page).getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  expect(await text.inputValue()).toBe('My own words')
  await panel(page).getByRole('button', { name: 'Discard' }).click()
  await write(page).click()
  expect(await text.inputValue()).not.toBe('My own words')
  await panel(page).getByRole('button', { name: 'Cancel' }).click()
  await page.context().close()
})

test('of an email that is being written no word is lost by a call meanwhile, of which one is not warned oneself', async () => {
  const page = await open()
  await write(page).click()
  const text = panel(page).getByLabel('Text')
  await text.fill('First words')
  await page.goto(`/admin-dashboard?period=all&q=${encodeURIComponent(lead.email)}`)
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
  await page.getByRole('link', { name: 'Unsent email: Thandi Mokoena' }).click()
  await expect.poll(() => text.evaluate((it) => it === document.activeElement)).toBe(true)
  await text.fill('First words, and more')
  await panel(page)
    .getByRole('link', { name: /^Call / })
    .click()
  await page.getByRole('button', { name: 'Yes, we spoke' }).click()
  await page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('link').click()
  await expect
    .poll(() => page.getByLabel('Note', { exact: true }).evaluate((it) => it === document.activeElement))
    .toBe(true)
  await entries(page).filter({ hasText: 'Called' }).first().waitFor(SOON)
  expect(await text.inputValue()).toBe('First words, and more')
  expect(
    await panel(page)
      .getByText(/has answered meanwhile/)
      .count(),
  ).toBe(0)
  await page.context().close()
})

test('who answered since an email was begun is told also after a reload and a failed try, and not once that is taken back', async () => {
  const page = await open()
  await write(page).click()
  const text = panel(page).getByLabel('Text')
  await text.fill('My own words')
  await page.route('**/emails', (route) => route.abort())
  await send(page).click()
  await panel(page).getByRole('alert').filter({ hasText: /./ }).waitFor()
  await page.unroute('**/emails')
  await page.goto('/admin-today')
  const call = await site.call('POST', `/api/leads/${lead.id}/contacts`, { channel: 'call', isReached: true }, ben)
  expect(call.ok).toBe(true)
  await page.goto(`/admin-lead?id=${lead.id}`)
  const told = panel(page).getByText(/^Ben Dube has answered meanwhile /)
  await told.waitFor(SOON)
  expect(await faultsOf(page)).toEqual([])
  const eventId = call.headers.get('event-id')
  expect((await site.call('POST', `/api/leads/${lead.id}/undo`, { eventId }, ben)).ok).toBe(true)
  await told.waitFor({ state: 'detached', ...SOON })
  await send(page).click()
  await toast(page, 'Email on its way')
  await page.context().close()
})

test('beside the ways to answer stands that a colleague answered another lead of the person, until this one is answered too', async () => {
  const person = { name: 'Ayanda Cele', email: 'ayanda@example.co.za', phone: '082 555 0161' }
  const [other, waiting] = [await site.submit(person), await site.submit(person)]
  const page = await site.open(`/admin-lead?id=${waiting.id}`)
  await page.getByRole('heading', { name: 'Related leads' }).waitFor(SOON)
  const line = panel(page).getByRole('link', { name: /another request of theirs/ })
  expect(await line.count()).toBe(0)
  const contact = { channel: 'whatsapp', text: 'Good day' }
  expect((await site.call('POST', `/api/leads/${other.id}/contacts`, contact, ben)).status).toBe(201)
  await line.waitFor(SOON)
  expect(await line.textContent()).toMatch(/^Ben Dube answered another request of theirs, today \d\d:\d\d$/)
  expect(await line.getAttribute('href')).toBe(`/admin-lead?id=${other.id}`)
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  await line.click()
  await panel(page)
    .getByText(/^Last answered by Ben Dube, /)
    .waitFor()
  expect(await line.count()).toBe(0)
  await page.goBack()
  await line.waitFor()
  await putAside(waiting)
  await line.waitFor({ state: 'detached', ...SOON })
  await page.context().close()
})

test('a status that a colleague set says as much, and no more after a week', async () => {
  const person = { name: 'Bheki Cele', email: 'bheki@example.co.za', phone: '082 555 0163' }
  const [other, waiting] = [await site.submit(person), await site.submit(person)]
  await putAside(other)
  const days = (count: number) => new Date(Date.now() + count * 24 * 60 * 60 * 1000).toISOString()
  const [soon, late] = [
    await site.open(`/admin-lead?id=${waiting.id}`, { now: days(6) }),
    await site.open(`/admin-lead?id=${waiting.id}`, { now: days(8) }),
  ]
  await panel(soon)
    .getByRole('link', { name: /^thandi answered another request of theirs, \w{3} \d\d:\d\d$/ })
    .waitFor(SOON)
  await late.getByRole('heading', { name: 'Related leads' }).waitFor(SOON)
  expect(
    await panel(late)
      .getByText(/another request of theirs/)
      .count(),
  ).toBe(0)
  await putAside(waiting)
  await Promise.all([soon, late].map((each) => each.context().close()))
})

test('an email that was stored but not confirmed is asked about before it goes again in other words', async () => {
  const page = await open()
  await write(page).click()
  const text = panel(page).getByLabel('Text')
  await text.fill('These words were sent')
  await page.route('**/emails', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await send(page).click()
  await panel(page).getByRole('alert').filter({ hasText: /./ }).first().waitFor()
  await page.unroute('**/emails')
  await entries(page).filter({ hasText: 'These words were sent' }).waitFor(SOON)
  const told = panel(page).getByText(/ has answered meanwhile /)
  expect(await told.count()).toBe(0)
  await text.fill('These words are others')
  await told.waitFor(SOON)
  await send(page).click()
  await expect.poll(() => told.evaluate((it) => it.closest('[tabindex]') === document.activeElement)).toBe(true)
  await text.fill('These words were sent')
  await told.waitFor({ state: 'detached', ...SOON })
  await send(page).click()
  await toast(page, 'Email on its way')
  await expect.poll(() => received().length, SOON).toBe(1)
  await page.context().close()
})
