import { expect, test } from 'vitest'
import { readSoakOptions } from './options.ts'

test('options have defaults', () => {
  const usual = { seed: 1, minutes: 10, messages: 200, leads: 20, every: 5, pace: 1, patience: 240, kills: 100 }
  expect(readSoakOptions([])).toEqual(usual)
  expect(readSoakOptions(['--seed', '7', '--minutes', '0.5'])).toEqual({ ...usual, seed: 7, minutes: 0.5 })
})

test('an unknown or unusable option is refused with the usage', () => {
  for (const args of [
    ['--sed', '1'],
    ['--minutes', 'ten'],
    ['--seed', '-1'],
    ['--seed', '1.5'],
    ['--leads', ''],
    ['7'],
  ]) {
    expect(() => readSoakOptions(args)).toThrow('Usage: npm run soak')
  }
})
