import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, inputOf, isSent, logOf, say, seriousOf, start } from './test-widget.ts'

let site: TestSite
let staff: TestStaff
let sessionId: string
let link: string

/** Follows the link to the chat that an email led to, on the page as it is. */
const follow = (page: Page) =>
  page.evaluate((hash) => {
    location.hash = hash
  }, link.slice(1))

/** Starts a chat, with a first message, and tells the link that leads to it. */
const begin = async (name: string) => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, name)
  await say(page, `I am ${name}`)
  await isSent(page, `I am ${name}`)
  const { session } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('visitor-chat') ?? '{}'))
  return { page, sessionId, link: `/#chat=${session.sessionId}.${session.resumeToken}` }
}

beforeAll(async () => {
  site = await openTestSite()
  staff = await openTestStaff(site.nodes[1], site.url)
  const started = await begin('Nomsa')
  sessionId = started.sessionId
  link = started.link
  await staff.answer(sessionId, 'We are back: yes, we do.')
  await started.page.context().close()
})

afterAll(async () => {
  staff.close()
  await site.close()
})

test('a link opens the conversation on another device, and goes from the address before anything reports it', async () => {
  const page = await site.openPage({ path: 'about:blank' })
  const reported: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => reported.push(String(payload))))
  await page.goto(link)
  await logOf(page).getByText('We are back: yes, we do.').waitFor()
  await logOf(page).getByText('I am Nomsa').waitFor()
  expect(new URL(page.url()).hash).toBe('')
  expect(await logOf(page).getByText('Thanks for reaching out!').count()).toBe(0)
  const joins = reported.map((text) => JSON.parse(text)).filter(({ type }) => type === 'join_chat')
  expect(joins.map(({ pageUrl }) => pageUrl)).toEqual([`${site.url}/`])
  await say(page, 'Wonderful')
  await eventually(() => expect(staff.textsOf(sessionId)).toContain('Wonderful'))
  await logOf(page).getByRole('listitem').filter({ hasText: 'Wonderful' }).getByText('Nomsa').waitFor()
  await page.goto('/thanks')
  await logOf(page).getByText('Wonderful').waitFor()
  await page.context().close()
})

test('works on any page, and while the page is open already; it takes the place of the chat of the tab', async () => {
  const { page } = await begin('Other')
  await button(page, 'Minimise chat').click()
  await follow(page)
  await button(page, 'Open the other conversation').click()
  await logOf(page).getByText('We are back: yes, we do.').waitFor()
  expect(await logOf(page).getByText('I am Other').count()).toBe(0)
  expect(new URL(page.url()).hash).toBe('')
  await page.goto(`/contract/premium${link.slice(1)}`)
  await logOf(page).getByText('We are back: yes, we do.').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/contract/premium')
  await page.context().close()
})

test('nothing that was written in the chat of the tab ever goes into the chat of a link, which anybody may have sent', async () => {
  const { page, sessionId: own } = await begin('Torn')
  const sent: { type: string; sessionId?: string; message?: string }[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)))))
  site.network.stall()
  await say(page, 'My card number is 4000')
  await inputOf(page).fill('and its code is 1')
  await follow(page)
  await page.getByRole('alertdialog', { name: 'Leave this chat?' }).getByText('is then lost').waitFor()
  expect(await seriousOf(page)).toEqual([])
  site.network.cut()
  await site.network.resume()
  // while the visitor is asked, their own chat goes on
  await eventually(() => expect(staff.textsOf(own)).toContain('My card number is 4000'))
  await button(page, 'Open the other conversation').click()
  await logOf(page).getByText('We are back: yes, we do.').waitFor()
  expect(await inputOf(page).inputValue()).toBe('')
  await say(page, 'Hello again')
  await eventually(() => expect(staff.textsOf(sessionId)).toContain('Hello again'))
  expect(staff.textsOf(sessionId).join()).not.toContain('card')
  const elsewhere = sent.filter(({ type, sessionId: to }) => type === 'send_message' && to === sessionId)
  expect(elsewhere.map(({ message }) => message)).toEqual(['Hello again'])
  await page.context().close()
})

test('what waits to be sent is lost rather than sent elsewhere, where the visitor leaves for a link all the same', async () => {
  const { page } = await begin('Gone')
  site.network.stall()
  await say(page, 'Never for anybody else')
  await follow(page)
  await button(page, 'Open the other conversation').click()
  site.network.cut()
  await site.network.resume()
  await logOf(page).getByText('We are back: yes, we do.').waitFor()
  await say(page, 'After all that')
  await eventually(() => expect(staff.textsOf(sessionId)).toContain('After all that'))
  expect(staff.textsOf(sessionId)).not.toContain('Never for anybody else')
  await page.context().close()
})

test('a visitor who stays in their chat keeps all of it, and is asked again by the next link', async () => {
  const { page, sessionId: own } = await begin('Stays')
  await inputOf(page).fill('Half a sent')
  await follow(page)
  await button(page, 'Stay in this chat').click()
  expect(await inputOf(page).inputValue()).toBe('Half a sent')
  await inputOf(page).press('Enter')
  await eventually(() => expect(staff.textsOf(own)).toContain('Half a sent'))
  await follow(page)
  await button(page, 'Open the other conversation').waitFor()
  await page.context().close()
})

test('a link that no longer leads anywhere offers a new chat', async () => {
  const page = await site.openPage({ path: `/#chat=${crypto.randomUUID()}.${'x'.repeat(43)}` })
  await page.getByText('That conversation is no longer here. You can start a new one.').waitFor()
  await page.getByLabel('Your name').fill('Anew')
  await button(page, 'Start Chat').click()
  await logOf(page).getByText('Thanks for reaching out!').waitFor()
  await page.context().close()
})

test('a link that is cut off opens nothing, and leaves the address clean', async () => {
  const page = await site.openPage({ path: '/#chat=half' })
  await eventually(() => expect(new URL(page.url()).hash).toBe(''))
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').waitFor()
  await page.context().close()
})

test('a chat that has ended meanwhile can be read, and another one begun under the same name', async () => {
  staff.send({ type: 'end_chat', sessionId })
  await eventually(() =>
    expect(staff.frames.some((frame) => frame.type === 'chat_ended' && frame.sessionId === sessionId)).toBe(true),
  )
  const page = await site.openPage({ path: link })
  await logOf(page).getByText('We are back: yes, we do.').waitFor()
  await page.getByText('This chat has ended.').waitFor()
  await button(page, 'Start a new chat').click()
  await logOf(page).getByText('Thanks for reaching out!').waitFor()
  await eventually(() => {
    const begun = staff.frames.filter((frame) => frame.type === 'new_chat_session' && frame.visitorName === 'Nomsa')
    expect(begun).toHaveLength(2)
  })
  await page.context().close()
})
