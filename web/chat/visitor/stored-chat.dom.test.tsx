import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../events/base/time.ts'
import {
  button,
  chat,
  days,
  end,
  field,
  fill,
  input,
  log,
  notes,
  openVisitorPage,
  press,
  say,
  start,
  texts,
  type VisitorPage,
} from '../../testing/visitor-page.tsx'
import { VisitorServer, WELCOME } from '../../testing/visitor-socket.ts'

const ANSWER = 'We are back: yes, we do.'

const onDevice = () => localStorage.getItem('visitor-chat')
const sent = () => log().findByText('Sent')
const isAtTheBeginning = () => expect(field('Your name').value).toBe('')

const forget = async (page: VisitorPage) => {
  await press(page, 'More actions')
  await press(page, 'Delete from this device')
  await page.user.click(within(screen.getByRole('alertdialog')).getByText('Delete it'))
}

test('A chat survives its tab: the next one shows new messages, and continues', async () => {
  const page = await openVisitorPage()
  await start(page, 'Returns')
  await say(page, 'Back in a minute')
  await sent()
  await fill(page, input(), 'Half a thou')
  await page.openNextTab('/thanks', () => page.server.say('We wait for you'))
  await page.user.click(await screen.findByRole('button', { name: 'Open chat, 1 unread' }))
  expect(texts()).toEqual([WELCOME, 'Back in a minute', 'We wait for you'])
  expect(input().value).toBe('Half a thou')
  await say(page, 'Here I am')
  await waitFor(() => expect(page.server.textsOf()).toContain('Here I am'))
})

test('A chat begun in one tab is opened by another one, even one that was there before', async () => {
  const page = await openVisitorPage()
  await start(page, 'Two tabs')
  await say(page, 'From the second')
  await sent()
  const kept = onDevice() ?? ''
  await page.openNextTab('/', () => localStorage.clear())
  localStorage.setItem('visitor-chat', kept)
  await press(page, 'Open chat')
  await log().findByText('From the second')
  expect(page.server.chats).toHaveLength(1)
})

test('A visitor who removes the chat from this device is asked first; then another person can begin at once', async () => {
  const page = await openVisitorPage()
  await start(page, 'Shared computer')
  await say(page, 'For nobody else here')
  await sent()
  await press(page, 'More actions')
  await press(page, 'Delete from this device')
  expect(screen.getByRole('alertdialog', { name: 'Delete this chat from this device?' })).toBeTruthy()
  await page.user.keyboard('{Escape}')
  expect(log().getByText('For nobody else here')).toBeTruthy()
  await forget(page)
  isAtTheBeginning()
  expect(onDevice()).toBeNull()
  expect(JSON.stringify(sessionStorage)).not.toContain('Shared computer')
  await fill(page, field('Your name'), 'Next person')
  await press(page, 'Start Chat')
  await waitFor(() => expect(page.server.chat.visitorName).toBe('Next person'))
  expect(page.server.chats).toHaveLength(2)
  expect(texts()).not.toContain('For nobody else here')
})

test('A tab that slept while the chat was removed does not bring it back', async () => {
  const page = await openVisitorPage()
  await start(page, 'Sleeper')
  await say(page, 'Before the sleep')
  await sent()
  const kept = sessionStorage.getItem('visitor-chat') ?? ''
  await forget(page)
  await page.reload('/', () => sessionStorage.setItem('visitor-chat', kept))
  await press(page, 'Open chat')
  isAtTheBeginning()
  expect(onDevice()).toBeNull()
})

test('A chat that has ended stays readable on its device for a day, and can be rated there', async () => {
  const page = await openVisitorPage()
  await start(page, 'Done')
  await say(page, 'Thank you')
  await sent()
  page.server.say('We thank you')
  await end(page)
  const { endedAt } = JSON.parse(onDevice() ?? '')
  await page.reload()
  // it no longer covers a small page
  await press(page, 'Expand chat')
  expect(log().getByText('Thank you')).toBeTruthy()
  await screen.findByText('This chat has ended.')
  await press(page, 'Close chat')
  await press(page, 'Open chat')
  expect(log().getByText('Thank you')).toBeTruthy()
  const joins = page.server.sentOf('join_chat').length
  await page.openNextTab('/', () => vi.setSystemTime(Date.parse(endedAt) + DAY_MS - 60_000))
  // until it is opened it needs no connection
  expect(page.server.sentOf('join_chat')).toHaveLength(joins)
  await press(page, 'Open chat')
  expect(log().getByText('Thank you')).toBeTruthy()
  await press(page, 'Bad')
  await screen.findByText('Thank you for your rating.')
  await page.openNextTab('/', () => vi.setSystemTime(Date.parse(endedAt) + DAY_MS + 60_000))
  await press(page, 'Open chat')
  isAtTheBeginning()
  expect(onDevice()).toBeNull()
})

