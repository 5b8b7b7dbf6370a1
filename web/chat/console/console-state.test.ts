import { describe, expect, it, test } from 'vitest'
import { NO_RECEIPTS } from '../../../events/chat/activity.ts'
import type { ChatOutline } from '../../../events/chat/frames-wire.ts'
import type { ChatMessage, ChatSession } from '../../../events/chat/wire.ts'
import { evolveConsole, isMissed, missedAfter, withConversation, withOutlines } from './console-evolution.ts'
import {
  type ConsoleState,
  chatBeside,
  emptyConsole,
  followedChats,
  knownUpTo,
  lastWordsOf,
  listedChats,
  nextUnread,
  shownChats,
  totalUnread,
  unreadOf,
  waitingCount,
  waitingSinceOf,
  whereaboutsOf,
} from './console-state.ts'

const written = (by: string): ChatMessage[] =>
  [...by].map((letter, index) => ({
    id: `id-${index}`,
    sequence: index + 1,
    sessionId: 'session',
    senderType: letter === 'v' ? 'visitor' : 'admin',
    senderName: 'Someone',
    message: 'Hello',
    timestamp: '2026-01-31T10:00:00.000Z',
  }))

const session = (sessionId: string, more: Partial<ChatSession> = {}): ChatSession => ({
  sessionId,
  visitorName: 'Nomsa',
  visitorEmail: null,
  pageUrl: null,
  userAgent: null,
  isActive: true,
  startTime: `2026-01-31T10:00:0${sessionId}.000Z`,
  endTime: null,
  ...more,
})

const state = (by: string, more: Partial<ConsoleState> = {}): ConsoleState => ({
  ...emptyConsole,
  conversations: { session: { messages: written(by), unsent: [] } },
  ...more,
})

/** Chats 1 to 3, some of them with unread messages. */
const stateWith = (unread: string, more: Partial<ConsoleState> = {}): ConsoleState => ({
  ...emptyConsole,
  sessions: ['1', '2', '3'].map((id) => session(id)),
  conversations: Object.fromEntries([...unread].map((id) => [id, { messages: written('v'), unsent: [] }])),
  ...more,
})

test('a visitor who is away is so in the list and in the chat alike, whichever of the two was sent', () => {
  const here = { pageUrl: '/', since: '2026-01-31T10:00:00.000Z' }
  const told = stateWith('', { here: { 1: here, 2: here, 3: null }, away: { 1: true, 2: false, 3: false } })
  expect(['1', '2', '3', '4'].map((id) => whereaboutsOf(told, id))).toEqual([null, here, null, undefined])
})

test('the visitor of the selected chat is followed even if the list shows other chats, while it is open', () => {
  const mine = stateWith('', { selected: '2', shownFor: { whose: 'mine', staffId: 'me' } })
  expect(followedChats(mine)).toEqual(['2'])
  expect(followedChats(stateWith('', { selected: '2' }))).toEqual(['2', '3', '1'])
  const over = { ...mine, sessions: [session('2', { isActive: false })] }
  expect(followedChats(over)).toEqual([])
})

test('an address that was given late is shown at its chat, and not once that is erased', () => {
  const given = { type: 'visitor_email', sessionId: '2', visitorEmail: 'later@example.co.za' } as const
  const addresses = (after: ConsoleState) => after.sessions.map(({ visitorEmail }) => visitorEmail)
  expect(addresses(evolveConsole(stateWith(''), given))).toEqual([null, 'later@example.co.za', null])
  const erased = evolveConsole(stateWith(''), { type: 'chat_ended', sessionId: '2', isErased: true })
  expect(addresses(evolveConsole(erased, given))).toEqual([null, null, null])
})

describe('the unread count', () => {
  test.each([
    ['zero at first', '', {}, 0],
    ['the messages neither seen nor replied to', 'vvv', {}, 3],
    ['the messages after the last reply of any staff member', 'vvavv', {}, 2],
    ['the messages after the chat was viewed here', 'vavvv', { seen: { session: 4 } }, 1],
    ['zero for the open chat', 'vvv', { selected: 'session' }, 0],
    ['the messages in the open chat while the page is hidden', 'vvv', { selected: 'session', isAttended: false }, 3],
  ])('is %s', (_, by, more, expected) => {
    expect(unreadOf(state(by, more), 'session')).toBe(expected)
  })

  it('is zero for an unknown session', () => {
    expect(unreadOf(state('vv'), 'another')).toBe(0)
  })

  it('is counted over all open chats', () => {
    expect(totalUnread(stateWith('13'))).toBe(2)
    expect(totalUnread(stateWith('13', { sessions: [session('1'), session('3', { isActive: false })] }))).toBe(1)
  })

  it('is zero once the chat is viewed, but not while the page is hidden', () => {
    const conversation = { messages: written('vv'), unsent: [] }
    const shown = { ...emptyConsole, selected: 'session' }
    expect(withConversation(shown, 'session', conversation).seen).toEqual({ session: 2 })
    expect(withConversation({ ...shown, isAttended: false }, 'session', conversation).seen).toEqual({})
    expect(withConversation(shown, 'another', conversation).seen).toEqual({})
  })

  it('calls for attention only if a visitor wrote, and the chat is out of view', () => {
    const [fromVisitor, fromStaff] = written('va') as [ChatMessage, ChatMessage]
    expect(isMissed(state(''), fromVisitor)).toBe(true)
    expect(isMissed(state(''), fromStaff)).toBe(false)
    expect(isMissed(state('', { selected: 'session' }), fromVisitor)).toBe(false)
    expect(isMissed(state('', { selected: 'session', isAttended: false }), fromVisitor)).toBe(true)
  })
})

