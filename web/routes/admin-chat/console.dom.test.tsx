import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { TO_ANSWER } from '../../staff/go-to.ts'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import {
  add,
  box,
  bubbles,
  button,
  days,
  entryOf,
  entrySays,
  isShown,
  openTestConsole,
  pane,
  rowOf,
  testChat,
} from '../../testing/console.tsx'
import { requestsOf } from '../../testing/server.ts'
import { framesOf, TestSocket } from '../../testing/socket.ts'

const NOW = '2026-11-18T08:45:00.000Z'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(NOW)
})

const titleSays = (start: RegExp) => waitFor(() => expect(document.title).toMatch(start))

const hasFocus = (name: string) =>
  waitFor(() => expect(document.activeElement?.textContent).toMatch(new RegExp(`^${name}`)))

test('A console without chats shows that there are none and that none is chosen', async () => {
  const { user } = await openTestConsole({ answers: { 'GET /api/chats': [] } })
  await screen.findByText('Active Sessions: 0')
  screen.getByRole('heading', { name: 'Active Chats' })
  screen.getByText('No active chat sessions')
  pane().getByText('No chat selected')
  pane().getByText('Select a chat session')
  await user.click(screen.getByText('Ended'))
  await screen.findByText('No ended chats')
})

test('The console has the specified texts', async () => {
  const nameless = testChat('', { visitorEmail: 'nobody@example.co.za', said: ['Hello'] })
  const { user } = await openTestConsole({ chats: [nameless] })
  screen.getByText('Active Sessions: 1')
  screen.getByRole('heading', { name: 'Active Chats' })
  pane().getByText('Select a chat session')
  pane().getByText('No chat selected')
  await user.click(await entryOf('Anonymous'))
  await isShown('Anonymous')
  pane().getByText('nobody@example.co.za')
  expect((await box()).placeholder).toBe('Type your response...')
  TestSocket.isReachable = false
  window.dispatchEvent(new Event('offline'))
  await screen.findByText('Connecting to chat server...')
  screen.getByText('Disconnected')
  TestSocket.isReachable = true
  window.dispatchEvent(new Event('online'))
  await screen.findByText('Connected')
})

test('The list shows the visitors, since when they wait, and on which page', async () => {
  const here = { pageUrl: 'http://localhost:3000/thanks', since: NOW }
  const nomsa = testChat('Nomsa', { visitorEmail: 'nomsa@example.co.za', said: ['Do you build shops?'], here })
  const { user, say, address, go } = await openTestConsole({ chats: [nomsa, testChat('Zinhle')] })
  screen.getByText('Active Sessions: 2')
  // name and start time, how long they wait and the last words, and the page's whole address
  await entrySays(
    'Nomsa',
    /^NomsaHere, on Thank you, .+1 unreadUnassigned Began .*\d\d:\d\dWaits .+ Do you build shops\?http:\/\/localhost:3000\/$/,
  )
  await entrySays('Zinhle', /^ZinhleUnassigned Began .*\d\d:\d\dhttp:\/\/localhost:3000\/$/)
  await entrySays('Nomsa', /Waits (under 1 min|\d+ \w+)/)
  expect((await entryOf('Nomsa')).querySelector('[data-tip$="/thanks"]')).not.toBeNull()
  for (let more = 2; more <= 10; more += 1) await say(nomsa, `Message ${more}`)
  await entrySays('Nomsa', '9+ unread')
  await user.click(await entryOf('Nomsa'))
  await isShown('Nomsa')
  pane().getByText(/^Started \w+, \d+ \w+ \d{4}, \d\d:\d\d$/)
  pane().getByText('nomsa@example.co.za')
  expect(rowOf('Nomsa')?.textContent).not.toContain('unread')
  expect(address()).toBe(`/admin-chat?session=${nomsa.session.sessionId}`)
  await user.click(await entryOf('Zinhle'))
  await isShown('Zinhle')
  await go(`/admin-chat?session=${nomsa.session.sessionId}`)
  await isShown('Nomsa')
  await waitFor(() => expect(bubbles()[0]).toContain('Do you build shops?'))
})