test('A chat that has ended gives way to the next one, in a tab that slept too', async () => {
  const page = await openVisitorPage()
  await start(page, 'First')
  await end(page)
  const slept = sessionStorage.getItem('visitor-chat') ?? ''
  await press(page, 'Start a new chat')
  await say(page, 'A second question')
  await sent()
  await page.reload('/', () => sessionStorage.setItem('visitor-chat', slept))
  expect(JSON.parse(onDevice() ?? '').messages).toMatchObject([{ message: 'A second question' }])
})

test('A chat without a message for 30 days is not resumed', async () => {
  const page = await openVisitorPage()
  await start(page, 'Long ago')
  await say(page, 'In spring')
  await sent()
  const said = Date.parse(JSON.parse(onDevice() ?? '').messages[0].timestamp)
  await page.openNextTab('/', () => vi.setSystemTime(said + 30 * DAY_MS - 60_000))
  await press(page, 'Open chat')
  expect(log().getByText('In spring')).toBeTruthy()
  await page.openNextTab('/', () => vi.setSystemTime(said + 30 * DAY_MS + 60_000))
  await press(page, 'Open chat')
  isAtTheBeginning()
  expect(onDevice()).toBeNull()
})

test('A chat that the server no longer admits is removed from the device, and no other one begins automatically', async () => {
  const page = await openVisitorPage()
  await start(page, 'Expired')
  const kept = JSON.parse(onDevice() ?? '')
  const stale = { ...kept, session: { ...kept.session, resumeToken: 'old' } }
  await page.openNextTab('/', () => localStorage.setItem('visitor-chat', JSON.stringify(stale)))
  await waitFor(() => expect(onDevice()).toBeNull())
  await press(page, 'Open chat')
  isAtTheBeginning()
  expect(page.server.chats).toHaveLength(1)
})

test('A visitor without storage, on a page without HTTPS, can still chat', async () => {
  const storage = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('Denied', 'SecurityError')
  })
  const { randomUUID } = crypto
  Object.assign(crypto, { randomUUID: undefined })
  try {
    const page = await openVisitorPage()
    await start(page, 'Private')
    await say(page, 'Hello')
    await waitFor(() => expect(page.server.textsOf()).toEqual(['Hello']))
  } finally {
    storage.mockRestore()
    Object.assign(crypto, { randomUUID })
  }
})

/** A server with a chat begun by another visitor, and the link to it. */
const linked = () => {
  const server = new VisitorServer()
  const other = server.begin('Nomsa')
  server.say('I am Nomsa', other, { senderType: 'visitor', senderName: 'Nomsa' })
  server.say(ANSWER, other)
  return { server, other, hash: `#chat=${other.sessionId}.${other.resumeToken}` }
}

/** The same, on a page with a chat of its own. */
const begunBesideLink = async (name: string) => {
  const { server, other, hash } = linked()
  const page = await openVisitorPage({ server })
  await start(page, name)
  await say(page, `I am ${name}`)
  await sent()
  return { page, server, other, hash, own: server.chat }
}

test('A link opens the conversation on another device, under the name in it, and leaves the address', async () => {
  const { server, other, hash } = linked()
  const page = await openVisitorPage({ server, path: `/${hash}` })
  await screen.findByText(ANSWER)
  expect(texts()).toEqual(['I am Nomsa', ANSWER])
  expect(location.hash).toBe('')
  expect(server.sentOf('join_chat').map(({ pageUrl }) => pageUrl)).toEqual(['http://localhost:3000/'])
  await say(page, 'Wonderful')
  await waitFor(() => expect(server.textsOf(other)).toContain('Wonderful'))
  expect(notes().at(-1)).toMatch(/^Nomsa · /)
  await page.reload('/thanks')
  expect(log().getByText('Wonderful')).toBeTruthy()
})

test('A link replaces the chat of the tab once the visitor agrees, even if the chat is minimised', async () => {
  const { page, hash } = await begunBesideLink('Other')
  await press(page, 'Minimise chat')
  page.follow(hash)
  await press(page, 'Open the other conversation')
  await log().findByText(ANSWER)
  expect(texts()).not.toContain('I am Other')
  expect(location.hash).toBe('')
  await page.reload(`/contract/premium${hash}`)
  await log().findByText(ANSWER)
  expect(location.pathname + location.hash).toBe('/contract/premium')
})