describe('a chat with only an outline', () => {
  const outline = (lastSequence: number, answered: number): ChatOutline => ({
    lastSequence,
    answered,
    waitingSince: '2026-01-31T10:07:00.000Z',
    last: {
      senderType: 'visitor',
      senderName: 'Nomsa',
      message: 'Are you there?',
      timestamp: '2026-01-31T10:08:00.000Z',
    },
  })
  const told = { outlines: { session: outline(6, 3) } }

  it('counts messages after the newest reply, or after the chat was viewed here', () => {
    expect(unreadOf(state('', told), 'session')).toBe(3)
    expect(unreadOf(state('vav', { ...told, seen: { session: 5 } }), 'session')).toBe(1)
    expect(unreadOf(state('', { ...told, selected: 'session' }), 'session')).toBe(0)
    expect(unreadOf(state('', { outlines: { session: outline(6, 6) } }), 'session')).toBe(0)
  })

  it('waits until its visitor’s last message has a reply, seen or not', () => {
    const sessions = [session('session')]
    const count = (by: string, more: Partial<ConsoleState> = {}) => waitingCount(state(by, { sessions, ...more }))
    expect(count('v', { selected: 'session', seen: { session: 1 } })).toBe(1)
    expect(count('', { outlines: { session: outline(2, 0) }, seen: { session: 2 } })).toBe(1)
    expect(count('', { outlines: { session: outline(6, 3) }, seen: { session: 6 } })).toBe(1)
    expect(count('', { outlines: { session: outline(6, 6) } })).toBe(0)
    expect(count('va', { seen: { session: 1 } })).toBe(0)
    expect(count('vav', { seen: { session: 3 } })).toBe(1)
    expect(count('vav')).toBe(1)
    expect(count('vavva')).toBe(0)
    expect(count('')).toBe(0)
    expect(count('v', { sessions: [session('session', { isActive: false })] })).toBe(0)
  })

  it('has its last words, and since when its visitor waits, until its text is newer', () => {
    expect(knownUpTo(state('vav', told), 'session')).toBe(6)
    expect(lastWordsOf(state('vav', told), 'session')?.message).toBe('Are you there?')
    expect(waitingSinceOf(state('vav', told), 'session')).toBe('2026-01-31T10:07:00.000Z')
    const text = state('vavvvvv', told)
    expect([knownUpTo(text, 'session'), lastWordsOf(text, 'session')?.message]).toEqual([7, 'Hello'])
    expect(waitingSinceOf(text, 'session')).toBe('2026-01-31T10:00:00.000Z')
    expect(waitingSinceOf(state('va'), 'session')).toBeUndefined()
  })

  it('has the newest outline in any order of arrival, and none once it is erased', () => {
    const later = withOutlines(emptyConsole, [{ sessionId: 'session', ...outline(6, 3) }])
    expect(withOutlines(later, [{ sessionId: 'session', ...outline(5, 3) }]).outlines).toEqual(later.outlines)
    const erased = evolveConsole(later, { type: 'chat_ended', sessionId: 'session', isErased: true })
    expect(erased.outlines).toEqual({})
    expect(withOutlines(erased, [{ sessionId: 'session', ...outline(7, 3) }]).outlines).toEqual({})
  })
})

describe('messages from while there was no connection', () => {
  it('is reported with its newest message, unless it has a reply or is in view', () => {
    expect(missedAfter(state('vvv'), 'session', 1)?.sequence).toBe(3)
    expect(missedAfter(state('vvv'), 'session', 3)).toBeUndefined()
    expect(missedAfter(state('vva'), 'session', 1)).toBeUndefined()
    expect(missedAfter(state('vvv', { selected: 'session' }), 'session', 1)).toBeUndefined()
  })
})

