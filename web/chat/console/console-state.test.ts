import { describe, expect, it, test } from 'vitest'
import { NO_RECEIPTS } from '../../../events/chat/activity.ts'
import type { ChatOutline, ServerFrame } from '../../../events/chat/server-frames.ts'
import type { ChatMessage, ChatSession } from '../../../events/chat/wire.ts'
import { evolveConsole, missedIn, withChat, withoutConnection, withSeen } from './console-evolution.ts'
import {
  type ConsoleState,
  chatIn,
  emptyChat,
  emptyConsole,
  followedChats,
  type LiveChat,
  listedChats,
  longestWaiting,
  neighbourChat,
  nextUnread,
  sessionsOf,
  shownChats,
  totalUnread,
  unreadOf,
  visitorPlaceOf,
  waitingCount,
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

/** The console with a chat, of which these messages came by the socket, in this order. */
const state = (by: string, chat: Partial<LiveChat> = {}, more: Partial<ConsoleState> = {}): ConsoleState =>
  written(by).reduce((before, message) => evolveConsole(before, { type: 'new_message', ...message }), {
    ...emptyConsole,
    chats: { session: { ...emptyChat, ...chat } },
    ...more,
  })

/** The session of `state`. */
const chat = (from: ConsoleState) => chatIn(from, 'session')

/** Chats 1 to 3, some of them with unread messages. */
const stateWith = (unread: string, more: Partial<ConsoleState> = {}): ConsoleState => {
  const chats = ['1', '2', '3'].map((id) => [id, { ...emptyChat, session: session(id) }] as const)
  return [...unread].reduce(
    (before, sessionId) => evolveConsole(before, { type: 'chat_history', sessionId, messages: written('v') }),
    { ...emptyConsole, chats: Object.fromEntries(chats), ...more },
  )
}

const evolve = (before: ConsoleState, ...frames: ServerFrame[]) => frames.reduce(evolveConsole, before)

test('a visitor who is away is so in the list and in the chat alike, whichever of the two was sent', () => {
  const here = { pageUrl: '/', since: '2026-01-31T10:00:00.000Z' }
  const places = [
    { sessionId: '1', here },
    { sessionId: '2', here },
    { sessionId: '3', here: null },
  ]
  const at = (sessionId: string, isVisitorAway: boolean): ServerFrame => ({
    type: 'presence',
    sessionId,
    staff: [],
    isVisitorAway,
  })
  const told = evolve(stateWith(''), { type: 'visitors_here', chats: places }, at('1', true), at('2', false))
  const whereabouts = (from: ConsoleState) => ['1', '2', '3', '4'].map((id) => visitorPlaceOf(chatIn(from, id)))
  expect(whereabouts(told)).toEqual([null, here, null, undefined])
  expect(whereabouts(withoutConnection(told))).toEqual([undefined, undefined, undefined, undefined])
})

test('the visitor of the selected chat is followed even if the list shows other chats, while it is open', () => {
  const mine = stateWith('', { selected: '2', assignees: 'mine', staffId: 'me' })
  expect(followedChats(mine)).toEqual(['2'])
  expect(followedChats(stateWith('', { selected: '2' }))).toEqual(['2', '3', '1'])
  expect(followedChats(evolve(mine, { type: 'chat_ended', sessionId: '2' }))).toEqual([])
})

test('an address that was given late is shown at its chat, and not once that is erased', () => {
  const given = { type: 'visitor_email', sessionId: '2', visitorEmail: 'later@example.co.za' } as const
  const addresses = (after: ConsoleState) => sessionsOf(after).map(({ visitorEmail }) => visitorEmail)
  expect(addresses(evolve(stateWith(''), given))).toEqual([null, 'later@example.co.za', null])
  const erased = evolve(stateWith(''), { type: 'chat_ended', sessionId: '2', isErased: true })
  expect(addresses(evolve(erased, given))).toEqual([null, null, null])
})

describe('the unread count', () => {
  test.each<[string, string, Partial<LiveChat>, Partial<ConsoleState>, number]>([
    ['zero at first', '', {}, {}, 0],
    ['the messages neither seen nor replied to', 'vvv', {}, {}, 3],
    ['the messages after the last reply of any staff member', 'vvavv', {}, {}, 2],
    ['the messages after the chat was viewed here', 'vavvv', { seen: 4 }, {}, 1],
    ['zero for the open chat', 'vvv', {}, { selected: 'session' }, 0],
    [
      'the messages in the open chat while the page is hidden',
      'vvv',
      {},
      { selected: 'session', isAttended: false },
      3,
    ],
  ])('is %s', (_, by, known, more, expected) => {
    expect(unreadOf(state(by, known, more), 'session')).toBe(expected)
  })

  it('is zero for an unknown session', () => {
    expect(unreadOf(state('vv'), 'another')).toBe(0)
  })

  it('is counted over all open chats', () => {
    expect(totalUnread(stateWith('13'))).toBe(2)
    expect(totalUnread(evolve(stateWith('13'), { type: 'chat_ended', sessionId: '3' }))).toBe(1)
  })

  it('is zero once the chat is viewed, but not while the page is hidden', () => {
    const shown = { selected: 'session' }
    expect(chat(withSeen(state('vv', {}, shown))).seen).toBe(2)
    expect(chat(withSeen(state('vv', {}, { ...shown, isAttended: false }))).seen).toBe(0)
    expect(chat(withSeen(state('vv', {}, { selected: 'another' }))).seen).toBe(0)
    expect(chat(withSeen(state('', { seen: 2 }, shown))).seen).toBe(2)
  })
})

describe('an alert', () => {
  const missed = (by: string, more: Partial<ConsoleState> = {}) => {
    const before = state(by.slice(0, -1), {}, more)
    return missedIn(
      before,
      evolve(before, { type: 'chat_history', sessionId: 'session', messages: written(by) }),
      'session',
    )
  }

  it('is shown only if a visitor wrote, and the chat is out of view', () => {
    expect(missed('v')).toEqual({ sessionId: 'session', senderName: 'Someone', message: 'Hello' })
    expect(missed('va')).toBeUndefined()
    expect(missed('v', { selected: 'session' })).toBeUndefined()
    expect(missed('v', { selected: 'session', isAttended: false })).toBeDefined()
  })

  it('names the newest of several messages, unless it has a reply or was known', () => {
    const since = (by: string, known: string) => missedIn(state(known), state(by), 'session')
    expect(since('vvv', 'v')).toBeDefined()
    expect(since('vvv', 'vvv')).toBeUndefined()
    expect(since('vva', 'v')).toBeUndefined()
  })

  it('names the visitor if the message cannot be read at the moment', () => {
    const outline = { lastSequence: 1, answered: 0, waitingSince: null, last: null }
    const after = evolve(stateWith(''), { type: 'chat_outlines', chats: [{ sessionId: '1', ...outline }] })
    expect(missedIn(stateWith(''), after, '1')).toEqual({ sessionId: '1', senderName: 'Nomsa', message: '' })
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
  const told = (lastSequence: number, answered: number): ServerFrame => ({
    type: 'chat_outlines',
    chats: [{ sessionId: 'session', ...outline(lastSequence, answered) }],
  })

  it('counts messages after the newest reply, or after the chat was viewed here', () => {
    expect(unreadOf(evolve(state(''), told(6, 3)), 'session')).toBe(3)
    expect(unreadOf(evolve(state('vav', { seen: 5 }), told(6, 3)), 'session')).toBe(1)
    expect(unreadOf(evolve(state('', {}, { selected: 'session' }), told(6, 3)), 'session')).toBe(0)
    expect(unreadOf(evolve(state(''), told(6, 6)), 'session')).toBe(0)
  })

  it('waits until its visitor’s last message has a reply, seen or not', () => {
    const open = session('session')
    const count = (by: string, more: Partial<LiveChat> = {}, frames: ServerFrame[] = []) =>
      waitingCount(evolve(state(by, { session: open, ...more }), ...frames), new Date('2026-01-31T10:10:00.000Z'))
    expect(count('v', { seen: 1 })).toBe(1)
    expect(count('', { seen: 2 }, [told(2, 0)])).toBe(1)
    expect(count('', { seen: 6 }, [told(6, 3)])).toBe(1)
    expect(count('', {}, [told(6, 6)])).toBe(0)
    expect(count('va', { seen: 1 })).toBe(0)
    expect(count('vav', { seen: 3 })).toBe(1)
    expect(count('vav')).toBe(1)
    expect(count('vavva')).toBe(0)
    expect(count('')).toBe(0)
    expect(count('v', { session: { ...open, isActive: false } })).toBe(0)
  })

  it('waits no longer half an hour after its visitor left without an address, until they are back or write', () => {
    const open = session('session')
    const here = (place: object | null) => ({ type: 'visitors_here', chats: [{ sessionId: 'session', here: place }] })
    const left = here(null) as ServerFrame
    const back = here({ pageUrl: null, since: '2026-01-31T10:40:00.000Z' }) as ServerFrame
    const count = (time: string, more: Partial<ChatSession>, ...frames: ServerFrame[]) => {
      const after = evolve(state('v', { session: { ...open, ...more } }), ...frames)
      const now = new Date(`2026-01-31T${time}Z`)
      expect(longestWaiting(after, now)?.session?.sessionId).toBe(waitingCount(after, now) ? 'session' : undefined)
      return waitingCount(after, now)
    }
    expect(count('10:29:59', {}, left)).toBe(1)
    expect(count('10:30:00', {}, left)).toBe(0)
    // unknown, as without a connection
    expect(count('10:30:00', {})).toBe(1)
    expect(count('10:41:00', {}, left, back)).toBe(1)
    expect(count('10:30:00', { visitorEmail: 'nomsa' }, left)).toBe(0)
    expect(count('10:30:00', { visitorEmail: 'nomsa@example.co.za' }, left)).toBe(1)
    expect(count('10:30:00', { visitorPhone: '082 555 0142' }, left)).toBe(1)
    const [again] = written('v').map((message) => ({ ...message, sequence: 2, timestamp: '2026-01-31T10:45:00.000Z' }))
    const news = { type: 'new_message', ...(again ?? expect.fail()) } as const
    expect(count('10:50:00', {}, left, news)).toBe(1)
  })

  it('has its last words, and since when its visitor waits, until its text is newer', () => {
    const known = evolve(state('vav'), told(6, 3))
    expect(chat(known).outline).toEqual(outline(6, 3))
    const text = evolve(known, { type: 'chat_history', sessionId: 'session', messages: written('vavvvvv') })
    const { last, ...newer } = chat(text).outline
    expect([newer, last?.message]).toEqual([
      { lastSequence: 7, answered: 3, waitingSince: '2026-01-31T10:07:00.000Z' },
      'Hello',
    ])
    expect(chat(state('vavv')).outline.waitingSince).toBe('2026-01-31T10:00:00.000Z')
    expect(chat(state('va')).outline.waitingSince).toBeNull()
  })

  it('has the newest outline in any order of arrival, and none once it is erased', () => {
    const later = evolve(state(''), told(6, 3))
    expect(chat(evolve(later, told(5, 3))).outline).toEqual(outline(6, 3))
    const erased = evolve(later, { type: 'chat_ended', sessionId: 'session', isErased: true })
    expect(chat(erased)).toEqual({ ...emptyChat, isErased: true })
    expect(evolve(erased, told(7, 3)).chats).toEqual(erased.chats)
  })

  it('shows its visitor typing until their message arrives', () => {
    const typing = { type: 'typing', sessionId: 'session', senderType: 'visitor', isTyping: true } as const
    const writes = evolve(state('va'), typing)
    expect(chat(writes).isTyping).toBe(true)
    expect(chat(evolve(writes, { ...typing, senderType: 'admin', isTyping: false })).isTyping).toBe(true)
    expect(chat(evolve(writes, told(3, 3))).isTyping).toBe(true)
    expect(chat(evolve(writes, told(3, 2))).isTyping).toBe(false)
    expect(
      chat(evolve(writes, { type: 'chat_history', sessionId: 'session', messages: written('vav') })).isTyping,
    ).toBe(false)
  })
})

describe('an unsent reply', () => {
  const unsent = [{ clientMessageId: 'one', message: 'We do', timestamp: '2026-01-31T10:09:00.000Z' }]
  const accepted = {
    type: 'message_accepted',
    clientMessageId: 'one',
    id: 'accepted',
    sequence: 2,
    timestamp: '2026-01-31T10:10:00.000Z',
  } as const
  const refused = { type: 'error', code: 'too_large', message: 'Too long', clientMessageId: 'one' } as const

  it('becomes a message once it is accepted, and the visitor no longer waits', () => {
    const after = chat(evolve(state('v', { unsent }), accepted))
    expect(after.unsent).toEqual([])
    expect(after.messages.map(({ message }) => message)).toEqual(['Hello', 'We do'])
    expect(after.outline).toMatchObject({ lastSequence: 2, answered: 2, waitingSince: null })
  })

  it('shows why it was refused for good, and waits if it was refused for now', () => {
    expect(chat(evolve(state('v', { unsent }), refused)).unsent).toEqual([{ ...unsent[0], refused: 'Too long' }])
    expect(chat(evolve(state('v', { unsent }), { ...refused, code: 'unavailable' })).unsent).toEqual(unsent)
  })

  it('becomes a draft if the chat has ended', () => {
    const ended = { ...refused, code: 'chat_ended' } as const
    const two = [...unsent, { clientMessageId: 'two', message: 'Since 2019', timestamp: '2026-01-31T10:09:00.000Z' }]
    const after = chat(evolve(state('v', { unsent: two }), ended, { ...ended, clientMessageId: 'two' }))
    expect([after.unsent, after.draft]).toEqual([[], 'We do\nSince 2019'])
  })
})

describe('the list', () => {
  it('has the open chats, newest first, and no ended one, not even the selected one', () => {
    const sessions = [session('1'), session('3', { isActive: false }), session('2', { isActive: false }), session('4')]
    const chats = Object.fromEntries(sessions.map((one) => [one.sessionId, { ...emptyChat, session: one }]))
    const ids = (more: Partial<ConsoleState>) =>
      listedChats({ ...emptyConsole, chats, ...more }).map(({ sessionId }) => sessionId)
    expect(ids({})).toEqual(['4', '1'])
    expect(ids({ selected: '3' })).toEqual(['4', '1'])
  })

  it('shows the longest waiting for a reply first, then chats without a waiting visitor, newest first', () => {
    const at = (sessionId: string, by: string, minute: number) => {
      const timestamp = `2026-01-31T10:0${minute}:00.000Z`
      const messages = written(by).map((message) => ({ ...message, timestamp }))
      return { type: 'chat_history', sessionId, messages } as const
    }
    const outline = { lastSequence: 1, answered: 0, last: null, waitingSince: '2026-01-31T10:06:30.000Z' }
    const waiting = evolve(
      emptyConsole,
      ...['1', '2', '3', '4', '5'].map((id) => ({ type: 'new_chat_session', ...session(id) }) as const),
      ...[at('2', 'v', 7), at('3', 'va', 1), at('4', 'vav', 6)],
      { type: 'chat_outlines', chats: [{ sessionId: '5', ...outline }] },
    )
    const ids = ['4', '5', '2', '3', '1']
    expect(shownChats(waiting).map(({ sessionId }) => sessionId)).toEqual(ids)
    expect(ids.map((selected) => neighbourChat({ ...waiting, selected }, 1))).toEqual([...ids.slice(1), ids[0]])
  })

  it('is navigated in both directions and wraps around', () => {
    expect(neighbourChat(stateWith(''), 1)).toBe('3')
    expect(neighbourChat(stateWith(''), -1)).toBe('1')
    expect(neighbourChat(stateWith('', { selected: '3' }), 1)).toBe('2')
    expect(neighbourChat(stateWith('', { selected: '3' }), -1)).toBe('1')
    expect(neighbourChat(stateWith('', { selected: '1' }), 1)).toBe('3')
    const ended = evolve(stateWith('', { selected: '2' }), { type: 'chat_ended', sessionId: '2' })
    expect([neighbourChat(ended, 1), neighbourChat(ended, -1)]).toEqual(['1', '3'])
    expect(neighbourChat(emptyConsole, 1)).toBeUndefined()
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

  const list = (...sessions: (typeof listed)[]) =>
    ({ type: 'active_sessions', sessions, total: sessions.length }) as const

  it('has the selected chat as an ended one when it is no longer listed', () => {
    const after = evolve(stateWith('', { selected: '2' }), list(listed))
    expect(sessionsOf(after).map(({ sessionId, isActive }) => [sessionId, isActive])).toEqual([
      ['1', true],
      ['2', false],
    ])
  })

  it('has the texts, drafts and newest assignments over a new list, and adds the chats of a list once', () => {
    const draft = withChat(stateWith('1'), '1', () => ({ draft: 'Yes, we' }))
    const to = { staffId: 'id', name: 'Sipho' }
    const change = {
      version: 2,
      to,
      by: to,
      reason: 'choice',
      note: null,
      timestamp: '2026-01-31T10:00:00.000Z',
    } as const
    const taken = evolve(draft, { type: 'chat_assigned', sessionId: '1', ...change })
    const after = evolve(taken, list(listed), list(listed))
    expect(sessionsOf(after)).toEqual([listed])
    expect(chatIn(after, '1')).toMatchObject({
      draft: 'Yes, we',
      messages: written('v'),
      assignment: { version: 2, to },
    })
    const late = { ...change, version: 1, to: null }
    expect(evolve(after, { type: 'chat_assigned', sessionId: '1', ...late })).toBe(after)
    expect(chatIn(evolve(after, { type: 'colleague_removed', staffId: 'id' }), '1').assignment?.to).toBeNull()
  })

  it('adds a chat that is sent twice once, and ends one', () => {
    const fresh = session('1')
    const twice = evolve(emptyConsole, { type: 'new_chat_session', ...fresh }, { type: 'new_chat_session', ...fresh })
    expect([sessionsOf(twice), twice.total]).toEqual([[fresh], 1])
    const over = evolve(twice, { type: 'chat_ended', sessionId: '1' }, { type: 'chat_ended', sessionId: '1' })
    expect([sessionsOf(over), over.total]).toEqual([[{ ...fresh, isActive: false }], 0])
  })

  it('fetches a chat with news that is not listed, if it has room for it', () => {
    const [message] = written('v')
    const frame = { type: 'new_message', ...(message as ChatMessage) } as const
    const after = evolve(stateWith(''), frame, frame)
    expect([after.unlisted, chat(after).messages]).toEqual([['session'], [message]])
    const full = { ...emptyConsole, unlisted: Array.from({ length: 200 }, (_, index) => `other-${index}`) }
    expect(evolve(full, frame)).toEqual(full)
    expect(evolve({ ...full, selected: 'session' }, frame).unlisted).toHaveLength(201)
  })

  it('stores receipts, viewers and pages by session', () => {
    const staff = [{ staffId: 'id', name: 'Sipho', isTyping: false }]
    const page = { pageUrl: '/', timestamp: '2026-01-31T10:00:00.000Z' }
    const after = evolve(
      emptyConsole,
      { type: 'receipt', sessionId: '1', party: 'visitor', delivered: 2, seen: 1 },
      { type: 'presence', sessionId: '1', staff, isVisitorAway: true },
      { type: 'page_viewed', sessionId: '1', ...page },
    )
    expect(chatIn(after, '1')).toEqual({
      ...emptyChat,
      receipts: { ...NO_RECEIPTS, visitor: { delivered: 2, seen: 1 } },
      viewers: staff,
      isAway: true,
      pages: [page],
    })
  })
})
