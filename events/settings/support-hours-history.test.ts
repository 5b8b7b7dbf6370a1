import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../base/time.ts'
import { propertyOptions } from '../testing/fixtures/property-options.ts'
import {
  afterSupportTimeUnder,
  overdueBefore,
  type SupportHoursHistory,
  supportTimeUnder,
} from './support-hours-history.ts'
import { backAt, DEFAULT_SUPPORT_HOURS } from './support-time.ts'

const MONDAY = new Date('2026-11-16T00:00:00+02:00')

const minutesLater = (minutes: number) => new Date(MONDAY.getTime() + minutes * MINUTE_MS)

const hours = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    times: fc.uniqueArray(fc.integer({ min: 0, max: 24 * 60 }), { minLength: 2, maxLength: 2 }),
  })
  .map(({ days, times }) => ({ days, opensAtMinute: Math.min(...times), closesAtMinute: Math.max(...times) }))

const history = fc
  .array(fc.record({ validFrom: fc.integer({ min: 0, max: 12_000 }), hours }), { maxLength: 3 })
  .map((changes) =>
    changes
      .toSorted((a, b) => a.validFrom - b.validFrom)
      .map((change): SupportHoursHistory[number] => ({ ...change, validFrom: minutesLater(change.validFrom) })),
  )

const minute = fc.integer({ min: 0, max: 12_000 })

const hoursAt = (changes: SupportHoursHistory, at: Date) =>
  changes.findLast(({ validFrom }) => validFrom <= at)?.hours ?? DEFAULT_SUPPORT_HOURS

describe('support time under hours that change', () => {
  test('is the number of minutes open by the hours that were valid in that minute', () => {
    const counts = fc.property(history, minute, minute, (changes, from, to) => {
      let minutes = 0
      for (let at = from; at < to; at += 1) {
        if (!backAt(minutesLater(at), hoursAt(changes, minutesLater(at)))) minutes += 1
      }
      expect(supportTimeUnder(changes, minutesLater(from), minutesLater(to))).toBe(minutes * MINUTE_MS)
    })
    fc.assert(counts, propertyOptions(40))
  })

  test('has passed at the first instant with that much of it', () => {
    const isTheFirst = fc.property(history, minute, fc.integer({ min: 1, max: 2_000 }), (changes, at, wanted) => {
      const from = minutesLater(at)
      const passed = afterSupportTimeUnder(changes, from, wanted * MINUTE_MS)
      const before = new Date(passed.getTime() - 1)
      expect(supportTimeUnder(changes, from, passed)).toBe(wanted * MINUTE_MS)
      expect(supportTimeUnder(changes, from, before)).toBe(wanted * MINUTE_MS - 1)
    })
    fc.assert(isTheFirst, propertyOptions(60))
  })

  test('is overdue up to one millisecond, and not from the next on', () => {
    const isTheBoundary = fc.property(history, minute, (changes, at) => {
      const now = minutesLater(at)
      const last = overdueBefore(changes, { earliest: MONDAY, now })
      const isOverdue = (from: Date) => supportTimeUnder(changes, from, now) > 2 * HOUR_MS
      if (!last) expect(isOverdue(MONDAY)).toBe(false)
      else expect([isOverdue(last), isOverdue(new Date(last.getTime() + 1))]).toEqual([true, false])
    })
    fc.assert(isTheBoundary, propertyOptions(60))
  })
})
