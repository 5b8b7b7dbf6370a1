import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../test-staff-site.ts'

let site: StaffSite
let ben: TestSession

beforeAll(async () => {
  site = await startStaffSite([])
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const asked = (page: Page, name: string) => page.getByRole('region', { name: `Did you reach ${name}?` })
const call = (page: Page, name: string) => page.getByRole('link', { name: `Call ${name}` }).click()
const contacts = async (id: string): Promise<string[]> => {
  const { timeline } = await (await site.call('GET', `/api/leads/${id}/person`)).json()
  return timeline.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind !== 'lead')
}

test('what came of a call is asked after Back, on other screens and after a reload, and is noted once', async () => {
  const lead = await site.submit({ name: 'Calling Cara' })
  const page = await site.open('/admin-today', { as: ben, viewport: { width: 390, height: 844 } })
  await page.getByRole('link', { name: /^Calling Cara/ }).click()
  await page.waitForURL('**/admin-lead?id=*')
  await page.getByRole('region', { name: 'Answer' }).getByRole('link', { name: 'Call' }).click()
  await asked(page, 'Calling Cara')
    .getByText(/^You called [\d ]+, \d\d:\d\d\. Only an answer/)
    .waitFor()
  await page.goBack()
  await page.waitForURL('**/admin-today')
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await asked(page, 'Calling Cara').waitFor()
    expect(await faultsOf(page)).toEqual([])
  }
  await page.reload()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const other = await page.context().newPage()
  await other.goto('/admin-pipeline')
  await asked(other, 'Calling Cara').waitFor()
  await asked(page, 'Calling Cara').getByRole('button', { name: 'Yes, we spoke' }).dblclick()
  await page.getByText('Call noted: Calling Cara').waitFor()
  for (const tab of [page, other]) await asked(tab, 'Calling Cara').waitFor({ state: 'detached' })
  expect(await contacts(lead.id)).toEqual(['call'])
  await page.context().close()
})

test('two calls are asked about, the last one first, and the lead can be worked on meanwhile', async () => {
  const first = await site.submit({ name: 'First Fanie' })
  const second = await site.submit({ name: 'Second Sam' })
  const page = await site.open('/admin-today', { as: ben })
  await call(page, 'First Fanie')
  await page.getByRole('button', { name: 'Assign to me: First Fanie' }).click()
  await page.getByText('Assigned to you: First Fanie').waitFor()
  await call(page, 'Second Sam')
  await asked(page, 'Second Sam').getByText('1 more to say after this.').waitFor()
  await asked(page, 'Second Sam').getByRole('button', { name: 'No answer' }).click()
  await asked(page, 'First Fanie').getByRole('link', { name: 'First Fanie' }).click()
  await page.waitForURL(`**/admin-lead?id=${first.id}`)
  await page.getByRole('heading', { name: 'First Fanie' }).waitFor()
  await asked(page, 'First Fanie').getByRole('button', { name: 'Yes, we spoke' }).click()
  await page.getByText('Call noted: First Fanie').waitFor()
  // it was theirs before
  expect(await page.getByText('You now own this lead').count()).toBe(0)
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Note' }).evaluate((field) => field === document.activeElement))
    .toBe(true)
  expect(await contacts(first.id)).toContain('call')
  expect(await contacts(second.id)).toEqual(['call_unanswered'])
  await page.context().close()
})

test('a message after a call that nobody took is asked about beside it, and both are noted', async () => {
  const lead = await site.submit({ name: 'Missed Mia', phone: '082 555 0134' })
  const page = await site.open('/admin-today', { as: ben })
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  await page.getByRole('link', { name: 'Call Missed Mia' }).dblclick()
  await page.getByRole('link', { name: 'WhatsApp Missed Mia (new tab)' }).click()
  const message = page.getByRole('region', { name: 'Did you send Missed Mia the message?' })
  await message.getByText('1 more to say after this.').waitFor()
  await message.getByRole('button', { name: 'Yes, I sent it' }).click()
  // by key: a press at the place of the last one is taken for its second
  await asked(page, 'Missed Mia').getByRole('button', { name: 'No answer' }).press('Enter')
  await page.getByText('No answer noted').waitFor()
  expect(await contacts(lead.id)).toEqual(['whatsapp', 'call_unanswered'])
  await page.context().close()
})

test('a call to somebody who is erased is asked about no more, and nothing of them is left on the device', async () => {
  const lead = await site.submit({ name: 'Erased Erna' })
  const page = await site.open('/admin-today', { as: ben })
  await call(page, 'Erased Erna')
  await asked(page, 'Erased Erna').waitFor()
  const kept = () =>
    page.evaluate(() =>
      Object.entries(localStorage)
        .flat()
        .filter((text) => text.includes('-contact-draft')),
    )
  expect(await kept()).toHaveLength(1)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(lead.email)
  await page.goto('/login')
  await expect.poll(async () => (await site.call('POST', `/api/leads/${lead.id}/erase`, {})).status).toBe(204)
  await page.goto('/admin-pipeline')
  await page.getByRole('heading', { name: 'Pipeline' }).waitFor()
  await expect.poll(kept).toEqual([])
  expect(await page.getByText('Erased Erna').count()).toBe(0)
  await page.context().close()
})