test('Nothing written in the chat of the tab ever enters the chat of a link, which anyone may have sent', async () => {
  const { page, server, other, own, hash } = await begunBesideLink('Torn')
  server.state = 'silent'
  await say(page, 'My card number is 4000')
  await fill(page, input(), 'and its code is 1')
  page.follow(hash)
  expect(screen.getByRole('alertdialog', { name: 'Leave this chat?' }).textContent).toContain('is then lost')
  server.state = 'here'
  server.cut()
  await page.later(1_000)
  // while the visitor is asked, their own chat continues
  expect(server.textsOf(own)).toContain('My card number is 4000')
  await press(page, 'Open the other conversation')
  await log().findByText(ANSWER)
  expect(input().value).toBe('')
  await say(page, 'Hello again')
  await waitFor(() => expect(server.textsOf(other)).toContain('Hello again'))
  const elsewhere = server.sentOf('send_message').filter(({ sessionId }) => sessionId === other.sessionId)
  expect(elsewhere.map(({ message }) => message)).toEqual(['Hello again'])
})

test('Unsent messages are lost rather than sent elsewhere, if the visitor still leaves for a link', async () => {
  const { page, server, other, hash } = await begunBesideLink('Gone')
  server.state = 'silent'
  await say(page, 'Never for anybody else')
  page.follow(hash)
  await press(page, 'Open the other conversation')
  server.state = 'here'
  server.cut()
  await page.later(1_000)
  await log().findByText(ANSWER)
  await say(page, 'After all that')
  await waitFor(() => expect(server.textsOf(other)).toEqual(['I am Nomsa', 'After all that']))
})

test('A visitor who stays in their chat loses nothing of it, and is asked again by the next link', async () => {
  const { page, server, own, hash } = await begunBesideLink('Stays')
  await fill(page, input(), 'Half a sent')
  page.follow(hash)
  await press(page, 'Stay in this chat')
  expect(input().value).toBe('Half a sent')
  await waitFor(() => expect(document.activeElement).toBe(input()))
  await page.user.keyboard('{Enter}')
  await waitFor(() => expect(server.textsOf(own)).toContain('Half a sent'))
  page.follow(hash)
  expect(button('Open the other conversation')).toBeTruthy()
})

test('A link that is no longer valid offers a new chat', async () => {
  const page = await openVisitorPage({ path: `/#chat=${crypto.randomUUID()}.${'x'.repeat(43)}` })
  await screen.findByText('That conversation is no longer here. You can start a new one.')
  await fill(page, field('Your name'), 'Anew')
  await press(page, 'Start Chat')
  await screen.findByText(WELCOME)
})

test('A link that is cut off opens nothing, and leaves the address clean', async () => {
  const page = await openVisitorPage({ path: '/#chat=half' })
  expect(location.hash).toBe('')
  await press(page, 'Open chat')
  isAtTheBeginning()
  expect(page.server.sentOf('join_chat')).toEqual([])
})

test('A chat of a link that has ended since then can be read, and another one begun under the same name', async () => {
  const { server, other, hash } = linked()
  server.end(other)
  const page = await openVisitorPage({ server, path: `/${hash}` })
  await screen.findByText(ANSWER)
  await chat().findByText('This chat has ended.')
  await press(page, 'Start a new chat')
  await log().findByText(WELCOME)
  expect(server.chats.map(({ visitorName }) => visitorName)).toEqual(['Nomsa', 'Nomsa'])
})

test('Messages of other days are below their day, and a chat of today needs none', async () => {
  const page = await openVisitorPage({ now: new Date('2026-11-16T10:00:00+02:00') })
  const goOn = async (at: string, message: string) => {
    await page.reload('/', () => void vi.setSystemTime(new Date(at)))
    await say(page, message)
    await sent()
  }
  await start(page, 'Daily')
  await say(page, 'On Monday')
  await sent()
  expect(days()).toEqual([])
  await goOn('2026-11-17T09:00:00+02:00', 'On Tuesday')
  expect(days()).toEqual(['Yesterday', 'Today'])
  await goOn('2026-11-18T09:00:00+02:00', 'On Wednesday')
  expect(days()).toEqual(['Monday, 16 November 2026', 'Yesterday', 'Today'])
  const inOrder = [...document.querySelectorAll('[role=log] li')].map(({ textContent }) => textContent)
  expect(inOrder.map((text) => /^(Monday|Yesterday|Today|On \w+day)/.exec(text ?? '')?.[0])).toEqual([
    'Monday',
    undefined, // the welcome
    'On Monday',
    'Yesterday',
    'On Tuesday',
    'Today',
    'On Wednesday',
  ])
})
