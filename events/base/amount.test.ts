import { expect, test } from 'vitest'
import { inNumbers, inRand, inShortRand, readNumber, readRand, writeRand } from './amount.ts'

test('formats amounts of any size in the same way', () => {
  expect([0, 999, 1_499, 1_499.5, 1_234_567].map(inRand)).toEqual(['R0', 'R999', 'R1,499', 'R1,499.50', 'R1,234,567'])
  expect([0, 950, 16_500, 2_000_000].map(inShortRand)).toEqual(['0', 'R950', 'R16.5K', 'R2M'])
  expect(inNumbers(100_000)).toBe('100,000')
})

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

test.each(['', 'R', '%', 'R5%', 'about 12', '-5', '1 25 000', '12.500', '1,25,000', '1e5', '0x10', '12 500 R'])(
  'takes %j for no amount',
  (text) => {
    expect(readRand(text)).toBeUndefined()
  },
)

test('reads a formatted amount back', () => {
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

test.each([
  ['1 999,50', 1_999.5],
  ['12,5 %', 12.5],
  ['50%', 50],
  ['1,999', 1_999],
  ['0.125', 0.125],
  ['1.999', undefined],
  ['0,1255', 0.1255],
  ['fifty', undefined],
])('the number %j is read as %s', (text, number) => {
  expect(readNumber(text)).toBe(number)
})
