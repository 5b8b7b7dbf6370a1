import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestClient } from '../../../api/testing/socket-client.ts'
import { eventually } from '../../../events/testing/node.ts'
import { IN_HOURS, openTestSite, type TestSite } from '../../testing/chat/site.ts'
import { openStaffPage, openTestStaff, type TestStaff } from '../../testing/chat/staff.ts'
import { button, chatOf, inputOf, isSent, logOf, say, seriousOf, start, textsOf } from '../../testing/chat/widget.ts'
import { stopClock } from '../../testing/clock.ts'

let site: TestSite
let staff: TestStaff

beforeAll(async () => {
  site = await openTestSite()
  staff = await openTestStaff(site.nodes[1], site.url)
})

afterAll(async () => {
  staff?.close()
  await site?.close()
})

/** Checks that the page shows that there is no connection, and then that it is back. */
const isAway = async (page: Page) => {
  await chatOf(page).getByText('Disconnected').waitFor()
  await chatOf(page).getByText('Connecting to chat...').waitFor()
  expect(await inputOf(page).isDisabled()).toBe(true)
}
const isBack = async (page: Page) => {
  await chatOf(page).getByText('Connected', { exact: true }).waitFor()
  await eventually(async () => expect(await inputOf(page).isEnabled()).toBe(true))
}

/** Another tab of the same browser. */
const openTab = async (page: Page, path = '/') => {
  const tab = await page.context().newPage()
  await stopClock(tab, IN_HOURS)
  await tab.goto(path)
  return tab
}

const keptOnDevice = (page: Page) => page.evaluate(() => localStorage.getItem('visitor-chat'))

test('Two tabs are in one chat; a visitor removes it from the device, and another person can begin at once', async () => {
  const other = await site.openPage()
  const page = await openTab(other)
  const sessionId = await start(staff, page, 'Shared computer')
  await say(page, 'For nobody else here')
  await isSent(page, 'For nobody else here')
  // begun since that tab was opened
  await button(other, 'Open chat').click()
  await logOf(other).getByText('For nobody else here').waitFor()
  await say(other, 'From the other')
  await logOf(page).getByText('From the other').waitFor()
  await page.close()
  await staff.answer(sessionId, 'We wait for you')
  const next = await openTab(other, '/thanks')
  await button(next, 'Open chat').click()
  await logOf(next).getByText('We wait for you').waitFor()
  await button(next, 'More actions').click()
  await button(next, 'Delete from this device').click()
  const question = next.getByRole('alertdialog', { name: 'Delete this chat from this device?' })
  await question.getByRole('button', { name: 'Delete it' }).click()
  for (const tab of [next, other]) {
    await tab.getByLabel('Your name').waitFor()
    expect(await keptOnDevice(tab)).toBe(null)
    expect(await tab.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Shared computer')
  }
  expect(staff.textsOf(sessionId)).toEqual(['For nobody else here', 'From the other'])
  await next.getByLabel('Your name').fill('Next person')
  await button(next, 'Start Chat').click()
  expect(await staff.sessionOf('Next person')).not.toBe(sessionId)
  expect(await logOf(next).getByText('For nobody else here').count()).toBe(0)
  await next.context().close()
})

test('A link opens the conversation on another device, and asks if the tab is in a chat of its own', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Nomsa')
  await say(page, 'I am Nomsa')
  await isSent(page, 'I am Nomsa')
  await staff.answer(sessionId, 'We are back: yes, we do.')
  const { session } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('visitor-chat') ?? '{}'))
  const hash = `#chat=${session.sessionId}.${session.resumeToken}`
  await page.context().close()

  const elsewhere = await site.openPage({ path: 'about:blank' })
  const reported: string[] = []
  elsewhere.on('websocket', (socket) => socket.on('framesent', ({ payload }) => reported.push(String(payload))))
  await elsewhere.goto(`/${hash}`)
  await logOf(elsewhere).getByText('We are back: yes, we do.').waitFor()
  expect(new URL(elsewhere.url()).hash).toBe('')
  const joins = reported.map((text) => JSON.parse(text)).filter(({ type }) => type === 'join_chat')
  expect(joins.map(({ pageUrl }) => pageUrl)).toEqual([`${site.url}/`])
  expect(await logOf(elsewhere).getByText('Thanks for reaching out!').count()).toBe(0)
  await say(elsewhere, 'Wonderful')
  await eventually(() => expect(staff.textsOf(sessionId)).toContain('Wonderful'))
  await elsewhere.context().close()

  const other = await site.openPage()
  const own = await start(staff, other, 'Other')
  await other.evaluate((link) => {
    location.hash = link
  }, hash)
  await other.getByRole('alertdialog', { name: 'Leave this chat?' }).waitFor()
  expect(await seriousOf(other)).toEqual([])
  await button(other, 'Open the other conversation').click()
  await logOf(other).getByText('We are back: yes, we do.').waitFor()
  expect(new URL(other.url()).hash).toBe('')
  await other.goto(`/contract/premium${hash}`)
  await logOf(other).getByText('Wonderful').waitFor()
  expect(new URL(other.url()).pathname + new URL(other.url()).hash).toBe('/contract/premium')
  expect(staff.textsOf(own)).toEqual([])
  await other.context().close()
})

