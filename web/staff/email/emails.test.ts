import { describe, expect, it } from 'vitest'
import type { ListedEmail } from '../../../events/email/wire.ts'
import { countInWords, isAwaited } from './emails.ts'

const NOW = Date.parse('2026-11-18T10:00:00Z')

const due = (seconds: number, more: Partial<ListedEmail> = {}): ListedEmail => ({
  id: 'id',
  subject: 'A contract',
  person: null,
  recipient: 'agency',
  fields: [],
  isErased: false,
  about: {},
  state: 'pending',
  isStuck: false,
  isUnderWay: false,
  attempts: 0,
  tries: [],
  dueAt: new Date(NOW + seconds * 1_000).toISOString(),
  askedAt: '2026-11-18T09:00:00Z',
  createdAt: '2026-11-18T09:00:00Z',
  ...more,
})

describe('staff wait at the screen', () => {
  it.each([
    ['for an email that is due', due(0)],
    ['until a minute after it was due', due(-59)],
    ['from a few seconds before', due(4, { state: 'retrying' })],
    ['while one is being sent, though it is tried again later', due(30, { isUnderWay: true })],
  ])('%s', (_, email) => {
    expect(isAwaited(email, NOW)).toBe(true)
  })

  it.each([
    ['one that is due later', due(6)],
    ['one that was due more than a minute ago: the worker is down', due(-61)],
    ['one that has been under way for as long', due(-61, { isUnderWay: true })],
    ['one that was sent', due(0, { state: 'delivered' })],
  ])('not for %s', (_, email) => {
    expect(isAwaited(email, NOW)).toBe(false)
  })
})

it('shows a count exactly as long as it is counted exactly', () => {
  expect([0, 12, 999, 1_000, 2_000].map(countInWords)).toEqual(['0', '12', '999', '999+', '999+'])
})
