import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyOptions } from '../testing/fixtures/property-options.ts'
import { advanceReceipt, NO_RECEIPTS, type Receipt } from './activity.ts'

const report = fc.record({ delivered: fc.nat(30), seen: fc.nat(30) })

test('for any report, a receipt never decreases, never exceeds the last message, and seen messages are delivered', () => {
  const holds = fc.property(fc.array(fc.tuple(report, fc.nat(3)), { maxLength: 40 }), (steps) => {
    let standing: Receipt = NO_RECEIPTS.visitor
    let written = 0
    for (const [reported, more] of steps) {
      written += more
      const next = advanceReceipt(standing, reported, written)
      if (next) {
        expect(next.delivered + next.seen).toBeGreaterThan(standing.delivered + standing.seen)
        expect(next.seen).toBeGreaterThanOrEqual(standing.seen)
        expect(next.delivered).toBeGreaterThanOrEqual(Math.max(standing.delivered, next.seen))
        expect(next.delivered).toBeLessThanOrEqual(written)
        standing = next
      }
      expect(advanceReceipt(standing, reported, written)).toBeUndefined()
      expect(standing.seen).toBeGreaterThanOrEqual(Math.min(reported.seen, written))
      expect(standing.delivered).toBeGreaterThanOrEqual(Math.min(reported.delivered, written))
    }
  })
  fc.assert(holds, propertyOptions(300))
})

test('a log older than the known state changes nothing', () => {
  expect(advanceReceipt({ delivered: 5, seen: 4 }, { delivered: 9, seen: 9 }, 3)).toBeUndefined()
})
