import { expect, test } from 'vitest'
import { inRand } from '../base/amount.ts'
import { DEFAULT_PRICES, firstYearOf } from './prices.ts'

test('the first year of each package is its setup price and twelve months', () => {
  expect(Object.values(DEFAULT_PRICES).map((price) => inRand(firstYearOf(price)))).toEqual(['R999', 'R5,087', 'R7,487'])
})
