import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../routes.ts'
import { cursorOf } from './next-link.ts'

const ID = '0b7a4f2e-93d1-4c58-8e6a-f1d2c3b4a596'
const LEAD_CURSOR = cursorOf({ timestamp: '2026-01-31T10:00:00.000Z', id: ID })
const base64 = (text: string) => Buffer.from(text).toString('base64url')

/** Foreign cursors. Postgres would take some of them for a number, an instant or an id that it cannot read. */
const STRANGE = [
  '-1',
  '1.5',
  'x',
  '\0',
  '9'.repeat(16),
  `1_${'-'.repeat(36)}`,
  `1_${'a'.repeat(36)}`,
  `1_${ID}_`,
  `_${ID}`,
  `${'9'.repeat(16)}_${ID}`,
  base64(`2026-02-30T10:00:00.000Z ${ID}`),
  base64(`0000-01-01T10:00:00.000Z ${ID}`),
  base64(`2026-01-31T10:00:00.000Z ${'-'.repeat(36)}`),
]

/** Cursors that are not just the number of a row. */
const OURS: Record<string, string> = {
  '/api/leads': LEAD_CURSOR,
  '/api/chats': LEAD_CURSOR,
  '/api/contracts': LEAD_CURSOR,
  '/api/webhook-deliveries': `7_${ID}`,
}

describe.each(ROUTES.filter(({ isPaged }) => isPaged))('the cursor of $path', ({ path, query = v.object({}) }) => {
  test('is accepted unchanged', () => {
    expect(v.is(query, { cursor: OURS[path] ?? '7' })).toBe(true)
  })

  test.each(STRANGE)('is refused if it is %j', (cursor) => {
    expect(v.is(query, { cursor })).toBe(false)
  })
})
