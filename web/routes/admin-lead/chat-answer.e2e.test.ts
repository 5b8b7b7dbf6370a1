import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passMidnight } from '../../../events/testing/clock.ts'
import { fillChat } from '../../../events/testing/fill-chat.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import type { TimelineEntry } from '../../../events/wire/person.ts'
import { faultsOf, type StaffSite, startStaffSite, type TestSession } from '../../staff/test-staff-site.ts'

const SOON = { timeout: 30_000 }
/** More than the newest page of a chat holds. */
const PAGE_MESSAGES = 550

let site: StaffSite
let ben: TestSession

beforeAll(passMidnight)

beforeAll(async () => {
  site = await startStaffSite()
  ben = await site.hire('Ben Dube')
})

afterAll(() => site?.stop())

const panel = (page: Page) => page.getByRole('region', { name: 'Answer' })
const entries = (page: Page) => page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')
const waitingIn = (page: Page) => page.getByRole('region', { name: 'Waiting lead' })
const countIn = (page: Page) => waitingIn(page).getByRole('button', { name: 'Count your reply as the answer' })
const saved = async ({ id }: Lead): Promise<Lead> => (await site.call('GET', `/api/leads/${id}`)).json()

test('a lead that was made of a live chat and is answered there waits no longer, which a colleague sees on the lead and on Today, and can undo', async () => {
  const email = 'zanele@example.co.za'
  const sessionId = await site.chat({ name: 'Zanele', email }, 'Did you get my request?')
  const form = { name: 'Zanele Khumalo', email, phone: '082 555 0177' }
  const lead: Lead = await (await site.call('POST', `/api/chats/${sessionId}/lead`, form)).json()
  const [page, today] = [await site.open(`/admin-lead?id=${lead.id}`), await site.open('/admin-today')]
  await page.getByText(/^Reply due /).waitFor()
  await today.getByRole('link', { name: 'Zanele Khumalo' }).first().waitFor()
  const back = page.getByRole('link', { name: 'Open the chat', exact: true })
  expect(await back.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)

  const chat = await site.open(`/admin-chat?session=${sessionId}`, { as: ben })
  await chat.getByText('Did you get my request?').first().waitFor()
  await chat.getByPlaceholder('Type your response...').fill('We did, and call you at ten.')
  await chat.keyboard.press('Enter')

  await page.getByText(/^Reply due /).waitFor({ state: 'detached', ...SOON })
  await panel(page)
    .getByText(/^Answered in the chat by Ben Dube, /)
    .waitFor(SOON)
  await expect.poll(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('contacted')
  const answer = entries(page).filter({ hasText: 'Answered in the chat' })
  await answer.getByText('Status: Contacted', { exact: true }).waitFor()
  const link = answer.getByRole('link', { name: 'Open the chat with Zanele' })
  expect(await link.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)
  expect(await answer.getByRole('button', { name: /^Not an answer/ }).count()).toBe(1)
  await expect.poll(() => today.getByRole('link', { name: 'Zanele Khumalo' }).count(), SOON).toBe(0)
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page)).toEqual([])
  }

  await answer.getByRole('button', { name: /^Not an answer/ }).click()
  await page
    .getByRole('region', { name: 'Notifications (F8)' })
    .getByText(
      'What was said in the chat stays there. To count it again, press "Count your reply as the answer" in the chat.',
    )
    .waitFor()
  await page.getByText(/^Reply due /).waitFor(SOON)
  const undone = entries(page).filter({ hasText: 'Answered in the chat (undone)' })
  await undone.getByText('Messages in this chat no longer count by themselves.').waitFor(SOON)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'new', ownerId: lead.ownerId, answeredAt: null })
  await today.getByRole('link', { name: 'Zanele Khumalo' }).first().waitFor(SOON)

  await waitingIn(chat).getByRole('link', { name: 'Zanele Khumalo' }).waitFor(SOON)
  await countIn(chat).click()
  await waitingIn(chat).waitFor({ state: 'detached', ...SOON })
  await page.getByText(/^Reply due /).waitFor({ state: 'detached', ...SOON })
  await Promise.all([page, today, chat].map((each) => each.context().close()))
})

