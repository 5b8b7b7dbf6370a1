import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, STAFF } from '../../events/testing/node.ts'
import { IN_HOURS, openTestSite, type TestSite } from './test-site.ts'
import { openTestStaff, type TestStaff } from './test-staff.ts'
import { button, chatOf, inputOf, isSent, logOf, say, start, textsOf } from './test-widget.ts'

/** How long Postgres is away. */
const OUTAGE_MS = 25_000

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

/** Shows on the page that there is no connection, and then that it is back. */
const isAway = async (page: Page) => {
  await chatOf(page).getByText('Disconnected').waitFor()
  await chatOf(page).getByText('Connecting to chat...').waitFor()
  expect(await chatOf(page).locator('[viewBox="0 0 10 10"] circle').getAttribute('fill')).toBe('#e5554a')
  expect(await inputOf(page).isDisabled()).toBe(true)
  expect(await button(page, 'Send').isDisabled()).toBe(true)
}
const isBack = async (page: Page) => {
  await chatOf(page).getByText('Connected', { exact: true }).waitFor()
  await eventually(async () => expect(await inputOf(page).isEnabled()).toBe(true))
}

test('a message that goes out while the network is dead is delivered once, after the network is back', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Offline')
  site.network.stall()
  await say(page, 'Is anybody there?')
  await logOf(page).getByText('Offline · Sending').waitFor()
  await page.clock.setFixedTime(new Date(IN_HOURS.getTime() + 60_000))
  await logOf(page).getByText('Not sent yet. We keep trying.').waitFor()
  const offer = logOf(page).getByRole('link', { name: 'Send it on WhatsApp' })
  expect(await offer.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/\d+\?text=Is%20anybody%20there%3F$/)
  site.network.cut()
  await isAway(page)
  await site.network.resume()
  await isBack(page)
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await say(page, 'Good')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Is anybody there?', 'Good']))
  expect((await textsOf(page)).slice(1)).toEqual(['Is anybody there?', 'Good'])
  await page.context().close()
})

test('a message that waits when the visitor leaves goes out from the next page, once', async () => {
  const page = await site.openPage()
  let isLost = false
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((frame) => {
      if (!isLost) server.send(frame)
    })
  })
  await page.reload()
  const sessionId = await start(staff, page, 'Waiting')
  isLost = true
  await say(page, 'Sent, then left')
  await logOf(page).getByText('Waiting · Sending').waitFor()
  isLost = false
  await page.goto('/thanks')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  expect((await textsOf(page)).slice(1)).toEqual(['Sent, then left'])
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Sent, then left']))
  await page.context().close()
})

test('what a visitor has kept goes out whole and in order, each once, also where it is more than the server takes at once', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Patient')
  const texts = Array.from({ length: 206 }, (_, index) => `Kept ${index + 1}`)
  await page.evaluate((texts) => {
    const kept = JSON.parse(sessionStorage.getItem('visitor-chat') ?? '')
    const timestamp = new Date().toISOString()
    const unsent = texts.map((message) => ({ clientMessageId: message, message, timestamp }))
    sessionStorage.setItem('visitor-chat', JSON.stringify({ ...kept, unsent }))
  }, texts)
  await page.reload()
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(texts), 80_000)
  await isSent(page, 'Kept 206')
  expect((await textsOf(page)).slice(1)).toEqual(texts)
  await page.context().close()
})

test('a message that the server refuses says so, offers WhatsApp, and can be tried again', async () => {
  const page = await site.openPage()
  let isRefusing = false
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((text) => {
      const frame = JSON.parse(String(text))
      const isRefused = isRefusing && frame.type === 'send_message'
      if (!isRefused) return server.send(text)
      const { clientMessageId } = frame
      socket.send(JSON.stringify({ type: 'error', code: 'id_reused', message: 'No.', clientMessageId }))
    })
  })
  await page.reload()
  const sessionId = await start(staff, page, 'Refused')
  isRefusing = true
  await say(page, 'Half 50% & more?')
  await logOf(page).getByText('Refused · Not sent: No.').waitFor()
  const told = page.locator('[data-island=chat] > p[role=status]')
  await eventually(async () =>
    expect(await told.textContent()).toBe('A message was not sent. You can send it on WhatsApp.'),
  )
  const offer = logOf(page).getByRole('link', { name: 'Send it on WhatsApp' })
  expect(await offer.getAttribute('href')).toMatch(/\?text=Half%2050%25%20%26%20more%3F$/)
  isRefusing = false
  await button(page, 'Try again').click()
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Half 50% & more?']))
  await page.context().close()
})

