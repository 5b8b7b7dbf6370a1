import { expect, test } from 'vitest'
import { arrivalOf, merge, NO_PRESENCE, type NodePart, type PresenceMessage, viewersOf } from './presence-state.ts'

const look = (sessionId: string, staffId: string, isTyping = false) => ({ sessionId, staffId, name: staffId, isTyping })

const part = ({ version = 1, ...rest }: Partial<NodePart>): NodePart => ({
  version,
  looks: [],
  arrivals: new Map(),
  ...rest,
})

const read = (parts: Record<string, NodePart>, ...sessionIds: string[]): PresenceMessage => ({
  type: 'read',
  parts: new Map(Object.entries(parts)),
  sessionIds,
})

/** The state after messages, each at its time. */
const after = (...messages: [number, PresenceMessage][]) =>
  messages.reduce((state, [now, message]) => merge(state, message, now), NO_PRESENCE)

test('a staff member with two consoles, on two nodes, counts once and types if one of them does', () => {
  const state = after([
    0,
    read({
      one: part({ looks: [look('chat', 'ben'), look('other', 'ana')] }),
      two: part({ looks: [look('chat', 'ben', true), look('chat', 'ana')] }),
    }),
  ])
  expect(viewersOf(state)).toEqual(
    new Map([
      [
        'chat',
        [
          { staffId: 'ana', name: 'ana', isTyping: false },
          { staffId: 'ben', name: 'ben', isTyping: true },
        ],
      ],
      ['other', [{ staffId: 'ana', name: 'ana', isTyping: false }]],
    ]),
  )
})

test('a read that began before a node published its change does not undo it', () => {
  const news = { version: 2, looks: [look('new', 'ana')] }
  const state = after(
    [0, read({ one: part({ looks: [look('old', 'ana')] }) })],
    [1, { type: 'looks', node: 'one', looks: news }],
    [2, read({ one: part({ looks: [look('old', 'ana')] }) })],
    [3, { type: 'looks', node: 'one', looks: { version: 1, looks: [] } }],
  )
  expect([...viewersOf(state).keys()]).toEqual(['new'])
})

test('a node that is not found counts for some seconds: Redis may have been emptied, or be unavailable', () => {
  for (const lost of [read({}), { type: 'unreadable' } as const]) {
    const found: [number, PresenceMessage] = [0, read({ one: part({ looks: [look('chat', 'ana')] }) })]
    expect(viewersOf(after(found, [4_900, lost])).size).toBe(1)
    expect(viewersOf(after(found, [5_100, lost])).size).toBe(0)
  }
})

test('while Redis is unavailable this node still knows its own part', () => {
  const own = part({ looks: [look('chat', 'ana')], arrivals: new Map([['chat', 7]]) })
  const state = after([0, { type: 'own', node: 'one', part: own }], [60_000, { type: 'unreadable' }])
  expect(viewersOf(state).size).toBe(1)
  expect(arrivalOf(state, 'chat', 60_000)).toBe(7)
})

test('a visitor is present since the first node had them', () => {
  const state = after([
    0,
    read({ one: part({ arrivals: new Map([['chat', 9]]) }), two: part({ arrivals: new Map([['chat', 7]]) }) }, 'chat'),
  ])
  expect(arrivalOf(state, 'chat', 0)).toBe(7)
})

test('a visitor who is not found has left only after enough reads: they may just have arrived', () => {
  const state = after([0, read({}, 'chat')], [1_900, read({}, 'chat', 'later')])
  expect(arrivalOf(state, 'chat', 1_900)).toBeUndefined()
  expect(arrivalOf(state, 'chat', 2_000)).toBeNull()
  expect(arrivalOf(state, 'later', 3_800)).toBeUndefined()
  expect(arrivalOf(state, 'never asked', 3_800)).toBeUndefined()
})

test('whether a visitor has left is unknown while Redis is unavailable, and until other nodes had time to return', () => {
  const away = after([0, read({}, 'chat')], [20_000, { type: 'unreadable' }])
  expect(arrivalOf(away, 'chat', 30_000)).toBeUndefined()
  const back = merge(away, read({}, 'chat'), 20_100)
  expect(arrivalOf(back, 'chat', 29_000)).toBeUndefined()
  expect(arrivalOf(back, 'chat', 30_000)).toBeNull()
})