describe('the list', () => {
  it('has the open chats, newest first, and no ended one, not even the selected one', () => {
    const sessions = [session('1'), session('3', { isActive: false }), session('2', { isActive: false }), session('4')]
    const ids = (more: Partial<ConsoleState>) =>
      listedChats({ ...emptyConsole, sessions, ...more }).map(({ sessionId }) => sessionId)
    expect(ids({})).toEqual(['4', '1'])
    expect(ids({ selected: '3' })).toEqual(['4', '1'])
  })

  it('shows the longest waiting for a reply first, then chats without a waiting visitor, newest first', () => {
    const at = (by: string, minute: number) => ({
      messages: written(by).map((message) => ({ ...message, timestamp: `2026-01-31T10:0${minute}:00.000Z` })),
      unsent: [],
    })
    const waiting: ConsoleState = {
      ...emptyConsole,
      sessions: ['1', '2', '3', '4', '5'].map((id) => session(id)),
      conversations: { 2: at('v', 7), 3: at('va', 1), 4: at('vav', 6) },
      outlines: { 5: { lastSequence: 1, answered: 0, last: null, waitingSince: '2026-01-31T10:06:30.000Z' } },
    }
    const ids = ['4', '5', '2', '3', '1']
    expect(shownChats(waiting).map(({ sessionId }) => sessionId)).toEqual(ids)
    expect(ids.map((selected) => chatBeside({ ...waiting, selected }, 1))).toEqual([...ids.slice(1), ids[0]])
  })

  it('is navigated in both directions and wraps around', () => {
    expect(chatBeside(stateWith(''), 1)).toBe('3')
    expect(chatBeside(stateWith(''), -1)).toBe('1')
    expect(chatBeside(stateWith('', { selected: '3' }), 1)).toBe('2')
    expect(chatBeside(stateWith('', { selected: '3' }), -1)).toBe('1')
    expect(chatBeside(stateWith('', { selected: '1' }), 1)).toBe('3')
    const ended = stateWith('', {
      selected: '2',
      sessions: [session('1'), session('2', { isActive: false }), session('3')],
    })
    expect([chatBeside(ended, 1), chatBeside(ended, -1)]).toEqual(['1', '3'])
    expect(chatBeside(emptyConsole, 1)).toBeUndefined()
  })

  it('leads to the next unread chat after the selected one', () => {
    expect(nextUnread(stateWith('13'))).toBe('3')
    expect(nextUnread(stateWith('13', { selected: '3' }))).toBe('1')
    expect(nextUnread(stateWith('13', { selected: '1', isAttended: false }))).toBe('3')
    expect(nextUnread(stateWith('2', { selected: '2', isAttended: false }))).toBeUndefined()
    expect(nextUnread(stateWith(''))).toBeUndefined()
  })
})

describe('the console', () => {
  const outline = { lastSequence: 3, answered: 3, waitingSince: null, last: null }
  const assigned = { version: 0, to: null }
  const listed = { ...session('1'), lastSequence: 3, receipts: NO_RECEIPTS, outline, assigned }

  it('has the selected chat as an ended one when it is no longer listed', () => {
    const before = stateWith('', { selected: '2' })
    const after = evolveConsole(before, { type: 'active_sessions', sessions: [listed], total: 1 })
    expect(after.sessions.map(({ sessionId, isActive }) => [sessionId, isActive])).toEqual([
      ['1', true],
      ['2', false],
    ])
  })

  it('adds a chat that is sent twice once, and ends one', () => {
    const fresh = session('1')
    const once = evolveConsole(emptyConsole, { type: 'new_chat_session', ...fresh })
    const twice = evolveConsole(once, { type: 'new_chat_session', ...fresh })
    expect(twice.sessions).toEqual([fresh])
    expect(evolveConsole(twice, { type: 'chat_ended', sessionId: '1' }).sessions).toEqual([
      { ...fresh, isActive: false },
    ])
  })

  it('stores receipts, viewers and pages by session', () => {
    const staff = [{ staffId: 'id', name: 'Sipho', isTyping: false }]
    const page = { pageUrl: '/', timestamp: '2026-01-31T10:00:00.000Z' }
    const frames = [
      { type: 'receipt', sessionId: '1', party: 'visitor', delivered: 2, seen: 1 },
      { type: 'presence', sessionId: '1', staff, isVisitorAway: true },
      { type: 'page_viewed', sessionId: '1', ...page },
    ] as const
    const after = frames.reduce(evolveConsole, emptyConsole)
    expect(after.receipts).toEqual({ '1': { ...NO_RECEIPTS, visitor: { delivered: 2, seen: 1 } } })
    expect(after.viewers).toEqual({ '1': staff })
    expect(after.pages).toEqual({ '1': [page] })
  })
})
