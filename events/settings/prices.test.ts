import { expect, test } from 'vitest'
import { inRand } from '../base/amount.ts'
import { firstYearOf, PACKAGE_IDS } from './prices.ts'

test('the first year of each package is its setup price and twelve months', () => {
  expect(PACKAGE_IDS.map((id) => inRand(firstYearOf(id)))).toEqual(['R999', 'R5,087', 'R7,487'])
})
