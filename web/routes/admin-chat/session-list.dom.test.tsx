import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MAX_LISTED_SESSIONS } from '../../../events/chat/outline.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import {
  add,
  entryOf,
  entrySays,
  fetchedChat,
  openTestConsole,
  outlineOf,
  rowOf,
  type TestChat,
  testChat,
} from '../../testing/console.tsx'
import { requestsOf, type Sent } from '../../testing/server.ts'
import { TestSocket } from '../../testing/socket.ts'

const NEWEST = Date.parse('2026-11-18T08:00:00.000Z')

/** Chats by their place in the list, the newest first. */
const chatsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => {
    const startTime = new Date(NEWEST - (first + index) * 1_000).toISOString()
    return testChat(`Visitor ${first + index}`, { startTime })
  })

const rows = () => [...document.querySelectorAll('[data-session]')].map(({ textContent }) => textContent ?? '')

const holds = (count: number) => waitFor(() => expect(rows()).toHaveLength(count))

const NEXT = 'abc'

/** The console receives the first 50 of 120 chats, and fetches the others. */
const openMany = async (found: TestChat[] = []) => {
  const first = chatsFrom(1, 50)
  const second = chatsFrom(51, 100)
  const link = { link: `<http://localhost:3000/api/chats?state=active&limit=50&cursor=def>; rel="next"` }
  const page = ({ query }: Sent) => {
    if (query.get('q') !== null)
      return found.filter(({ session }) => session.visitorName === query.get('q')).map(fetchedChat)
    expect(query.toString()).toBe(`state=active&limit=50&cursor=${NEXT}`)
    return new Response(JSON.stringify(second.map(fetchedChat)), { headers: link })
  }
  const others: TestChat[] = [...found]
  const opened = await openTestConsole({
    chats: others,
    answers: { 'GET /api/chats': page },
    list: { shown: first, total: 120, next: NEXT },
  })
  return { ...opened, others }
}

test('Pages of the list are loaded on demand, and any chat is found by a search', async () => {
  const { user } = await openMany(chatsFrom(777, 777))
  await screen.findByText('Active Sessions: 120')
  await holds(50)
  await user.click(screen.getByText('Show more'))
  await holds(100)
  expect(rows().at(-1)).toMatch(/^Visitor 100/)
  screen.getByText('Show more')
  const search = screen.getByLabelText('Search active chats')
  await user.type(search, 'Visitor 777')
  await waitFor(() => expect(rows()).toEqual([expect.stringMatching(/^Visitor 777/)]))
  screen.getByLabelText('Active chats found')
  await user.clear(search)
  await user.type(search, 'nobody at all')
  await screen.findByText('No active chat matches "nobody at all"')
  await user.clear(search)
  await holds(100)
})

test('A chat that is on no page appears once a message is written in it', async () => {
  const quiet = testChat('Quiet')
  const { say } = await openMany([quiet])
  await holds(50)
  expect(rowOf('Quiet')).toBeUndefined()
  await say(quiet, 'Is anybody there?')
  await entrySays('Quiet', 'Is anybody there?')
})

test('When hundreds of chats write at once, a console loads as many as a person can look at, and no more', async () => {
  const { tell, others } = await openMany()
  others.push(...Array.from({ length: 300 }, (_, index) => testChat(`Writer ${index}`, { said: ['Hello'] })))
  await holds(50)
  const outlines = (): ServerFrame => ({
    type: 'chat_outlines',
    chats: others.map((chat) => ({ sessionId: chat.session.sessionId, ...outlineOf(chat) })),
  })
  const asked = () => requestsOf().filter(({ path }) => /^\/api\/chats\/[0-9a-f-]{36}$/.test(path)).length
  await tell(outlines())
  await holds(MAX_LISTED_SESSIONS)
  await tell(outlines())
  await entryOf('Writer')
  expect(asked()).toBe(MAX_LISTED_SESSIONS - 50)

  // on a new connection the same chats are there, with the messages since then, by one request
  const before = TestSocket.opened.length
  const written = others.filter(({ session }) => rowOf(`${session.visitorName}1 unread`))
  expect(written).toHaveLength(MAX_LISTED_SESSIONS - 50)
  for (const chat of written) add(chat, 'Hello again')
  TestSocket.opened.at(-1)?.breakOff()
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(rows().filter((row) => row.includes('Hello again'))).toHaveLength(written.length))
  expect(rows()).toHaveLength(MAX_LISTED_SESSIONS)
  expect(rows()[0]).toContain('2 unread')
  expect(asked()).toBe(MAX_LISTED_SESSIONS - 50)
  const questions = ['join_admin', 'get_messages', 'open_chat']
  const sent = TestSocket.opened.slice(before).flatMap((socket) => socket.sent)
  expect(sent.filter(({ type }) => questions.includes(type)).map(({ type }) => type)).toEqual(['join_admin'])
})

test.each<[string, ServerFrame]>([
  [
    'refuses to list them, as an older one',
    { type: 'error', code: 'unavailable', message: 'Temporarily unavailable: try again', refused: 'join_admin' },
  ],
  ['brings the console in without the list', { type: 'active_sessions', sessions: [], total: 0, isPreparing: true }],
])('If a node %s, the console shows that chats are being prepared, and joins automatically', async (_, answer) => {
  let isReady = false
  const { tell } = await openTestConsole({
    chats: [testChat('Nomsa')],
    takes: ({ type }, socket) => {
      if (type !== 'join_admin' || isReady) return false
      socket.tell(answer)
      return true
    },
  })
  await screen.findByText('The chats are being prepared. They appear here in a moment.')
  const fresh = testChat('Zinhle')
  await tell({ type: 'new_chat_session', ...fresh.session })
  await entryOf('Zinhle')
  isReady = true
  await screen.findByText('Active Sessions: 1')
  await entryOf('Nomsa')
  expect(screen.queryByText(/being prepared/)).toBeNull()
})