test('a lead leads back to the chat of which it was made, until that ends', async () => {
  const email = 'refilwe@example.co.za'
  const sessionId = await site.chat({ name: 'Refilwe', email }, 'Are you there?')
  const otherId = await site.chat({ name: 'Refilwe', email }, 'A chat of which nothing was made')
  const form = { name: 'Refilwe Moloi', email, phone: '082 555 0199' }
  const lead: Lead = await (await site.call('POST', `/api/chats/${sessionId}/lead`, form)).json()
  const page = await site.open(`/admin-lead?id=${lead.id}`)
  await page.getByText(/^This lead was made of a chat that is still open\. Waiting since \d\d:\d\d$/).waitFor()
  const back = page.getByRole('link', { name: 'Open the chat', exact: true })
  const end = async () => {
    await page.getByRole('button', { name: 'End chat' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End chat' }).click()
    await page.getByText(/^This chat has ended/).waitFor()
  }
  await back.click()
  await page.getByRole('heading', { name: 'Chat with Refilwe' }).waitFor()
  await page.getByText('Are you there?').last().waitFor()
  await end()
  await page.goto(`/admin-lead?id=${lead.id}`)
  await entries(page).filter({ hasText: 'The chat ended' }).waitFor()
  // the other one goes on
  await page.getByText(/^A chat of the same person is still open\./).waitFor()
  expect(await back.getAttribute('href')).toBe(`/admin-chat?session=${otherId}`)
  await back.click()
  await page.getByText('A chat of which nothing was made').last().waitFor()
  await end()
  await page.goto(`/admin-lead?id=${lead.id}`)
  await expect.poll(() => entries(page).filter({ hasText: 'The chat ended' }).count(), SOON).toBe(2)
  expect(await back.count()).toBe(0)
  await page.context().close()
})

test('a chat tells of the lead that waits under its address, live, which one click counts as answered there, with undo', async () => {
  const email = 'lindiwe@example.co.za'
  const sessionId = await site.chat({ name: 'Lindiwe', email }, 'I sent you a form')
  const [mine, chat] = [
    await site.open(`/admin-chat?session=${sessionId}`),
    await site.open(`/admin-chat?session=${sessionId}`, { as: ben }),
  ]
  await chat.getByText('I sent you a form').first().waitFor()
  const lead = await site.submit({ name: 'Lindiwe Ndlovu', company: 'Ndlovu Flowers', email })
  const link = waitingIn(chat).getByRole('link', { name: 'Lindiwe Ndlovu, Ndlovu Flowers' })
  expect(await link.getAttribute('href', SOON)).toBe(`/admin-lead?id=${lead.id}`)
  await waitingIn(chat)
    .getByText(/^Reply due /)
    .waitFor()
  expect(await countIn(chat).count()).toBe(0)
  await chat.getByPlaceholder('Type your response...').fill('We have it, and call you at ten.')
  await chat.keyboard.press('Enter')
  await countIn(chat).waitFor(SOON)
  await countIn(mine).waitFor(SOON)
  for (const width of [390, 1024, 1440]) {
    await chat.setViewportSize({ width, height: 900 })
    expect(await faultsOf(chat), `at ${width} px`).toEqual([])
  }
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'new' })

  await countIn(mine).press('Enter')
  const notices = mine.getByRole('region', { name: 'Notifications (F8)' })
  // a notice that one points at stays
  await notices.getByText('Counted as the answer: Lindiwe Ndlovu').hover()
  for (const page of [mine, chat]) await waitingIn(page).waitFor({ state: 'detached', ...SOON })
  const field = mine.getByPlaceholder('Type your response...')
  expect(await field.evaluate((node) => node === document.activeElement)).toBe(true)
  const page = await site.open(`/admin-lead?id=${lead.id}`)
  await panel(page)
    .getByText(/^Answered in the chat by Ben Dube, /)
    .waitFor(SOON)
  const answer = entries(page).filter({ hasText: 'Answered in the chat' })
  await answer.getByText('Counted by thandi').waitFor()
  await answer.getByText('Owner: Ben Dube').waitFor()
  expect(await answer.getByRole('button', { name: /^Not an answer/ }).count()).toBe(1)

  await notices.getByRole('button', { name: 'Undo' }).click()
  for (const each of [mine, chat]) await countIn(each).waitFor(SOON)
  await entries(page).getByText('Answered in the chat (undone)').waitFor(SOON)
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'new', ownerId: null, answeredAt: null })
  expect((await site.call('PATCH', `/api/leads/${lead.id}`, { followUpStatus: 'contacted' })).status).toBe(200)
  for (const each of [mine, chat]) await waitingIn(each).waitFor({ state: 'detached', ...SOON })
  await Promise.all([mine, chat, page].map((each) => each.context().close()))
})

