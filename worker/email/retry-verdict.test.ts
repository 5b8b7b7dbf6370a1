import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../events/base/time.ts'
import { verdictOn } from './retry-verdict.ts'
import type { SendResult } from './transport.ts'

const FIRST = { attempt: 1, uncertainTries: 0, triedForMs: 0, isTest: false, random: 0.5 }
const judge = (kind: SendResult['kind'], attempt = 1, retryAfterMs?: number) =>
  verdictOn({ kind, answer: '', ...(retryAfterMs && { retryAfterMs }) }, { ...FIRST, attempt })
const judgeTest = (kind: SendResult['kind']) => verdictOn({ kind, answer: '' }, { ...FIRST, isTest: true })

describe('the pause before a retry', () => {
  const pauseMs = (attempt: number, random: number) =>
    verdictOn({ kind: 'busy', answer: '' }, { ...FIRST, attempt, random }).retryAfterMs

  test('doubles from 2 s, half of it random', () => {
    expect([1, 2, 3, 4].map((attempt) => pauseMs(attempt, 0))).toEqual([1_000, 2_000, 4_000, 8_000])
    expect([1, 2, 3, 4].map((attempt) => pauseMs(attempt, 1))).toEqual([2_000, 4_000, 8_000, 16_000])
  })

  test('is never longer than an hour, however many attempts there were', () => {
    for (const attempt of [12, 13, 50, 2_000]) {
      expect(pauseMs(attempt, 1)).toBe(60 * MINUTE_MS)
      expect(pauseMs(attempt, 0)).toBe(30 * MINUTE_MS)
    }
  })
})

describe('the consequence of an attempt', () => {
  test('delivered is the end', () => {
    expect(judge('delivered', 7)).toEqual({
      state: 'delivered',
      retryAfterMs: undefined,
      isPassing: false,
      needsAttention: false,
    })
  })

  test('busy is retried soon, and given up after four days', () => {
    const busyFor = (triedForMs: number) =>
      verdictOn({ kind: 'busy', answer: '' }, { ...FIRST, attempt: 90, triedForMs })
    expect(judge('busy')).toEqual({ state: 'retrying', retryAfterMs: 1_500, isPassing: true, needsAttention: false })
    expect(busyFor(4 * DAY_MS - 1)).toMatchObject({ state: 'retrying', isPassing: true })
    expect(busyFor(4 * DAY_MS)).toEqual({
      state: 'expired',
      retryAfterMs: undefined,
      isPassing: false,
      needsAttention: true,
    })
  })

  test('an uncertain response is tried three times within an hour, then waits for staff', () => {
    const nth = (uncertainTries: number) => verdictOn({ kind: 'unknown', answer: '' }, { ...FIRST, uncertainTries })
    const pauses = [nth(0), nth(1)].map(({ retryAfterMs = Number.NaN }) => retryAfterMs)
    expect([nth(0), nth(1)]).toMatchObject([{ state: 'retrying' }, { state: 'retrying' }])
    expect(pauses.every((pause) => pause >= 10 * MINUTE_MS)).toBe(true)
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(HOUR_MS)
    expect(nth(2)).toEqual({ state: 'uncertain', retryAfterMs: undefined, isPassing: false, needsAttention: true })
    expect(nth(7)).toMatchObject({ state: 'uncertain' })
  })

  test('an email that some inboxes took and others refused waits for staff', () => {
    expect(judge('partial')).toMatchObject({ state: 'partial', retryAfterMs: undefined, needsAttention: true })
  })

  test('a service that asks for a pause gets it', () => {
    expect(judge('busy', 1, 120_000).retryAfterMs).toBe(120_000)
    expect(judge('busy', 10, 1_000).retryAfterMs).toBe(768_000)
  })

  test('rejected is tried three times, then waits for staff', () => {
    expect([1, 2].map((attempt) => judge('rejected', attempt).state)).toEqual(['retrying', 'retrying'])
    expect(judge('rejected', 3)).toEqual({
      state: 'rejected',
      retryAfterMs: undefined,
      isPassing: false,
      needsAttention: true,
    })
  })

  test.each([
    ['needs_activation', 15],
    ['blocked', 60],
  ] as const)('%s needs staff and is not retried soon', (kind, minutes) => {
    expect(judge(kind)).toEqual({
      state: kind,
      retryAfterMs: minutes * MINUTE_MS,
      isPassing: false,
      needsAttention: true,
    })
  })

  test('a test submission is done once the service asks for confirmation, and is not repeated', () => {
    expect(judgeTest('needs_activation')).toMatchObject({ state: 'delivered', retryAfterMs: undefined })
    expect(judgeTest('blocked')).toMatchObject({ state: 'rejected', retryAfterMs: undefined, needsAttention: true })
    expect(judgeTest('unknown')).toMatchObject({ state: 'retrying', isPassing: true })
  })
})
