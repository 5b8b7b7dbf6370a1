import { expect, test } from 'vitest'
import { PACKAGES } from './packages.ts'
import { firstYearOf, inRand } from './price.ts'

test('the first year of each package is its setup and twelve months', () => {
  expect(PACKAGES.map((offer) => inRand(firstYearOf(offer)))).toEqual(['R999', 'R5,087', 'R7,487'])
})

test('a price is written in one way, whatever its size', () => {
  expect([inRand(0), inRand(999), inRand(1_499), inRand(1_234_567)]).toEqual(['R0', 'R999', 'R1,499', 'R1,234,567'])
})
