import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'
import {
  button,
  chat,
  field,
  fill,
  IN_HOURS,
  input,
  log,
  notes,
  openVisitorPage,
  press,
  say,
  start,
  texts,
  told,
} from '../../testing/visitor-page.tsx'
import { VisitorServer, WELCOME } from '../../testing/visitor-socket.ts'

const light = () => document.querySelector('[viewBox="0 0 10 10"] circle')?.getAttribute('fill')
const isAway = () => {
  expect(chat().getByText('Disconnected')).toBeTruthy()
  expect(chat().getByText('Connecting to chat...')).toBeTruthy()
  expect([light(), input().disabled, button('Send').disabled]).toEqual(['#e5554a', true, true])
}
const isBack = () => waitFor(() => expect([chat().getByText('Connected'), input().disabled]).toContain(false))

type Refusal = Omit<Extract<ServerFrame, { type: 'error' }>, 'type'>

/** A server that refuses joins, `refusals` times. */
const refusingServer = (refusals: number, refusal: Refusal) => {
  const server = new VisitorServer()
  let left = refusals
  server.judge = ({ type }) => {
    if (type !== 'join_chat' || left === 0) return undefined
    left -= 1
    return [{ type: 'error', ...refusal }]
  }
  return server
}

/** Starts a chat that the server does not admit at once. */
const ask = async (page: Awaited<ReturnType<typeof openVisitorPage>>, name: string) => {
  await press(page, 'Open chat')
  await fill(page, field('Your name'), name)
  await press(page, 'Start Chat')
  await screen.findByRole('log')
}

test('A visitor who opens the chat without a connection is notified before it has started', async () => {
  const server = new VisitorServer()
  server.state = 'away'
  const page = await openVisitorPage({ server })
  await press(page, 'Open chat')
  await chat().findByText('Connecting to chat...')
  expect([chat().getByText('Disconnected'), light()]).toEqual([expect.anything(), '#e5554a'])
  server.state = 'here'
  await page.later(60_000)
  await chat().findByText('Connected')
  expect(chat().queryByText('Connecting to chat...')).toBeNull()
})

test('A message without a response is shown as late, with another way, and is sent once the connection is back', async () => {
  const page = await openVisitorPage()
  await start(page, 'Offline')
  page.server.state = 'silent'
  await say(page, 'Is anybody there?')
  expect(notes()).toContain('Offline · Sending')
  page.server.cut()
  page.server.state = 'away'
  isAway()
  await page.later(14_000)
  expect(notes()).toContain('Offline · Not sent yet. We keep trying.')
  expect(log().getByRole('link', { name: 'Send it on WhatsApp' }).getAttribute('href')).toMatch(
    /\?text=Is%20anybody%20there%3F$/,
  )
  expect(chat().getByRole('link', { name: 'Message us on WhatsApp' })).toBeTruthy()
  page.server.state = 'here'
  await page.later(21_000)
  await isBack()
  expect(log().getByText('Sent')).toBeTruthy()
  await say(page, 'Good')
  await waitFor(() => expect(page.server.textsOf()).toEqual(['Is anybody there?', 'Good']))
  expect(texts()).toEqual([WELCOME, 'Is anybody there?', 'Good'])
})

test('A message that waits when the visitor leaves is sent from the next page, and from the next tab, once', async () => {
  const page = await openVisitorPage()
  await start(page, 'Waiting')
  page.server.state = 'silent'
  await say(page, 'Sent, then left')
  expect(notes()).toContain('Waiting · Sending')
  page.server.state = 'here'
  await page.reload('/thanks')
  await log().findByText('Sent')
  expect(texts()).toEqual([WELCOME, 'Sent, then left'])
  page.server.state = 'silent'
  await say(page, 'Said in a tunnel')
  page.server.state = 'here'
  await page.openNextTab()
  await waitFor(() => expect(page.server.textsOf()).toEqual(['Sent, then left', 'Said in a tunnel']))
})

test('Unsent messages are sent whole and in order, each once, even if they exceed what the server accepts at once', async () => {
  const server = new VisitorServer()
  let room = 2
  server.judge = (frame) => {
    if (frame.type !== 'send_message') return undefined
    room -= 1
    if (room >= 0) return undefined
    room = 2
    const refusal = { code: 'too_many_requests', message: 'Wait', refused: 'send_message', retryAfterS: 5 } as const
    return [{ type: 'error', ...refusal, ...(frame.clientMessageId && { clientMessageId: frame.clientMessageId }) }]
  }
  const page = await openVisitorPage({ server })
  await start(page, 'Patient')
  const said = Array.from({ length: 7 }, (_, index) => `Kept ${index + 1}`)
  const kept = JSON.parse(sessionStorage.getItem('visitor-chat') ?? '')
  const timestamp = IN_HOURS.toISOString()
  const unsent = said.map((message) => ({ clientMessageId: message, message, timestamp }))
  await page.reload('/', () => sessionStorage.setItem('visitor-chat', JSON.stringify({ ...kept, unsent })))
  for (let wait = 0; wait < 4; wait += 1) await page.later(10_000)
  expect(server.textsOf()).toEqual(said)
  expect(log().getByText('Sent')).toBeTruthy()
  expect(texts()).toEqual([WELCOME, ...said])
})