test('An address without a chat is reported', async () => {
  const { go } = await openTestConsole({ address: `/admin-chat?session=${crypto.randomUUID()}` })
  await pane().findByText('Chat not found. Check the link.')
  await go('/admin-chat')
  await pane().findByText('No chat selected')
  await go('/admin-chat?session=nonsense')
  await pane().findByText('Chat not found. Check the link.')
})

test('Chats that wait for a reply are counted, also once they were seen here, and no longer after the reply', async () => {
  const chats = [
    testChat('Nomsa', { said: ['Do you build shops?'] }),
    testChat('Zinhle', { said: ['Hello?', 'Anyone?'] }),
  ]
  const { user, go } = await openTestConsole({
    chats,
    address: '/admin-email',
    answers: { 'GET /api/chats/waiting': { count: 2, newest: [], handed: [] }, 'GET /api/emails': [] },
    isConsole: false,
  })
  const link = await screen.findByText('Chat')
  const badge = () => link.closest('a')?.textContent
  await waitFor(() => expect(badge()).toBe('Chat2 waiting'))
  await titleSays(/^\(2\) /)
  await go('/admin-chat')
  await entrySays('Zinhle', '2 unread')
  await titleSays(/^\(3\) Chat \| /)
  expect(badge()).toBe('Chat2 waiting')
  await user.click(await entryOf('Zinhle'))
  await titleSays(/^\(1\) Chat \| /)
  expect(badge()).toBe('Chat2 waiting')
  await user.type(await box(), 'We are here{Enter}')
  await waitFor(() => expect(badge()).toBe('Chat1 waiting'))
})

test('A reply that was not accepted is sent again after a reload, once, and then no longer stored', async () => {
  const nomsa = testChat('Nomsa', { said: ['Do you build shops?'] })
  let isHeldBack = true
  const { user, reload } = await openTestConsole({
    chats: [nomsa],
    address: `/admin-chat?session=${nomsa.session.sessionId}`,
    takes: ({ type }) => isHeldBack && type === 'send_message',
  })
  await user.type(await box(), 'We do, since 2019{Enter}')
  await waitFor(() => expect(bubbles()[1]).toContain('We do, since 2019'))
  await reload()
  await waitFor(() => expect(bubbles()[1]).toContain('We do, since 2019'))
  isHeldBack = false
  await reload()
  await waitFor(() => expect(nomsa.messages).toHaveLength(2))
  await waitFor(() => expect(bubbles()[1]).toMatch(/\d\d:\d\d Sent$/))
  const ids = new Set(framesOf('send_message').map(({ clientMessageId }) => clientMessageId))
  expect(ids.size).toBe(1)
  expect(bubbles()).toHaveLength(2)
  expect(sessionStorage.getItem('staff-chats')).not.toContain('2019')
})

test('Marks show how far a reply has come, and which staff member wrote it', async () => {
  const nomsa = testChat('Nomsa', { said: ['Do you build shops?', [SIPHO, 'Yes, we do.']] })
  const { sessionId } = nomsa.session
  const { tell } = await openTestConsole({ chats: [nomsa], address: `/admin-chat?session=${sessionId}` })
  await waitFor(() => expect(bubbles()[1]).toMatch(/^Support Team \(Sipho\).*Sent$|Support Team \(Sipho\)/))
  const come = (delivered: number, seen: number) =>
    tell({ type: 'receipt', sessionId, party: 'visitor', delivered, seen })
  await come(2, 0)
  await waitFor(() => expect(bubbles()[1]).toMatch(/Delivered$/))
  await come(2, 2)
  await waitFor(() => expect(bubbles()[1]).toMatch(/Seen$/))
  expect(bubbles()[0]).not.toMatch(/Sent|Delivered|Seen/)
})

