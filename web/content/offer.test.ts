import { expect, test } from 'vitest'
import { OFFER, offerRuns } from './offer.ts'

test('the offer runs to the end of its last day in South Africa, and no longer', () => {
  expect(OFFER.ends).toContain('30 September 2025')
  expect(offerRuns(Date.parse('2025-09-30T21:59:59Z'))).toBe(true)
  expect(offerRuns(Date.parse('2025-09-30T22:00:00Z'))).toBe(false)
})