test('A message that the server refuses says so, offers WhatsApp, and can be retried', async () => {
  const page = await openVisitorPage()
  await start(page, 'Refused')
  page.server.judge = (frame) => {
    if (frame.type !== 'send_message' || !frame.clientMessageId) return undefined
    return [{ type: 'error', code: 'id_reused', message: 'No.', clientMessageId: frame.clientMessageId }]
  }
  await say(page, 'Half 50% & more?')
  await waitFor(() => expect(notes()).toContain('Refused · Not sent: No.'))
  expect(told()).toBe('A message was not sent. You can send it on WhatsApp.')
  expect(log().getByRole('link', { name: 'Send it on WhatsApp' }).getAttribute('href')).toMatch(
    /\?text=Half%2050%25%20%26%20more%3F$/,
  )
  page.server.judge = () => undefined
  await press(page, 'Try again')
  await log().findByText('Sent')
  expect(page.server.textsOf()).toEqual(['Half 50% & more?'])
  expect(told()).toBe('')
})

test('A chat that the server cannot start at the moment is started a moment later, as the same one', async () => {
  const server = refusingServer(1, { code: 'unavailable', message: 'Temporarily unavailable', refused: 'join_chat' })
  const page = await openVisitorPage({ server, path: `/?utm_source=${'x'.repeat(3_000)}` })
  await ask(page, 'Twice')
  await page.later(4_000)
  await say(page, 'Here')
  await waitFor(() => expect(server.textsOf()).toEqual(['Here']))
  const joins = server.sentOf('join_chat')
  expect(joins).toHaveLength(2)
  expect(new Set(joins.map(({ joinKey }) => joinKey)).size).toBe(1)
  expect(joins.map(({ pageUrl }) => pageUrl?.length)).toEqual([2_000, 2_000])
})

test('While the server admits no visitor, a page stays connected, asks ever less often, and joins automatically', async () => {
  const message = 'Temporarily unavailable: try again'
  const server = refusingServer(Number.POSITIVE_INFINITY, { code: 'unavailable', message, refused: 'join_chat' })
  const page = await openVisitorPage({ server })
  await ask(page, 'Waits')
  await chat().findByText('Connecting to chat...')
  await page.later(25_000)
  expect(chat().getByText('Connecting to chat...')).toBeTruthy()
  server.judge = () => undefined
  await page.later(25_000)
  expect(log().getByText(WELCOME)).toBeTruthy()
  expect(server.tries).toBe(1)
  expect(server.sentOf('join_chat').length).toBeLessThanOrEqual(12)
  expect(chat().queryByText('Connecting to chat...')).toBeNull()
})

test('A visitor who has to wait is shown why and for how long, and is admitted automatically', async () => {
  const message = 'There were many requests from your connection in a short time. Please try again in 4 seconds.'
  const server = refusingServer(1, { code: 'too_many_requests', message, refused: 'join_chat', retryAfterS: 4 })
  const page = await openVisitorPage({ server })
  await ask(page, 'Office')
  await chat().findByText(message)
  await page.later(3_900)
  expect(server.sentOf('join_chat')).toHaveLength(1)
  await page.later(1_200)
  expect(log().getByText(WELCOME)).toBeTruthy()
  expect(chat().queryByText('Please try again', { exact: false })).toBeNull()
})

test('Frames about a chat that was left for another one do not affect that one', async () => {
  const page = await openVisitorPage()
  await start(page, 'Lerato')
  const left = page.server.chat
  page.server.end()
  await press(page, 'Start a new chat')
  await waitFor(() => expect(page.server.chats).toHaveLength(2))
  const { sessionId } = left
  page.server.tell({ type: 'new_message', ...page.server.say('Of the other', left) })
  page.server.tell({ type: 'chat_ended', sessionId, isErased: true })
  await say(page, 'Here again')
  await log().findByText('Sent')
  expect(texts()).toEqual([WELCOME, 'Here again'])
})

test('Messages from while the connection was away are there afterwards, and counted once', async () => {
  const page = await openVisitorPage()
  await start(page, 'Counted')
  await say(page, 'Hello')
  await log().findByText('Sent')
  page.server.say('Seen')
  await press(page, 'Minimise chat')
  page.server.say('before')
  expect(chat().getByText('1')).toBeTruthy()
  page.server.cut()
  expect(chat().getByText('Disconnected')).toBeTruthy()
  for (const text of ['one', 'two']) page.server.say(text)
  await page.later(1_000)
  expect(chat().getByText('3')).toBeTruthy()
  await page.reload()
  expect(chat().getByText('3')).toBeTruthy()
  await press(page, 'Expand chat')
  expect(texts()).toEqual([WELCOME, 'Hello', 'Seen', 'before', 'one', 'two'])
})

test('A device that reports being offline turns the light at once, and the draft stays', async () => {
  const page = await openVisitorPage()
  await start(page, 'Tunnel')
  await fill(page, input(), 'half')
  page.server.state = 'away'
  act(() => dispatchEvent(new Event('offline')))
  isAway()
  page.server.state = 'here'
  act(() => dispatchEvent(new Event('online')))
  await isBack()
  expect(input().value).toBe('half')
})

test('A network that has fallen silent is noticed without any signal', async () => {
  const page = await openVisitorPage()
  await start(page, 'Silent')
  page.server.state = 'silent'
  await page.later(20_000)
  expect(chat().getByText('Connected')).toBeTruthy()
  page.server.state = 'away'
  await page.later(8_000)
  expect(chat().getByText('Disconnected')).toBeTruthy()
  page.server.state = 'here'
  await page.later(21_000)
  await isBack()
})

test('A page that the browser shows again has the events of the others', async () => {
  const page = await openVisitorPage()
  await start(page, 'Back')
  act(() => dispatchEvent(new Event('pagehide')))
  const kept = JSON.parse(sessionStorage.getItem('visitor-chat') ?? '')
  sessionStorage.setItem('visitor-chat', JSON.stringify({ ...kept, draft: 'of another page' }))
  page.server.say('Meanwhile')
  act(() => dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })))
  await log().findByText('Meanwhile')
  expect(input().value).toBe('of another page')
})
