import { expect, test } from 'vitest'
import { openTestKeys, TEST_KEYS } from '../../testing/keys.ts'
import { shareOf } from './requested-deliveries.ts'

const { ring } = TEST_KEYS
const ADDRESSES = Array.from({ length: 200 }, (_, index) => `ana@shop-${index}.example`)

test('addresses of one domain are in one group, however they are written', () => {
  const group = shareOf(ring, 'ana@shop.example')
  expect(['ben@shop.example', '"a@b"@Shop.Example', ' ana@SHOP.example '].map((to) => shareOf(ring, to))).toEqual([
    group,
    group,
    group,
  ])
})

test('domains fall into 1,024 groups, which depend on DATA_KEY', () => {
  const groups = ADDRESSES.map((to) => shareOf(ring, to))
  expect(Math.min(...groups)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...groups)).toBeLessThan(1_024)
  expect(new Set(groups).size).toBeGreaterThan(150)
  const other = openTestKeys(Buffer.alloc(32, 'another key').toString('base64')).ring
  expect(ADDRESSES.map((to) => shareOf(other, to))).not.toEqual(groups)
})