test('a chat that the server cannot start just now is started a moment later, once', async () => {
  const page = await site.openPage({ path: `/?utm_source=${'x'.repeat(3_000)}` })
  let refusals = 1
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((text) => {
      server.send(text)
      if (JSON.parse(String(text)).type !== 'join_chat' || refusals === 0) return
      refusals -= 1
      server.onMessage(() => {})
      socket.send(JSON.stringify({ type: 'error', code: 'unavailable', message: 'Not available just now' }))
    })
  })
  await page.reload()
  const sessionId = await start(staff, page, 'Twice')
  await say(page, 'Here')
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['Here']))
  const started = staff.frames.filter((frame) => frame.type === 'new_chat_session' && frame.visitorName === 'Twice')
  expect(started).toHaveLength(1)
  await page.context().close()
})

test('while the server lets nobody in for 25 s a page keeps its connection, asks ever less often, and joins by itself', async () => {
  const page = await site.openPage()
  let handshakes = 0
  let joins = 0
  const began = performance.now()
  await page.routeWebSocket('**/ws', (socket) => {
    handshakes += 1
    const server = socket.connectToServer()
    socket.onMessage((text) => {
      const isJoin = JSON.parse(String(text)).type === 'join_chat'
      if (isJoin) joins += 1
      if (!isJoin || performance.now() - began > OUTAGE_MS) return server.send(text)
      const message = 'Not available just now: try again'
      socket.send(JSON.stringify({ type: 'error', code: 'unavailable', message, refused: 'join_chat' }))
    })
  })
  await page.reload()
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').fill('Waits')
  await button(page, 'Start Chat').click()
  await chatOf(page).getByText('Connecting to chat...').waitFor()
  await logOf(page)
    .getByText('Thanks for reaching out!')
    .waitFor({ timeout: OUTAGE_MS + 25_000 })
  expect(handshakes).toBe(1)
  expect(joins).toBeLessThanOrEqual(12)
  expect(await chatOf(page).getByText('Connecting to chat...').count()).toBe(0)
  await page.context().close()
})

test('a visitor who has to wait is told why and for how long, and is let in by itself', async () => {
  const page = await site.openPage()
  let refusals = 1
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((text) => {
      if (JSON.parse(String(text)).type !== 'join_chat' || refusals === 0) return server.send(text)
      refusals -= 1
      const message = 'A lot has come in from your connection in a short time. Please try again in 4 seconds.'
      const refusal = { code: 'too_many_requests', message, refused: 'join_chat', retryAfterS: 4 }
      socket.send(JSON.stringify({ type: 'error', ...refusal }))
    })
  })
  await page.reload()
  await button(page, 'Open chat').click()
  await page.getByLabel('Your name').fill('Office')
  await button(page, 'Start Chat').click()
  await chatOf(page).getByText('Please try again in 4 seconds.').waitFor()
  await logOf(page).getByText('Thanks for reaching out!').waitFor()
  expect(await chatOf(page).getByText('Please try again').count()).toBe(0)
  await page.context().close()
})

test('what is told of a chat that was left for another one does not touch that one', async () => {
  const page = await site.openPage()
  let left = ''
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((text) => {
      if (left && JSON.parse(String(text)).type === 'join_chat') {
        const message = { id: left, sequence: 1, senderType: 'admin', senderName: 'Support', timestamp: IN_HOURS }
        socket.send(JSON.stringify({ type: 'new_message', sessionId: left, message: 'Of the other', ...message }))
        socket.send(JSON.stringify({ type: 'chat_ended', sessionId: left, isErased: true }))
      }
      server.send(text)
    })
  })
  await page.reload()
  const ended = await start(staff, page, 'Lerato')
  staff.send({ type: 'end_chat', sessionId: ended })
  await chatOf(page).getByText('This chat has ended').waitFor()
  left = ended
  await button(page, 'Start a new chat').click()
  await logOf(page).getByText('Thanks for reaching out!').waitFor()
  await say(page, 'Here again')
  await isSent(page, 'Here again')
  expect((await textsOf(page)).slice(1)).toEqual(['Here again'])
  await page.context().close()
})

