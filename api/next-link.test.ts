import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { chatQuery } from './chat/chats-query.ts'
import { emailQuery } from './email/emails.ts'
import { cursorOf, leadQuery } from './leads/query.ts'
import { rowQuery } from './leads/row-page.ts'
import { historyQuery } from './staff/history.ts'
import { deliveryQuery } from './webhooks.ts'

const ID = '0b7a4f2e-93d1-4c58-8e6a-f1d2c3b4a596'
const LEAD_CURSOR = cursorOf({ timestamp: '2026-01-31T10:00:00.000Z', id: ID })
const base64 = (text: string) => Buffer.from(text).toString('base64url')

/** Cursors that are none of ours, of which Postgres would take some for a number, an instant or an id that it cannot read. */
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

describe.each([
  { list: 'leads', query: leadQuery, ours: LEAD_CURSOR },
  { list: 'chats', query: chatQuery, ours: LEAD_CURSOR },
  { list: 'rows of an import', query: rowQuery, ours: '7' },
  { list: 'the history of accounts', query: historyQuery, ours: '7' },
  { list: 'emails', query: emailQuery, ours: '7' },
  { list: 'deliveries to webhooks', query: deliveryQuery, ours: `7_${ID}` },
])('the cursor of $list', ({ query, ours }) => {
  test('is taken as we gave it', () => {
    expect(v.is(query, { cursor: ours })).toBe(true)
  })

  test.each(STRANGE)('is refused where it is %j', (cursor) => {
    expect(v.is(query, { cursor })).toBe(false)
  })
})
