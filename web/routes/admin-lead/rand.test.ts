import { expect, it, test } from 'vitest'
import { readRand, writeRand } from './rand.ts'

test.each([
  ['12 500,50', 12_500.5],
  ['12 500.50', 12_500.5],
  ['12500,5', 12_500.5],
  ['R12\u00a0500,50', 12_500.5],
  ['r 1\u202f250\u202f000', 1_250_000],
  [' 12500 ', 12_500],
  ['12500,', 12_500],
  ['0', 0],
  ['0,99', 0.99],
  ['14999.999', 15_000],
  ['12 500,506', 12_500.51],
  ['12,500', 12_500],
  ['R12,500.50', 12_500.5],
  ['12,50', 12.5],
])('reads %j as %d', (text, rand) => {
  expect(readRand(text)).toBe(rand)
})

test.each(['', 'R', 'about 12', '-5', '1 25 000', '12.500', '1,25,000', '1e5', '0x10', '12 500 R'])(
  'takes %j for no amount',
  (text) => {
    expect(readRand(text)).toBeUndefined()
  },
)

it('writes what it reads', () => {
  expect([0, 999, 1_000, 12_500.5, 1_250_000.05, 1_000_000_000].map(writeRand)).toEqual([
    '0',
    '999',
    '1,000',
    '12,500.50',
    '1,250,000.05',
    '1,000,000,000',
  ])
  for (const rand of [0, 12.34, 999, 12_500.5, 1_000_000_000]) expect(readRand(writeRand(rand))).toBe(rand)
})