test('what came while the connection was away is there afterwards, and counted once', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Counted')
  await say(page, 'Hello')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await staff.answer(sessionId, 'Seen')
  await logOf(page).getByText('Seen').waitFor()
  await button(page, 'Minimise chat').click()
  await staff.answer(sessionId, 'before')
  await chatOf(page).getByText('1', { exact: true }).waitFor()
  await site.network.refuse()
  await chatOf(page).getByText('Disconnected').waitFor()
  for (const text of ['one', 'two']) await staff.answer(sessionId, text)
  await site.network.resume()
  await chatOf(page).getByText('3', { exact: true }).waitFor()
  await page.reload()
  await chatOf(page).getByText('3', { exact: true }).waitFor()
  await button(page, 'Expand chat').click()
  await eventually(async () =>
    expect((await textsOf(page)).slice(1)).toEqual(['Hello', 'Seen', 'before', 'one', 'two']),
  )
  await page.context().close()
})

test('the device says that it is offline, and the light turns at once', async () => {
  const page = await site.openPage()
  await start(staff, page, 'Tunnel')
  await inputOf(page).fill('half')
  await page.context().setOffline(true)
  await isAway(page)
  await page.context().setOffline(false)
  await isBack(page)
  expect(await inputOf(page).inputValue()).toBe('half')
  await eventually(async () =>
    expect(await inputOf(page).evaluate((input) => input === document.activeElement)).toBe(true),
  )
  await page.context().close()
})

test('a network that has fallen silent is noticed without a word from anyone', async () => {
  const page = await site.openPage()
  await page.clock.install({ time: IN_HOURS })
  await page.reload()
  await start(staff, page, 'Silent')
  site.network.stall()
  await page.clock.fastForward(20_000)
  expect(await chatOf(page).getByText('Connected', { exact: true }).isVisible()).toBe(true)
  await page.clock.fastForward(8_000)
  await isAway(page)
  site.network.cut()
  await site.network.resume()
  await page.clock.fastForward(20_000)
  await isBack(page)
  await page.context().close()
})

test('going back to a page shows the chat as it is by now', async () => {
  const page = await site.openPage()
  await start(staff, page, 'Back')
  await say(page, 'on the first page')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
  await page.goto('/thanks')
  await say(page, 'on the second page')
  await isSent(page, 'on the second page')
  await page.goBack()
  await isBack(page)
  await eventually(async () =>
    expect((await textsOf(page)).slice(1)).toEqual(['on the first page', 'on the second page']),
  )
  await page.context().close()
})

test('staff see after a lost connection what happened in chats that they did not know', async () => {
  const page = await site.openPage({ path: '/admin-chat' })
  await page.getByLabel(/username/i).fill(STAFF.username)
  await page.getByLabel(/password/i).fill(STAFF.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Live chat' }).waitFor()
  await page.getByText('Connected', { exact: true }).waitFor()
  const visitor = await site.openPage()
  await start(staff, visitor, 'Stranger')
  const entry = page.getByRole('button', { name: /^Stranger/ })
  await entry.waitFor()
  expect(await entry.textContent()).not.toContain('unread')
  await page.context().setOffline(true)
  await page.getByText('Connecting to chat server...').waitFor()
  await say(visitor, 'first')
  await say(visitor, 'second')
  await isSent(visitor, 'second')
  const newcomer = await site.openPage()
  await start(staff, newcomer, 'Newcomer')
  await say(newcomer, 'hello')
  await logOf(newcomer).getByText('Sent', { exact: true }).waitFor()
  await page.context().setOffline(false)
  await eventually(async () => expect(await entry.textContent()).toContain('2 unread'))
  const other = page.getByRole('button', { name: /^Newcomer/ })
  await eventually(async () => expect(await other.textContent()).toContain('1 unread'))
  await entry.click()
  await page.getByRole('log').getByText('second').waitFor()
  await page.getByPlaceholder('Type your response...').fill('Good day')
  await page.keyboard.press('Enter')
  await logOf(visitor).getByText('Good day').waitFor()
  await Promise.all([page, visitor, newcomer].map((each) => each.context().close()))
})

test('a node that is killed while a visitor types costs nothing: the chat goes on over the other', async () => {
  const page = await site.openPage()
  const sessionId = await start(staff, page, 'Survivor')
  await say(page, 'one')
  await logOf(page).getByText('Sent', { exact: true }).waitFor()
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
  await eventually(() => expect(staff.textsOf(sessionId)).toEqual(['one', 'two and a half']))
  expect((await textsOf(page)).slice(1)).toEqual(['one', 'meanwhile', 'two and a half'])
  await page.context().close()
})