test('The staff who have a chat open or type in it show in the list and in the chat', async () => {
  const nomsa = testChat('Nomsa')
  const { sessionId } = nomsa.session
  const { user, tell } = await openTestConsole({ chats: [nomsa] })
  const sipho = (isTyping: boolean) => ({ staffId: SIPHO.id, name: 'Sipho', isTyping })
  const me = { staffId: THANDI.id, name: 'Thandi', isTyping: false }
  await tell({ type: 'presence', sessionId, staff: [sipho(false), me], isVisitorAway: false })
  await entrySays('Nomsa', 'Sipho is looking at this chat')
  await user.click(await entryOf('Nomsa'))
  expect(framesOf('watch').at(-1)).toEqual({ type: 'watch', sessionId })
  await pane().findByText('Sipho is looking at this chat')
  await tell({ type: 'presence', sessionId, staff: [sipho(true), me], isVisitorAway: false })
  await pane().findByText('Sipho is writing an answer…')
  await tell({ type: 'typing', sessionId, senderType: 'visitor', isTyping: true })
  await pane().findByText('Nomsa is typing')
  await user.type(await box(), 'Yes')
  expect(framesOf('typing')).toContainEqual({ type: 'typing', sessionId, isTyping: true })
})

test('A draft is stored by chat, over a reload too', async () => {
  const { user, reload } = await openTestConsole({ chats: [testChat('Nomsa'), testChat('Zinhle')] })
  await user.click(await entryOf('Nomsa'))
  await isShown('Nomsa')
  await user.type(await box(), 'Yes, we do: ')
  await user.click(await entryOf('Zinhle'))
  await isShown('Zinhle')
  expect((await box()).value).toBe('')
  await user.type(await box(), 'Hello Zinhle')
  await reload()
  await entrySays('Nomsa', 'Draft: Yes, we do:')
  expect((await box()).value).toBe('Hello Zinhle')
})

test('Drafts of another account in this tab are not shown', async () => {
  const nomsa = testChat('Nomsa')
  const { sessionId } = nomsa.session
  sessionStorage.setItem(
    'staff-chats',
    JSON.stringify({ staffId: SIPHO.id, chats: { [sessionId]: { draft: 'Dear Nomsa' } } }),
  )
  await openTestConsole({ chats: [nomsa], address: `/admin-chat?session=${sessionId}` })
  expect((await box()).value).toBe('')
  expect(JSON.stringify(sessionStorage)).not.toContain('Dear Nomsa')
})

test('A reply is sent by Enter before the first connection is open, and goes out once it is', async () => {
  const nomsa = testChat('Nomsa', { said: ['Do you build shops?'] })
  const address = `/admin-chat?session=${nomsa.session.sessionId}`
  const { user } = await openTestConsole({ chats: [nomsa], address, isConsole: false })
  TestSocket.isReachable = false
  await user.type(await box(), 'We do{Enter}')
  expect(framesOf('join_admin')).toEqual([])
  await waitFor(() => expect(bubbles()).toEqual([expect.stringMatching(/^We do.*Sending$/)]))
  expect((await box()).value).toBe('')
  TestSocket.isReachable = true
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(bubbles()[1]).toMatch(/^We do.* Sent$/))
  expect(nomsa.messages.map(({ message }) => message)).toEqual(['Do you build shops?', 'We do'])
})

test('A reply whose chat ended before it was sent can be copied or discarded', async () => {
  const nomsa = testChat('Nomsa', { said: ['Do you build shops?'] })
  const { sessionId } = nomsa.session
  const { user } = await openTestConsole({
    chats: [nomsa],
    address: `/admin-chat?session=${sessionId}`,
    takes: (frame, socket) => {
      if (frame.type !== 'send_message' || nomsa.session.isActive) return false
      const clientMessageId = frame.clientMessageId ?? ''
      socket.tell({ type: 'error', code: 'chat_ended', message: 'This chat has ended', clientMessageId })
      return true
    },
  })
  TestSocket.isReachable = false
  window.dispatchEvent(new Event('offline'))
  await user.type(await box(), 'We do{Enter}')
  Object.assign(nomsa.session, { isActive: false, endTime: NOW })
  TestSocket.isReachable = true
  window.dispatchEvent(new Event('online'))
  const unsent = within(await screen.findByLabelText('Your reply was not sent: the chat ended before.'))
  unsent.getByText('We do')
  expect(bubbles()).toHaveLength(1)
  await user.click(unsent.getByText('Discard'))
  expect(sessionStorage.getItem('staff-chats')).not.toContain('We do')
})

