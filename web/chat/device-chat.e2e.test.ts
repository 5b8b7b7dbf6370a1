import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../events/testing/node.ts'
import { IN_HOURS, openTestSite, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, chatOf, end, inputOf, isSent, logOf, say, seriousOf, start } from './test-widget.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

let site: TestSite
let staff: TestStaff

beforeAll(async () => {
  site = await openTestSite()
  staff = await openTestStaff(site.nodes[1], site.url)
})

afterAll(async () => {
  staff.close()
  await site.close()
})

/** Another tab of the same browser. */
const openTab = async (page: Page, { path = '/', now = IN_HOURS } = {}) => {
  const tab = await page.context().newPage()
  await tab.clock.setFixedTime(now)
  await tab.goto(path)
  return tab
}

const keptOnDevice = (page: Page) => page.evaluate(() => localStorage.getItem('visitor-chat'))

test('a chat survives its tab: the next one tells what came meanwhile, and goes on', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Returns')
  await say(page, 'Back in a minute')
  await isSent(page, 'Back in a minute')
  await inputOf(page).fill('Half a thou')
  const holder = await page.context().newPage()
  await page.close()
  await staff.answer(sessionId, 'We wait for you')
  const tab = await openTab(holder, { path: '/thanks' })
  await button(tab, 'Open chat, 1 unread').click()
  await logOf(tab).getByText('We wait for you').waitFor()
  await logOf(tab).getByText('Back in a minute').waitFor()
  expect(await inputOf(tab).inputValue()).toBe('Half a thou')
  await say(tab, 'Here I am')
  await eventually(() => expect(staff.textsOf(sessionId)).toContain('Here I am'))
  await tab.context().close()
})

test('a message that was not sent when the tab was closed goes out from the next one, once', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Cut off')
  site.network.stall()
  await say(page, 'Said in a tunnel')
  const holder = await page.context().newPage()
  await page.close()
  site.network.cut()
  await site.network.resume()
  const tab = await openTab(holder)
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Said in a tunnel']))
  await tab.context().close()
})

test('a chat that was begun in one tab is what another one opens, though it was there before', async () => {
  const early = await site.openPage()
  const page = await openTab(early)
  const sessionId = await start(staff, page, 'Two tabs')
  await say(page, 'From the second')
  await isSent(page, 'From the second')
  await button(early, 'Open chat').click()
  await logOf(early).getByText('From the second').waitFor()
  await say(early, 'From the first')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['From the second', 'From the first']))
  await logOf(page).getByText('From the first').waitFor()
  await page.context().close()
})

test('a visitor can have the device forget the chat: it goes from every tab, and another one can begin at once', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Shared computer')
  await say(page, 'For nobody else here')
  await isSent(page, 'For nobody else here')
  const other = await openTab(page)
  await button(other, 'Open chat').click()
  await logOf(other).getByText('For nobody else here').waitFor()
  await button(page, 'Forget chat').click()
  const question = page.getByRole('alertdialog', { name: 'Forget this chat on this device?' })
  await question.waitFor()
  expect(await seriousOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await logOf(page).getByText('For nobody else here').waitFor()
  await button(page, 'Forget chat').click()
  await question.getByRole('button', { name: 'Forget it' }).click()
  for (const tab of [page, other]) {
    await tab.getByLabel('Your name').waitFor()
    expect(await keptOnDevice(tab)).toBe(null)
    expect(await tab.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Shared computer')
  }
  expect(staff.textsOf(sessionId)).toEqual(['For nobody else here'])
  await page.getByLabel('Your name').fill('Next person')
  await button(page, 'Start Chat').click()
  expect(await staff.sessionOf('Next person')).not.toBe(sessionId)
  expect(await logOf(page).getByText('For nobody else here').count()).toBe(0)
  await page.context().close()
})

test('a tab that slept while the chat was forgotten does not bring it back', async () => {
  const page = await site.openPage()
  await start(staff, page, 'Sleeper')
  await say(page, 'Before the sleep')
  await isSent(page, 'Before the sleep')
  const kept = await page.evaluate(() => sessionStorage.getItem('visitor-chat') ?? '')
  await button(page, 'Forget chat').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Forget it' }).click()
  await page.getByLabel('Your name').waitFor()
  await page.evaluate((text) => sessionStorage.setItem('visitor-chat', text), kept)
  await page.reload()
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').waitFor()
  expect(await logOf(page).getByText('Before the sleep').count()).toBe(0)
  expect(await keptOnDevice(page)).toBe(null)
  await page.context().close()
})

test('a chat that has ended stays readable in its tab, and is no longer on the device', async () => {
  const page = await site.openPage()
  await start(staff, page, 'Done')
  await say(page, 'Thank you')
  await isSent(page, 'Thank you')
  await end(page)
  await chatOf(page).getByText('This chat has ended.').waitFor()
  expect(await keptOnDevice(page)).toBe(null)
  await page.reload()
  // it no longer covers a small page
  await button(page, 'Expand chat').click()
  await logOf(page).getByText('Thank you').waitFor()
  await chatOf(page).getByText('This chat has ended.').waitFor()
  expect(await keptOnDevice(page)).toBe(null)
  const tab = await openTab(page)
  await button(tab, 'Open chat').click()
  await tab.getByLabel('Your name').waitFor()
  await page.context().close()
})

test('a chat in which nobody has written for 30 days is not taken up', async () => {
  const page = await site.openPage()
  await start(staff, page, 'Long ago')
  await say(page, 'In spring')
  await isSent(page, 'In spring')
  const said = await page.evaluate(() => JSON.parse(localStorage.getItem('visitor-chat') ?? '').messages[0].timestamp)
  const lastDay = new Date(Date.parse(said) + 30 * DAY_MS - 60_000)
  const early = await openTab(page, { now: lastDay })
  await button(early, 'Open chat').click()
  await logOf(early).getByText('In spring').waitFor()
  await early.close()
  const holder = await page.context().newPage()
  await page.close()
  const late = await openTab(holder, { now: new Date(Date.parse(said) + 30 * DAY_MS + 60_000) })
  await button(late, 'Open chat').click()
  await late.getByLabel('Your name').waitFor()
  expect(await keptOnDevice(late)).toBe(null)
  await late.context().close()
})

test('a chat that the server no longer lets in goes from the device, and no other one begins by itself', async () => {
  const page = await site.openPage()
  await start(staff, page, 'Expired')
  const holder = await page.context().newPage()
  await page.close()
  // a page without a chat
  const tab = await openTab(holder, { path: '/robots.txt' })
  await tab.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('visitor-chat') ?? '')
    localStorage.setItem('visitor-chat', JSON.stringify({ ...kept, session: { ...kept.session, resumeToken: 'old' } }))
  })
  await tab.close()
  const next = await openTab(holder)
  await eventually(async () => expect(await keptOnDevice(next)).toBe(null))
  await button(next, 'Open chat').click()
  await next.getByLabel('Your name').waitFor()
  expect(
    staff.frames.filter((frame) => frame.type === 'new_chat_session' && frame.visitorName === 'Expired'),
  ).toHaveLength(1)
  await next.context().close()
})