test('the head of a chat follows to the lead that is made of it, and once that is answered names another as such', async () => {
  const email = 'thabo@example.co.za'
  const before = await site.submit({ name: 'Thabo Before', email })
  const sessionId = await site.chat({ name: 'Thabo', email }, 'I need a webshop')
  const chat = await site.open(`/admin-chat?session=${sessionId}`)
  await waitingIn(chat).getByText('Lead: Thabo Before', { exact: true }).waitFor(SOON)
  await chat.getByRole('button', { name: 'Create lead' }).click()
  const dialog = chat.getByRole('dialog', { name: 'Create lead' })
  await dialog.getByLabel('Name').fill('Thabo Made')
  await dialog.getByLabel('Phone').fill('082 555 0188')
  await dialog.getByRole('button', { name: 'Create lead' }).click()
  await waitingIn(chat).getByText('Lead: Thabo Made', { exact: true }).waitFor(SOON)
  await chat.getByPlaceholder('Type your response...').fill('We build them.')
  await chat.keyboard.press('Enter')
  await waitingIn(chat).getByText('Another lead: Thabo Before', { exact: true }).waitFor(SOON)
  expect((await saved(before)).followUpStatus).toBe('new')
  await chat.context().close()
})

test('what staff wrote long ago in a chat can be counted though it is not loaded', async () => {
  const email = 'nomsa@example.co.za'
  const sessionId = await site.chat({ name: 'Nomsa', email }, 'I sent you a form')
  const lead = await site.submit({ name: 'Nomsa Dube', email })
  const chat = await site.open(`/admin-chat?session=${sessionId}`)
  await chat.getByPlaceholder('Type your response...').fill('We have it.')
  await chat.getByRole('button', { name: 'Send', exact: true }).click()
  await countIn(chat).waitFor(SOON)
  await fillChat(site.stores.databaseUrl, { sessionId, count: PAGE_MESSAGES, textOf: (number) => `And ${number}` })
  await chat.reload()
  await chat.getByRole('button', { name: 'Show earlier messages' }).waitFor(SOON)
  expect(await chat.getByText('We have it.').count()).toBe(0)
  await countIn(chat).click()
  await waitingIn(chat).waitFor({ state: 'detached', ...SOON })
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted' })
  await chat.context().close()
})