test('Without a connection one can write and send, with canned replies too: all of it goes out once it is back', async () => {
  const nomsa = testChat('Nomsa')
  const { user } = await openTestConsole({ chats: [nomsa] })
  await user.click(await entryOf('Nomsa'))
  await user.type(await box(), 'Hold')
  TestSocket.isReachable = false
  window.dispatchEvent(new Event('offline'))
  await screen.findByText('Connecting to chat server...')
  await user.keyboard(' on{Enter}')
  expect((await box()).value).toBe('')
  await user.keyboard('/quo')
  await screen.findByText('/quote')
  await user.keyboard('{Enter} Until then.')
  await user.click(button('Send'))
  const quote = 'We will send you a written quote by email within 24 hours. Until then.'
  expect(bubbles()).toEqual([expect.stringMatching(/^Hold on.*Sending$/), expect.stringContaining(quote)])
  expect(document.activeElement).toBe(await box())
  await user.keyboard('And')
  TestSocket.isReachable = true
  window.dispatchEvent(new Event('online'))
  await waitFor(() =>
    expect(framesOf('send_message')).toMatchObject([
      { senderType: 'admin', senderName: 'Support Team', message: 'Hold on' },
      { senderType: 'admin', senderName: 'Support Team', message: quote },
    ]),
  )
  expect(nomsa.messages).toHaveLength(2)
  expect(document.activeElement).toBe(await box())
  expect((await box()).value).toBe('And')
})

test('A console whose session got another token checks who is signed in, and continues', async () => {
  const nomsa = testChat('Nomsa')
  const { user, socket } = await openTestConsole({ chats: [nomsa] })
  await user.click(await entryOf('Nomsa'))
  const asked = requestsOf('GET /api/me').length
  const replaced = await socket()
  replaced.breakOff(4401)
  await waitFor(() => expect(requestsOf('GET /api/me').length).toBe(asked + 1), { timeout: 5_000 })
  await waitFor(async () => expect(await socket()).not.toBe(replaced), { timeout: 5_000 })
  await isShown('Nomsa')
})

test('While no chat is chosen the one that has waited longest is offered, and Enter opens it', async () => {
  const first = testChat('First', { said: ['Hi'] })
  const later = testChat('Later', { said: ['Hi', [SIPHO, 'Hello'], 'Anybody?'] })
  const { user } = await openTestConsole({ chats: [testChat('Silent'), first, later] })
  await pane().findByText('First')
  pane().getByText('Select a chat session')
  pane().getByText('No chat selected')
  await user.keyboard('{Enter}')
  await isShown('First')
})

test('In the list j and k move the focus, Enter opens, and a takes the shown chat', async () => {
  const chats = [testChat('One', { said: ['Hi'] }), testChat('Two', { said: ['Hi'] })]
  const [one, two] = chats.map(({ session }) => session.sessionId)
  const path = `/api/chats/${two}/assign`
  const { user } = await openTestConsole({ chats, answers: { [`POST ${path}`]: { version: 1 } } })
  await entryOf('Two')
  const focused = () => (document.activeElement as HTMLElement | null)?.dataset.session
  await user.keyboard('j')
  const top = focused()
  await user.keyboard('j')
  expect([top, focused()].toSorted()).toEqual([one, two].toSorted())
  await user.keyboard('k')
  expect(focused()).toBe(top)
  await (await entryOf('Two')).focus()
  await user.keyboard('{Enter}')
  await isShown('Two')
  // a letter that is written is no command
  await user.keyboard('a')
  expect(requestsOf(`POST ${path}`)).toEqual([])
  ;(await entryOf('Two')).focus()
  await user.keyboard('a')
  await waitFor(() => expect(requestsOf(`POST ${path}`)).toHaveLength(1))
})

