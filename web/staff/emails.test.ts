import { describe, expect, it } from 'vitest'
import type { ListedEmail } from '../../events/wire/email.ts'
import { countInWords, watchedUntil } from './emails.ts'

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

describe('the screen is watched', () => {
  it.each([
    ['for a minute after an email was due', [due(0)], 60],
    ['for the last of several', [due(-50), due(4), due(-20)], 64],
    ['while one is being sent, though it is tried again later', [due(30, { isUnderWay: true })], 90],
  ])('%s', (_, emails, seconds) => {
    expect(watchedUntil(emails, NOW)).toBe(NOW + seconds * 1_000)
  })

  it.each([
    ['no email', []],
    ['one that is due later', [due(6)]],
    ['one that was due more than a minute ago: the worker is down', [due(-61), due(-61, { isUnderWay: true })]],
    ['one that went out', [due(0, { state: 'delivered' })]],
  ])('not for %s', (_, emails) => {
    expect(watchedUntil(emails, NOW)).toBe(0)
  })
})

it('shows a count exactly as long as it is counted exactly', () => {
  expect([0, 12, 999, 1_000, 2_000].map(countInWords)).toEqual(['0', '12', '999', '999+', '999+'])
})
