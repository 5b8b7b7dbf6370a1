import { expect, test } from 'vitest'
import { redisPrefix } from './prefix.ts'

test("names in Redis begin with the log's epoch, in braces for Cluster", () => {
  expect(redisPrefix('0b8d9f64-3a55-4b0c-8d0b-5d8e1c2a9f33')).toBe('{agency-0b8d9f64}:')
})