test('Keys move between chats, to the unread ones, and open the help', async () => {
  const [nomsa, zinhle] = [testChat('Nomsa'), testChat('Zinhle')]
  const { user, say } = await openTestConsole({ chats: [nomsa, zinhle] })
  await say(nomsa, 'Anybody?')
  await entrySays('Nomsa', '1 unread')
  await user.keyboard('?')
  await screen.findByText('Keyboard shortcuts')
  // a dialog takes all keys
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  fireEvent(
    screen.getByText('Keyboard shortcuts').closest('dialog') as Element,
    new Event('cancel', { cancelable: true }),
  )
  await waitFor(() => expect(screen.queryByText('Keyboard shortcuts')).toBeNull())
  pane().getByText('No chat selected')
  await user.keyboard('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}')
  await isShown('Nomsa')
  await waitFor(async () => expect(document.activeElement).toBe(await box()))
  await user.keyboard('Yes{Alt>}{ArrowUp}{/Alt}')
  await isShown('Zinhle')
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await isShown('Nomsa')
  expect((await box()).value).toBe('Yes')
  await user.keyboard('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}')
  await screen.findByText('No other unread chats')
  screen.getByRole('log', { hidden: true }).focus()
  await user.keyboard('{Alt>}r{/Alt}')
  expect(document.activeElement).toBe(await box())
})

test('A chat that is opened from another screen in order to reply has the focus in its message field', async () => {
  const nomsa = testChat('Nomsa', { said: ['Hi'] })
  const { go } = await openTestConsole({ chats: [nomsa], answers: { 'GET /api/emails': [] } })
  await go('/admin-email')
  await screen.findByText('No emails yet')
  await go(`/admin-chat?session=${nomsa.session.sessionId}`, TO_ANSWER)
  await isShown('Nomsa')
  await waitFor(async () => expect(document.activeElement).toBe(await box()))
})

test('A new chat and one that disappears do not move the focus', async () => {
  const { user, tell } = await openTestConsole({ chats: [testChat('Zinhle'), testChat('Nomsa')] })
  const thabo = testChat('Thabo')
  const { sessionId } = thabo.session
  ;(await entryOf('Nomsa')).focus()
  await tell({ type: 'new_chat_session', ...thabo.session })
  await entryOf('Thabo')
  await hasFocus('Nomsa')
  await user.keyboard('{ArrowUp}')
  await hasFocus('Thabo')
  await tell({ type: 'chat_ended', sessionId })
  await waitFor(() => expect(rowOf('Thabo')).toBeUndefined())
  await hasFocus('Nomsa')
})

test.each([
  [null, 'Visitor has left, no email'],
  ['refilwe@example.co.za', 'Visitor has left, reply will be emailed'],
])(
  'That a visitor with the address %s has left is said in the list and in the chat, until they are back',
  async (visitorEmail, words) => {
    const chat = testChat('Refilwe', { visitorEmail, here: { pageUrl: null, since: NOW } })
    const { sessionId } = chat.session
    const { user, tell } = await openTestConsole({ chats: [chat] })
    await entrySays('Refilwe', 'Here, on Home, under 1 min')
    await user.click(await entryOf('Refilwe'))
    await isShown('Refilwe')
    expect(pane().queryByText(words)).toBeNull()
    await tell({ type: 'presence', sessionId, staff: [], isVisitorAway: true })
    await pane().findByText(words)
    await entrySays('Refilwe', 'Left the site')
    await tell({ type: 'presence', sessionId, staff: [], isVisitorAway: false })
    await waitFor(() => expect(pane().queryByText(words)).toBeNull())
    // if the visitor had left before the chat was opened, only the list shows it
    await tell({ type: 'visitors_here', chats: [{ sessionId, here: null }] })
    await pane().findByText(words)
    await entrySays('Refilwe', 'Left the site')
  },
)

