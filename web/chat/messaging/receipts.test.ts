import { describe, expect, it } from 'vitest'
import type { NewWord } from '../../../events/base/word.ts'
import { NO_RECEIPTS, type Receipt } from '../../../events/chat/activity.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { openReporter, reached, tickOf, ticksOf, withReceipt } from './receipts.ts'

const written = (by: string) => ({
  messages: [...by].flatMap((letter, index): ChatMessage[] =>
    letter === ' '
      ? []
      : [
          {
            id: `id-${index}`,
            sequence: index + 1,
            sessionId: 'session',
            senderType: letter === 'v' ? 'visitor' : 'admin',
            senderName: 'Someone',
            message: 'Hello',
            timestamp: '2026-01-31T10:00:00.000Z',
          },
        ],
  ),
  unsent: [],
})

const NOTHING = NO_RECEIPTS.admin

describe('a mark', () => {
  it.each([
    [3, { delivered: 2, seen: 2 }, 'Sent'],
    [3, { delivered: 3, seen: 2 }, 'Delivered'],
    [3, { delivered: 4, seen: 3 }, 'Seen'],
  ])('of message %i, with a receipt of %o, is %s', (sequence, receipt, mark) => {
    expect(tickOf(sequence, receipt)).toBe(mark)
  })
})

describe('marks', () => {
  it.each([
    ['at the newest and at the last that was seen', 'vaaa', { delivered: 4, seen: 2 }, { 2: 'Seen', 4: 'Delivered' }],
    ['at the newest only, if all are seen', 'vaaa', { delivered: 4, seen: 4 }, { 4: 'Seen' }],
    ['at the newest only, if none is seen', 'vaaa', { delivered: 0, seen: 0 }, { 4: 'Sent' }],
    ['at each run, none at the other side’s messages', 'aavva', { delivered: 2, seen: 2 }, { 2: 'Seen', 5: 'Sent' }],
    [
      'at what was seen, where the receipt names a message of the other side',
      'aava',
      { delivered: 3, seen: 3 },
      { 2: 'Seen', 4: 'Sent' },
    ],
  ])('appear %s', (_, by, receipt, expected) => {
    const marks = [...ticksOf(written(by).messages, 'admin', receipt)]
    expect(Object.fromEntries(marks.map(([id, mark]) => [Number(id.slice(3)) + 1, mark]))).toEqual(expected)
  })
})

describe('receipts', () => {
  it('never decrease, even if one arrives late', () => {
    const once = withReceipt(NO_RECEIPTS, 'visitor', { delivered: 5, seen: 4 })
    const late = withReceipt(once, 'visitor', { delivered: 3, seen: 5 })
    expect(late).toEqual({ visitor: { delivered: 5, seen: 5 }, admin: NOTHING })
  })
})

describe('the receipt of a client', () => {
  it.each([
    ['zero for one’s own messages', 'aaa', false, { delivered: 0, seen: 0 }],
    ['the last of the other side', 'avva', false, { delivered: 3, seen: 0 }],
    ['seen, while the chat is in view', 'avva', true, { delivered: 3, seen: 3 }],
    ['no message after a gap', 'av vv', true, { delivered: 2, seen: 2 }],
  ])('is %s', (_, by, isLooking, expected) => {
    expect(reached(written(by), 'visitor', NOTHING, isLooking)).toEqual(expected)
  })

  it('is never less than the known receipt', () => {
    expect(reached(written('v'), 'visitor', { delivered: 9, seen: 8 }, true)).toEqual({ delivered: 9, seen: 8 })
  })
})

describe('a reporter', () => {
  const opened = (line = { isConnected: true }) => {
    const sent: Receipt[] = []
    const reporter = openReporter((_, receipt) => {
      if (line.isConnected) sent.push(receipt)
      return line.isConnected
    })
    return { sent, reporter }
  }

  it('reports each advance once, and nothing that the server has', () => {
    const { sent, reporter } = opened()
    reporter.report('session', { delivered: 2, seen: 2 }, { delivered: 2, seen: 2 })
    reporter.report('session', { delivered: 3, seen: 2 }, { delivered: 2, seen: 2 })
    reporter.report('session', { delivered: 3, seen: 2 }, { delivered: 2, seen: 2 })
    reporter.report('session', { delivered: 3, seen: 3 }, { delivered: 2, seen: 2 })
    expect(sent).toEqual([
      { delivered: 3, seen: 2 },
      { delivered: 3, seen: 3 },
    ])
  })

  it('reports again on a new connection, until the server has confirmed it', () => {
    const { sent, reporter } = opened()
    reporter.report('session', { delivered: 1, seen: 1 }, NOTHING)
    reporter.reset()
    reporter.report('session', { delivered: 1, seen: 1 }, NOTHING)
    reporter.reset()
    reporter.report('session', { delivered: 1, seen: 1 }, { delivered: 1, seen: 1 })
    expect(sent).toHaveLength(2)
  })

  it('reports later if a report could not be sent', () => {
    const line = { isConnected: false }
    const { sent, reporter } = opened(line)
    reporter.report('session', { delivered: 1, seen: 0 }, NOTHING)
    line.isConnected = true
    reporter.report('session', { delivered: 1, seen: 0 }, NOTHING)
    expect(sent).toEqual([{ delivered: 1, seen: 0 }])
  })
})

it('ignores a receipt of a party that only a newer server knows', () => {
  expect(withReceipt(NO_RECEIPTS, 'bot' as NewWord, { delivered: 1, seen: 1 })).toBe(NO_RECEIPTS)
})
