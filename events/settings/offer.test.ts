import * as v from 'valibot'
import { expect, test } from 'vitest'
import { DEFAULT_OFFER, offerAt, offerForm, percentOff } from './offer.ts'

test("an offer is valid until its last day is over in the agency's time zone", () => {
  expect(offerAt(DEFAULT_OFFER, new Date('2025-09-30T21:59:59.999Z'))).toBe(DEFAULT_OFFER)
  expect(offerAt(DEFAULT_OFFER, new Date('2025-09-30T22:00:00Z'))).toBeNull()
  expect(offerAt(null, new Date('2025-09-30T00:00:00Z'))).toBeNull()
})

test.each([
  [{ text: ' ' }, 'A text is required'],
  [{ lastDay: '30/09/2025' }, 'Choose a day'],
  [{ packages: [] }, 'Choose at least one package'],
  [{ packages: [{ id: 'premium', usualPrice: 0 }] }, 'Write a price in rand'],
  [{ packages: [DEFAULT_OFFER.packages[0], DEFAULT_OFFER.packages[0]] }, 'Name each package once'],
])('an offer with %j is refused', (wrong, message) => {
  const { percentage: _, ...sent } = DEFAULT_OFFER
  const { issues } = v.safeParse(offerForm, { offer: { ...sent, ...wrong } })
  expect(issues?.map((issue) => issue.message)).toContain(message)
})

test('there may be no offer at all', () => {
  expect(v.parse(offerForm, { offer: null })).toEqual({ offer: null })
})

test('the discount follows from both prices, and there is none without a lower price; nothing is said to be free', () => {
  expect(percentOff(4_999, 1_499)).toBe(70)
  expect(percentOff(2_998, 1_499)).toBe(50)
  expect(percentOff(1_000, 1)).toBe(99)
  expect(percentOff(1_500, 1_499)).toBeUndefined()
  expect(percentOff(1_000, 1_499)).toBeUndefined()
})
