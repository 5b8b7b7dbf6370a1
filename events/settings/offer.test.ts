import * as v from 'valibot'
import { expect, test } from 'vitest'
import { DEFAULT_OFFER, offerAt, offerForm } from './offer.ts'

test("an offer is valid until its last day is over in the agency's time zone", () => {
  expect(offerAt(DEFAULT_OFFER, new Date('2025-09-30T21:59:59.999Z'))).toBe(DEFAULT_OFFER)
  expect(offerAt(DEFAULT_OFFER, new Date('2025-09-30T22:00:00Z'))).toBeNull()
  expect(offerAt(null, new Date('2025-09-30T00:00:00Z'))).toBeNull()
})

test.each([
  [{ text: ' ' }, 'A text is required'],
  [{ percentage: 0 }, 'At least 1%'],
  [{ percentage: 100 }, 'At most 95%'],
  [{ percentage: 12.5 }, 'Write a whole number'],
  [{ lastDay: '30/09/2025' }, 'Choose a day'],
  [{ packages: [] }, 'Choose at least one package'],
  [{ packages: [{ id: 'premium', usualPrice: 0 }] }, 'Write a price in rand'],
  [{ packages: [DEFAULT_OFFER.packages[0], DEFAULT_OFFER.packages[0]] }, 'Name each package once'],
])('an offer with %j is refused', (wrong, message) => {
  const { issues } = v.safeParse(offerForm, { offer: { ...DEFAULT_OFFER, ...wrong } })
  expect(issues?.map((issue) => issue.message)).toContain(message)
})

test('there may be no offer at all', () => {
  expect(v.parse(offerForm, { offer: null })).toEqual({ offer: null })
})