test('a call about a lead that is merged meanwhile is noted on the one that stays', async () => {
  const [staying, gone] = [await site.submit({ name: 'Staying Stan' }), await site.submit({ name: 'Gone Gert' })]
  const page = await site.open('/admin-today', { as: ben })
  await call(page, 'Gone Gert')
  await asked(page, 'Gone Gert').waitFor()
  const headers = { 'content-type': 'application/json', 'if-match': `"${staying.version}"`, ...site.owner }
  const body = JSON.stringify({ mergedId: gone.id, mergedVersion: gone.version, takes: [] })
  const merged = await site.node.call(`/api/leads/${staying.id}/merge`, { method: 'POST', headers, body })
  expect(merged.status).toBe(200)
  await page.goto('/admin-email')
  await asked(page, 'Staying Stan').getByRole('button', { name: 'Yes, we spoke' }).click()
  await page.getByText('Call noted: Staying Stan').waitFor()
  expect(await contacts(staying.id)).toContain('call')
  await page.context().close()
})

test.each([
  [320, '/admin-pipeline', 'Stages'],
  [360, '/admin-settings', 'Parts of the settings'],
  [768, '/admin-settings', 'Parts of the settings'],
])('at %i px nothing moves as a call opens, and what sticks on %s stands below', async (width, screen, sticks) => {
  const name = `Long-named Louisa van der Westhuizen-Mokoena ${width}`
  await site.submit({ name, phone: '082 555 0135' })
  const page = await site.open('/admin-dashboard?q=louisa', { viewport: { width, height: 700 } })
  const link = page.getByRole('article', { name: `${name}` }).getByRole('link', { name: '082 555 0135' })
  await link.scrollIntoViewIfNeeded()
  const before = await link.boundingBox()
  await link.click()
  await asked(page, name).waitFor()
  expect((await link.boundingBox())?.y).toBeCloseTo(before?.y ?? Number.NaN, -1)
  await page.goto(screen)
  await asked(page, name).waitFor()
  const row = page.getByRole('navigation', { name: sticks })
  await row.waitFor()
  await page.evaluate(() => scrollTo(0, 600))
  const box = await asked(page, name).boundingBox()
  await expect
    .poll(async () => ((await row.boundingBox())?.y ?? 0) >= (box?.y ?? 0) + (box?.height ?? Number.NaN))
    .toBe(true)
  expect(await faultsOf(page)).toEqual([])
  await asked(page, name).getByRole('button', { name: 'Not called' }).click()
  await page.context().close()
})

test('what was said by mistake is taken back, and asked again; a lead that was answered waits for nothing', async () => {
  const lead = await site.submit({ name: 'Undone Una' })
  const page = await site.open('/admin-today', { as: ben })
  await call(page, 'Undone Una')
  await asked(page, 'Undone Una').getByRole('button', { name: 'Yes, we spoke' }).click()
  const notices = page.getByRole('region', { name: 'Notifications (F8)' })
  await notices.getByText('Call noted: Undone Una').waitFor()
  await notices.getByRole('button', { name: 'Undo' }).click()
  await asked(page, 'Undone Una').waitFor()
  const email = { followUpStatus: 'contacted' }
  expect((await site.call('PATCH', `/api/leads/${lead.id}`, email)).status).toBe(200)
  await asked(page, 'Undone Una').getByRole('button', { name: 'No answer' }).press('Enter')
  await notices.getByText('No answer noted: Undone Una').waitFor()
  expect(await notices.getByText('still waits').count()).toBe(0)
  expect((await contacts(lead.id)).at(-1)).toBe('call_unanswered')
  await page.context().close()
})

test('what is said above the screens stays in sight, and leaves a chat its field', async () => {
  await site.submit({ name: 'Chatting Chad' })
  await site.chat({ name: 'Vera Vosloo', email: 'vera@example.com' }, 'Hello?')
  const page = await site.open('/admin-today', { as: ben, viewport: { width: 390, height: 844 } })
  await call(page, 'Chatting Chad')
  await page.getByRole('link', { name: /^Answer Vera/ }).click()
  await asked(page, 'Chatting Chad').waitFor()
  const field = page.getByPlaceholder('Type your response...')
  await field.waitFor()
  const bottomOf = (box: Awaited<ReturnType<typeof field.boundingBox>>) => (box?.y ?? 0) + (box?.height ?? Number.NaN)
  await expect.poll(async () => bottomOf(await field.boundingBox()) < 844).toBe(true)
  const [question, back] = [asked(page, 'Chatting Chad'), page.getByRole('button', { name: 'All chats' })]
  const isBelow = async () => {
    const [above, below] = [await question.boundingBox(), await back.boundingBox()]
    return bottomOf(above) <= (below?.y ?? 0)
  }
  await expect.poll(isBelow).toBe(true)
  await page.goto('/admin-today')
  await page.context().setOffline(true)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const offline = page.getByText(/^You are offline\. What you see/)
  await offline.waitFor()
  await expect.poll(async () => ((await offline.boundingBox())?.y ?? -1) >= 0).toBe(true)
  await page.context().setOffline(false)
  await asked(page, 'Chatting Chad').getByRole('button', { name: 'Not called' }).click()
  await page.context().close()
})