test('The page that a visitor is on shows with the time there, and the pages before it next to the chat', async () => {
  const since = '2026-11-18T08:41:30.000Z'
  const roamer = testChat('Roamer', { here: { pageUrl: null, since } })
  const { sessionId } = roamer.session
  const { user, tell } = await openTestConsole({ chats: [roamer] })
  await entrySays('Roamer', 'Here, on Home, 3 min')
  await tell({ type: 'page_viewed', sessionId, pageUrl: 'http://localhost:3000/contract/premium', timestamp: since })
  await entrySays('Roamer', 'Here, on Premium, 3 min')
  const before = { pageUrl: 'http://localhost:3000/thanks', timestamp: '2026-11-16T08:41:30.000Z' }
  await tell({ type: 'page_viewed', sessionId, ...before })
  await user.click(await entryOf('Roamer'))
  const pages = within(await screen.findByLabelText('Pages'))
  await waitFor(() =>
    expect(pages.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
      'Mon 10:41Thank you',
      expect.stringMatching(/^\d\d:\d\dHome$/),
      expect.stringMatching(/^\d\d:\d\dPremium$/),
    ]),
  )
  await tell({ type: 'visitors_here', chats: [{ sessionId, here: null }] })
  await entrySays('Roamer', 'Left the site')
})

test('Ending a chat needs a confirmation, and its end shows when and by whom', async () => {
  const zinhle = testChat('Zinhle', { record: {} })
  const { sessionId } = zinhle.session
  const { user, tell } = await openTestConsole({ chats: [zinhle] })
  await user.click(await entryOf('Zinhle'))
  await user.keyboard('{Alt>}e{/Alt}')
  const dialog = () => screen.queryByText('End this chat?')
  expect(dialog()).toBeTruthy()
  await user.click(button('Keep chatting'))
  expect(dialog()).toBeNull()
  expect(framesOf('end_chat')).toEqual([])
  await user.click(pane().getByText('End chat'))
  await user.click(within(dialog()?.closest('dialog') as HTMLElement).getByText('End chat'))
  expect(framesOf('end_chat')).toEqual([{ type: 'end_chat', sessionId }])
  Object.assign(zinhle.session, { isActive: false, endTime: NOW })
  zinhle.record = { endedBy: 'admin' }
  await tell({ type: 'chat_ended', sessionId })
  await pane().findByText(/^This chat has ended: \w+, \d+ \w+ \d{4}, 10:45\. Staff ended it\.$/)
  await screen.findByText('Active Sessions: 0')
  expect(screen.queryByPlaceholderText('Type your response...')).toBeNull()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Chat with Zinhle'))
})

/** The notifications that this browser has shown. */
const noted: string[] = []

class TestNotification {
  static permission = 'granted'
  static requestPermission = async () => TestNotification.permission
  onclick: (() => void) | undefined

  constructor(title: string, { body }: NotificationOptions = {}) {
    noted.push(`${title}: ${body}`)
  }

  close() {}
}

/**
 * Makes the page believe that its user is active on it, that another window has the focus, or that its tab is hidden.
 */
const be = (where: 'here' | 'hidden' | 'elsewhere') => {
  Object.defineProperty(document, 'hidden', { get: () => where === 'hidden', configurable: true })
  document.hasFocus = () => where === 'here'
  if (where === 'hidden') document.dispatchEvent(new Event('visibilitychange'))
  else window.dispatchEvent(new Event(where === 'here' ? 'focus' : 'blur'))
}

const notifications = () => button('Notifications')

afterEach(() => {
  noted.length = 0
  TestNotification.permission = 'granted'
  Reflect.deleteProperty(window, 'Notification')
  be('here')
})

