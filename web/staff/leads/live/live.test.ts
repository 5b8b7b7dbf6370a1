import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testLead } from '../../../testing/lead.ts'
import { NO_CHANGES, newest, withChanges } from './live.ts'
import { throttle } from './throttle.ts'

describe('news about leads', () => {
  it('changes a lead in its place, and never back to an older version', () => {
    const rows = [testLead({ id: 'a', version: 2 }), testLead({ id: 'b', version: 4 })]
    const fresh = [
      testLead({ id: 'a', version: 3, followUpStatus: 'won' }),
      testLead({ id: 'b', version: 3, followUpStatus: 'lost' }),
    ]
    const news = withChanges(NO_CHANGES, fresh, () => false)
    expect(newest(rows, news).map(({ id, followUpStatus }) => [id, followUpStatus])).toEqual([
      ['a', 'won'],
      ['b', 'new'],
    ])
  })

  it('shows a merged lead, whose version stays, until the stream is opened again', () => {
    const rows = [testLead({ id: 'a', version: 2 })]
    const news = withChanges(NO_CHANGES, [testLead({ id: 'a', version: 2, name: 'By the other lead' })], () => false)
    expect(newest(rows, news)[0]?.name).toBe('By the other lead')
    expect(newest(rows, { ...news, sent: new Set() })).toEqual(rows)
  })

  it('remembers new arrivals, and drops the oldest if there are too many', () => {
    const first = withChanges(NO_CHANGES, [testLead({ id: 'a' })], () => true)
    expect([...first.arrived]).toEqual(['a'])
    const flood = Array.from({ length: 600 }, (_, index) => testLead({ id: String(index) }))
    const after = withChanges(
      withChanges(first, flood, () => true),
      [testLead({ id: 'z' })],
      () => true,
    )
    expect([...after.arrived]).toEqual(['z'])
  })
})

describe('a repeated request', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs at once, then once at the end of each gap', () => {
    const act = vi.fn()
    const { ask } = throttle(act, 1_000)
    ask()
    expect(act).toHaveBeenCalledTimes(1)
    for (let time = 0; time < 40; time += 1) {
      ask()
      vi.advanceTimersByTime(50)
    }
    expect(act).toHaveBeenCalledTimes(3)
    vi.advanceTimersByTime(5_000)
    expect(act).toHaveBeenCalledTimes(3)
    ask()
    expect(act).toHaveBeenCalledTimes(4)
  })

  it('is dropped on stop', () => {
    const act = vi.fn()
    const { ask, stop } = throttle(act, 1_000)
    ask()
    ask()
    stop()
    vi.advanceTimersByTime(5_000)
    expect(act).toHaveBeenCalledTimes(1)
  })
})