test('After a lost connection staff see the events of chats that they did not have', async () => {
  const page = await openStaffPage(site, '/admin-chat')
  await page.getByText('Connected', { exact: true }).waitFor()
  /** A visitor with a chat, on the other node. */
  const visit = async (visitorName: string) => {
    const client = await openTestClient(site.nodes[1], { origin: site.url })
    client.send({ type: 'join_chat', visitorName, joinKey: randomUUID() })
    const { sessionId } = await client.take('chat_joined')
    const say = async (message: string) => {
      client.send({ type: 'send_message', sessionId, message, clientMessageId: randomUUID() })
      await client.take('message_accepted')
    }
    return { client, say }
  }
  const stranger = await visit('Stranger')
  const entry = page.getByRole('button', { name: /^Stranger/ })
  await entry.waitFor()
  expect(await entry.textContent()).not.toContain('unread')
  await page.context().setOffline(true)
  await page.getByText('Connecting to chat server...').waitFor()
  for (const text of ['first', 'second']) await stranger.say(text)
  const newcomer = await visit('Newcomer')
  await newcomer.say('hello')
  await page.context().setOffline(false)
  await eventually(async () => expect(await entry.textContent()).toContain('2 unread'))
  const other = page.getByRole('button', { name: /^Newcomer/ })
  await eventually(async () => expect(await other.textContent()).toContain('1 unread'))
  await entry.click()
  await page.getByRole('log').getByText('second').waitFor()
  await page.getByPlaceholder('Type your response...').fill('Good day')
  await page.keyboard.press('Enter')
  await stranger.client.take('new_message', ({ message }) => message === 'Good day')
  await Promise.all([page.context().close(), stranger.client.close(), newcomer.client.close()])
})

test('A chat survives a dead network, a device without one, a way back and a killed node, and loses nothing', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Survivor')
  site.network.stall()
  await say(page, 'Is anybody there?')
  await logOf(page).getByText('Survivor · Sending').waitFor()
  await page.clock.setFixedTime(new Date(IN_HOURS.getTime() + 60_000))
  await logOf(page).getByText('Not sent yet. We keep trying.').waitFor()
  const offer = logOf(page).getByRole('link', { name: 'Send it on WhatsApp' })
  expect(await offer.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/\d+\?text=Is%20anybody%20there%3F$/)
  site.network.cut()
  await isAway(page)
  await site.network.resume()
  await isBack(page)
  await isSent(page, 'Is anybody there?')

  // the input in use has the focus again, though it was disabled for some time
  await inputOf(page).fill('half')
  await page.context().setOffline(true)
  await isAway(page)
  await page.context().setOffline(false)
  await isBack(page)
  expect(await inputOf(page).inputValue()).toBe('half')
  await eventually(async () =>
    expect(await inputOf(page).evaluate((input) => input === document.activeElement)).toBe(true),
  )

  // a page from the browser's back/forward cache shows the chat's current state
  await page.goto('/thanks')
  await say(page, 'on the second page')
  await isSent(page, 'on the second page')
  await page.goBack()
  await isBack(page)
  await logOf(page).getByText('on the second page').waitFor()

  await inputOf(page).pressSequentially('two and a ha')
  site.front.lead()
  site.nodes[0].kill('SIGKILL')
  await isAway(page)
  expect(await inputOf(page).inputValue()).toBe('two and a ha')
  await staff.answer(sessionId, 'meanwhile')
  site.front.lead(site.nodes[1].url)
  await isBack(page)
  await logOf(page).getByText('meanwhile').waitFor()
  await page.keyboard.type('lf')
  await page.keyboard.press('Enter')
  const said = ['Is anybody there?', 'on the second page', 'two and a half']
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(said))
  await eventually(async () => expect((await textsOf(page)).slice(1)).toEqual(said.toSpliced(2, 0, 'meanwhile')))
  await page.context().close()
})