test('the head of a chat says the truth after a double click, a colleague’s undo, on the way back and forward, and after a reload', async () => {
  const email = 'palesa@example.co.za'
  const elsewhere = await site.chat({ name: 'Somebody Else', email: '' }, 'Hello there')
  const sessionId = await site.chat({ name: 'Palesa', email }, 'I sent you a form')
  const lead = await site.submit({ name: 'Palesa Mokoena', email })
  const page = await site.open(`/admin-chat?session=${sessionId}`)
  const undo = async () => {
    const { timeline } = await (await site.call('GET', `/api/leads/${lead.id}/person`)).json()
    const { id } = timeline.findLast(({ kind }: TimelineEntry) => kind === 'chat_answer')
    expect((await site.call('POST', `/api/leads/${lead.id}/undo`, { eventId: id }, ben)).status).toBe(200)
  }
  await page.getByPlaceholder('Type your response...').fill('We have it.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await countIn(page).waitFor(SOON)

  const fetched = Promise.withResolvers<void>()
  await page.route(/\/api\/(leads|chats)\/[0-9a-f-]{36}$/, async (route) => {
    await fetched.promise
    await route.continue()
  })
  await countIn(page).dblclick()
  await page.getByText('Counted as the answer: Palesa Mokoena').waitFor()
  await waitingIn(page).waitFor({ state: 'detached', ...SOON })
  expect(await page.getByText('This was not counted').count()).toBe(0)
  fetched.resolve()
  expect((await saved(lead)).version).toBe(lead.version + 2)

  await undo()
  await countIn(page).waitFor(SOON)
  await page.getByRole('button', { name: /^Somebody Else/ }).click()
  await page.waitForURL(`**/admin-chat?session=${elsewhere}`)
  await page.getByText('Hello there').last().waitFor()
  await waitingIn(page).waitFor({ state: 'detached' })
  const counted = await site.call('POST', `/api/leads/${lead.id}/chat-answers`, { sessionId }, ben)
  expect(counted.status).toBe(201)
  await page.goBack()
  await page.getByRole('heading', { name: 'Chat with Palesa' }).waitFor()
  await waitingIn(page).waitFor({ state: 'detached', ...SOON })
  await page.goForward()
  await page.getByRole('heading', { name: 'Chat with Somebody Else' }).waitFor()
  await undo()
  await page.goBack()
  await countIn(page).waitFor(SOON)

  const stored = Promise.withResolvers<void>()
  await page.route('**/chat-answers', async (route) => {
    await route.fetch()
    stored.resolve() // its answer never comes
  })
  await countIn(page).click()
  await stored.promise
  await page.reload()
  await page.getByRole('heading', { name: 'Chat with Palesa' }).waitFor()
  await page.getByText('We have it.').last().waitFor()
  await waitingIn(page).waitFor({ state: 'detached', ...SOON })
  expect(await saved(lead)).toMatchObject({ followUpStatus: 'contacted' })
  await page.context().close()
})

test('a lead whose chat was handed over says to whom, by whom and with which note', async () => {
  const email = 'handed@example.co.za'
  const sessionId = await site.chat({ name: 'Lindiwe', email }, 'Who builds shops?')
  const form = { name: 'Lindiwe Zulu', email, phone: '082 555 0188' }
  const lead: Lead = await (await site.call('POST', `/api/chats/${sessionId}/lead`, form)).json()
  const assign = async (asked: object) =>
    expect((await site.call('POST', `/api/chats/${sessionId}/assign`, asked)).ok).toBe(true)
  const idOf = async (as?: TestSession) => (await (await site.call('GET', '/api/me', undefined, as)).json()).id
  await assign({ to: await idOf(), version: 0 })
  await assign({ to: await idOf(ben), version: 1, note: 'Wants a shop before December' })
  const page = await site.open(`/admin-lead?id=${lead.id}`)
  const handed = entries(page).filter({ hasText: 'Handed the chat to Ben Dube' })
  await handed.getByText('Wants a shop before December').waitFor(SOON)
  expect(await handed.count()).toBe(1)
  expect(await entries(page).filter({ hasText: 'Handed' }).count()).toBe(1) // to take a chat hands nothing over
  const link = handed.getByRole('link', { name: 'Open the chat with Lindiwe' })
  expect(await link.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)
  expect(await faultsOf(page)).toEqual([])
  await page.context().close()
})

test('a lead says that its person waits in a chat under its address, and leads there; a flagged one does not', async () => {
  const email = 'ayanda@example.co.za'
  const sessionId = await site.chat({ name: 'Ayanda', email }, 'Are you there?')
  const lead = await site.submit({ name: 'Ayanda Cele', email })
  const flagged = await site.submit({ name: 'Flagged Fikile', email, ...({ quartz: 'x' } as object) })
  const page = await site.open(`/admin-lead?id=${lead.id}`)
  await page.getByText(/^A chat of the same person is still open\. Waiting since \d\d:\d\d$/).waitFor()
  const back = page.getByRole('link', { name: 'Open the chat', exact: true })
  expect(await back.getAttribute('href')).toBe(`/admin-chat?session=${sessionId}`)
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await faultsOf(page), `at ${width} px`).toEqual([])
  }
  const chat = await site.open(`/admin-chat?session=${sessionId}`, { as: ben })
  await chat.getByPlaceholder('Type your response...').fill('We are.')
  await chat.getByRole('button', { name: 'Send', exact: true }).click()
  await countIn(chat).click()
  await panel(page)
    .getByText(/^Answered in the chat by Ben Dube, /)
    .waitFor(SOON)
  await page.getByText('A chat of the same person is still open.', { exact: true }).waitFor(SOON)
  await page.goto(`/admin-lead?id=${flagged.id}`)
  await entries(page).filter({ hasText: 'Ayanda' }).first().waitFor()
  expect(await back.count()).toBe(0)
  await Promise.all([page, chat].map((each) => each.context().close()))
})

test('who hands a chat over gives its lead along, if that is theirs and they do not say otherwise', async () => {
  const idOf = async (as?: TestSession) => (await (await site.call('GET', '/api/me', undefined, as)).json()).id
  const [mine, bens] = [await idOf(), await idOf(ben)]
  const handOver = async (name: string, { isKept }: { isKept: boolean }) => {
    const email = `${name.toLowerCase()}@example.co.za`
    const sessionId = await site.chat({ name, email }, 'Can you call me?')
    const form = { name, email, phone: '082 555 0199' }
    const lead: Lead = await (await site.call('POST', `/api/chats/${sessionId}/lead`, form)).json()
    await site.call('PATCH', `/api/leads/${lead.id}`, { ownerId: mine })
    const page = await site.open(`/admin-chat?session=${sessionId}`)
    await page.getByRole('button', { name: 'Hand over' }).click()
    const dialog = page.getByRole('dialog', { name: 'Hand over this chat' })
    const along = dialog.getByLabel(`Give them the lead as well: ${name}`)
    await dialog.getByText('You own it.').waitFor()
    expect(await along.isChecked()).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    if (isKept) await along.uncheck()
    await dialog.getByLabel('To', { exact: true }).selectOption({ label: 'Ben Dube' })
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await page.getByText('Assigned to Ben Dube').first().waitFor()
    await expect.poll(async () => (await saved(lead)).ownerId, SOON).toBe(isKept ? mine : bens)
    await page.context().close()
  }
  await handOver('Given', { isKept: false })
  await handOver('Kept', { isKept: true })
})
