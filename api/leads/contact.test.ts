import { expect, test } from 'vitest'
import { momentBefore } from './contact.ts'

test.each([
  ['what has just been', undefined, undefined],
  ['ten minutes ago', 600, '2026-01-15T09:50:00.000Z'],
  ['before the lead came', 7_200, '2026-01-15T09:00:00.000Z'],
])('%s is dated by the server’s clock, and never before the lead', (_, secondsAgo, at) => {
  const now = Date.parse('2026-01-15T10:00:00.000Z')
  expect(momentBefore(secondsAgo, { timestamp: '2026-01-15T09:00:00.000Z' }, now)).toBe(at)
})