test.each([
  ['it was made', false],
  ['it is noted, by an older node', true],
])('a call that is noted later is dated by when %s', async (_, isOlder) => {
  const lead = await site.submit({ name: 'Later Leo' })
  const page = await site.open('/admin-today', { as: ben })
  await call(page, 'Later Leo')
  await asked(page, 'Later Leo').waitFor()
  await page.evaluate(() => {
    const [key = ''] = Object.keys(localStorage).filter((name) => name.endsWith('-contact-draft'))
    const kept = JSON.parse(localStorage.getItem(key) ?? '')
    const at = new Date(Date.now() - 3_600_000).toISOString()
    localStorage.setItem(key, JSON.stringify({ ...kept, typed: JSON.stringify({ ...JSON.parse(kept.typed), at }) }))
  })
  await page.reload()
  if (isOlder) {
    await page.route('**/contacts', (route) =>
      route.request().postDataJSON().secondsAgo === undefined
        ? route.continue()
        : route.fulfill({ status: 422, json: { title: 'Invalid', status: 422, errors: [] } }),
    )
  }
  await asked(page, 'Later Leo').getByRole('button', { name: 'Yes, we spoke' }).click()
  await page.getByText('Call noted: Later Leo').waitFor()
  const { timestamp, answeredAt } = await (await site.call('GET', `/api/leads/${lead.id}`)).json()
  // the lead is younger than an hour, and was not answered before it came
  expect(answeredAt > timestamp).toBe(isOlder)
  await page.context().close()
})

test('by keyboard the question has the focus once the call is made, and hands it on', async () => {
  await site.submit({ name: 'Keyed Kim' })
  const page = await site.open('/admin-today', { as: ben })
  const link = page.getByRole('link', { name: 'Call Keyed Kim' })
  const isFocused = (element: Element) => element === document.activeElement
  for (const opener of [link, page.getByRole('main')]) {
    await link.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => asked(page, 'Keyed Kim').evaluate(isFocused)).toBe(true)
    // what opened it is gone
    if (opener !== link) await page.reload()
    await asked(page, 'Keyed Kim').getByRole('button', { name: 'Not called' }).press('Enter')
    await asked(page, 'Keyed Kim').waitFor({ state: 'detached' })
    expect(await opener.evaluate(isFocused)).toBe(true)
  }
  await page.context().close()
})

test('WhatsApp is one press from Today, with its text filled in, and is offered for no landline', async () => {
  const lead = await site.submit({ name: 'Mobile Mo', phone: '082 555 0133' })
  await site.submit({ name: 'Landline Lou', phone: '011 555 0123' })
  const page = await site.open('/admin-today', { as: ben, viewport: { width: 320, height: 844 } })
  await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const link = page.getByRole('link', { name: 'WhatsApp Mobile Mo (new tab)' })
  await expect.poll(() => link.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/27825550133\?text=Hello%20Mobile%20Mo/)
  expect(await page.getByRole('link', { name: /^WhatsApp Landline/ }).count()).toBe(0)
  await link.click()
  const question = page.getByRole('region', { name: 'Did you send Mobile Mo the message?' })
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await question.getByRole('button', { name: 'Yes, I sent it' }).click()
  await page.getByText('WhatsApp message noted: Mobile Mo').waitFor()
  expect(await contacts(lead.id)).toEqual(['whatsapp'])
  await page.context().close()
})

const signOutQuestion = async (page: Page, words: string) => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  const question = page.getByRole('dialog', { name: 'Sign out without saving?' })
  await question.getByText(words).waitFor()
  return question
}

test('signing out asks about a call that is not noted, and leaves nothing of it', async () => {
  await site.submit({ name: 'Private Pam' })
  const page = await site.open('/admin-today', { as: ben })
  await call(page, 'Private Pam')
  await asked(page, 'Private Pam').waitFor()
  const question = await signOutQuestion(page, 'What came of the call to Private Pam')
  await question.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('contact')))).toEqual([])
  await page.context().close()
})

test('a browser that keeps nothing asks what came of a call as long as the page is open', async () => {
  await site.submit({ name: 'Unkept Uma' })
  const page = await site.open('/admin-today', { as: await site.hire('Lerato Moloi') })
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Nothing is kept', 'QuotaExceededError')
    }
  })
  await page.reload()
  await call(page, 'Unkept Uma')
  await asked(page, 'Unkept Uma').waitFor()
  const question = await signOutQuestion(page, 'What came of the call to Unkept Uma')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await asked(page, 'Unkept Uma').getByRole('button', { name: 'Not called' }).click()
  await asked(page, 'Unkept Uma').waitFor({ state: 'detached' })
  await page.context().close()
})
