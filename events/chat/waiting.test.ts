import { expect, test } from 'vitest'
import { stillWaits } from './waiting.ts'

const WRITTEN = '2026-11-18T08:00:00.000Z'
const at = (minutes: number, seconds = 0) => new Date(Date.parse(WRITTEN) + (minutes * 60 + seconds) * 1_000)
const gone = { hasLeft: true, isReachable: false, lastWritten: WRITTEN }

test('a visitor who left without an address waits for half an hour after their last message', () => {
  expect([at(0), at(29, 59), at(30), at(600)].map((now) => stillWaits(gone, now))).toEqual([true, true, false, false])
})

test('a visitor who is here, or can be reached, waits however long it takes', () => {
  expect(stillWaits({ ...gone, hasLeft: false }, at(600))).toBe(true)
  expect(stillWaits({ ...gone, isReachable: true }, at(600))).toBe(true)
})