test('Notifications are off until they are switched on, and a browser that refuses them is explained', async () => {
  Object.assign(window, { Notification: TestNotification })
  const { user } = await openTestConsole()
  expect(notifications().getAttribute('aria-pressed')).toBe('false')
  expect(button('Sound').getAttribute('aria-pressed')).toBe('false')
  TestNotification.permission = 'denied'
  await user.click(notifications())
  await screen.findByText(
    /^Your browser blocks notifications from this site\. To allow them: .* press "Notifications"\./,
  )
  expect(notifications().getAttribute('aria-pressed')).toBe('false')
})

test('Alerts are shown for chats that no staff member has in view, and count as seen once one is back', async () => {
  Object.assign(window, { Notification: TestNotification })
  const [thabo, vusi] = [testChat('Thabo'), testChat('Vusi')]
  const { sessionId } = vusi.session
  const { user, say, socket } = await openTestConsole({ chats: [thabo, vusi] })
  await user.click(notifications())
  await waitFor(() => expect(notifications().getAttribute('aria-pressed')).toBe('true'))
  expect(localStorage.getItem('staff-alerts')).toBe('{"sound":false,"desktop":true}')
  await user.click(await entryOf('Vusi'))
  await isShown('Vusi')
  await say(vusi, 'You look at this')
  await waitFor(() => expect(bubbles()).toHaveLength(1))
  expect(noted).toEqual([])
  await say(thabo, 'But not at this')
  await waitFor(() => expect(noted).toEqual(['New message from Thabo: But not at this']))
  await titleSays(/^\(1\) Chat/)

  // one alert for each chat with messages written while there was no connection
  TestSocket.isReachable = false
  ;(await socket()).breakOff()
  await screen.findByText('Connecting to chat server...')
  add(thabo, 'Are you away?')
  add(thabo, 'I shall wait')
  TestSocket.isReachable = true
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(noted.slice(1)).toEqual(['New message from Thabo: I shall wait']))
  await titleSays(/^\(3\) Chat/)

  for (const away of ['hidden', 'elsewhere'] as const) {
    const seen = () =>
      Math.max(
        ...framesOf('receipt')
          .filter((frame) => frame.sessionId === sessionId)
          .map((frame) => frame.seen),
      )
    const before = seen()
    be(away)
    await say(vusi, `Are you ${away}?`)
    await waitFor(() => expect(noted.at(-1)).toBe(`New message from Vusi: Are you ${away}?`))
    await titleSays(/^\(4\) Chat/)
    expect(seen()).toBe(before)
    be('here')
    await waitFor(() => expect(seen()).toBe(before + 1))
    await titleSays(/^\(3\) Chat/)
  }
  await user.click(notifications())
})

test('A screen that opens with a chat stays at its top; a chosen chat fills the window of a phone', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  onTestFinished(() => scroll.mockRestore())
  const [nomsa, zinhle] = [testChat('Nomsa', { said: ['Hello'] }), testChat('Zinhle')]
  const address = `/admin-chat?session=${nomsa.session.sessionId}`
  const { user } = await openTestConsole({ chats: [nomsa, zinhle], address })
  await waitFor(() => expect(bubbles()).toHaveLength(1))
  expect(scroll).not.toHaveBeenCalled()
  await user.click(await entryOf('Zinhle'))
  await waitFor(() => expect(scroll).toHaveBeenCalled())
})

test('Messages of other days at the agency are listed under their day', async () => {
  const nomsa = testChat('Nomsa', { said: ['On Sunday', 'Late on Monday there', 'On Wednesday', 'Too'] })
  const times = ['2026-11-15T08:00:00.000Z', '2026-11-16T22:30:00.000Z', NOW, NOW]
  for (const [index, message] of nomsa.messages.entries()) message.timestamp = times[index] ?? NOW
  const { user } = await openTestConsole({ chats: [nomsa] })
  await user.click(await entryOf('Nomsa'))
  await waitFor(() => expect(bubbles()).toHaveLength(4))
  expect(days()).toEqual(['Sunday, 15 November 2026', 'Yesterday', 'Today'])
  // a list that keeps its place does so by its first message
  expect(document.querySelector('[role=log] li:not([data-day])')?.textContent).toMatch(/^On Sunday/)
})
