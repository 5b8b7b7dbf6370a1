import { globSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR_MS } from '../../events/base/time.ts'
import { learnServerTime, serverClock, serverNow } from './server-time.ts'

const NOW = Date.parse('2026-11-18T10:00:00.000Z')

const answer = (at: number, more: Record<string, string> = {}) =>
  new Response(null, { headers: { date: new Date(at).toUTCString(), ...more } })

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  serverClock.set({ aheadMs: 0 })
  return () => void vi.useRealTimers()
})

describe('the server’s time', () => {
  it('is that of the device until the first response', () => {
    expect(serverNow().getTime()).toBe(NOW)
    learnServerTime(new Response(), NOW)
    expect(serverNow().getTime()).toBe(NOW)
  })

  it.each([-3, 3])('is learned where the device is off by %i h, to the second', (hours) => {
    const server = NOW - hours * HOUR_MS
    learnServerTime(answer(server), NOW - 200)
    expect(Math.abs(serverNow().getTime() - server)).toBeLessThanOrEqual(1_000)
    vi.advanceTimersByTime(HOUR_MS)
    expect(Math.abs(serverNow().getTime() - server - HOUR_MS)).toBeLessThanOrEqual(1_000)
  })

  it('stays the same as long as it can be true', () => {
    learnServerTime(answer(NOW + 700), NOW)
    learnServerTime(answer(NOW - 2_000), NOW - 2_500)
    expect(serverNow().getTime()).toBe(NOW)
  })

  it('follows a device whose clock is corrected', () => {
    learnServerTime(answer(NOW + HOUR_MS), NOW)
    vi.setSystemTime(NOW + HOUR_MS)
    learnServerTime(answer(NOW + HOUR_MS), NOW + HOUR_MS)
    expect(Math.abs(serverNow().getTime() - NOW - HOUR_MS)).toBeLessThanOrEqual(1_000)
  })

  it('is not learned from a response that a browser may have cached', () => {
    learnServerTime(answer(NOW - HOUR_MS, { 'cache-control': 'public, max-age=300' }), NOW)
    expect(serverNow().getTime()).toBe(NOW)
  })
})

/** The uses of the device's own clock: to measure how long something takes, or how old a page's own notes are. */
const DEVICE_CLOCK = [
  'web/analytics/tag.ts',
  'web/chat/messaging/connection.ts',
  'web/chat/messaging/typing.ts',
  'web/client/http.ts',
  'web/client/server-time.ts',
  'web/staff/drafts/drafts.tsx',
  'web/staff/forms/day-picker.tsx',
]

it('all pages use the server’s clock', () => {
  const pages = globSync('web/**/*.{ts,tsx}', {
    exclude: ['web/dist/**', 'web/testing/**', '**/test-*', '**/*.{test,bench}.*'],
  })
  const reading = pages.filter((file) => /Date\.now\(\)|new Date\(\)/.test(readFileSync(file, 'utf8')))
  expect(reading.toSorted()).toEqual(DEVICE_CLOCK)
})
