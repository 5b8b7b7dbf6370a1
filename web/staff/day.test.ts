import { expect, test } from 'vitest'
import { briefMomentOf, shortMomentOf } from './day.ts'

test.each([
  ['2026-11-18T12:05:00Z', '14:05'],
  ['2026-11-17T22:00:00Z', '00:00'],
  ['2026-11-17T21:59:00Z', '17 November 2026, 23:59'],
])('%s, read on 18 November, is %s', (instant, words) => {
  expect(shortMomentOf(instant, new Date('2026-11-18T13:00:00Z'))).toBe(words)
})

test.each([
  ['2026-11-18T12:05:00Z', '14:05'],
  ['2026-11-17T21:59:00Z', 'Tue 23:59'],
  ['2026-11-11T22:00:00Z', 'Thu 00:00'],
  ['2026-11-11T21:59:00Z', '11 Nov 2026'],
])('%s, read in a row on 18 November, is %s', (instant, words) => {
  expect(briefMomentOf(instant, new Date('2026-11-18T13:00:00Z'))).toBe(words)
})
