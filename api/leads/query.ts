import * as v from 'valibot'
import type { Lead } from '../../events/lead.ts'
import type { LeadCursor } from '../../events/projections/lead-search.ts'
import { instant } from '../../events/text.ts'
import { wholeNumber } from '../whole-number.ts'

const MAX_PAGE_LEADS = 1_000
const MAX_OFFSET_LEADS = 10_000_000
const MAX_SEARCH_CHARACTERS = 10_240

/** Marks a lead as the last of a page, for the `cursor` of the next. */
export const cursorOf = ({ timestamp, id }: Pick<Lead, 'timestamp' | 'id'>) =>
  Buffer.from(`${timestamp} ${id}`).toString('base64url')

const parseCursor = (text: string): LeadCursor => {
  const [timestamp = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ')
  return { timestamp, id }
}

const cursor = v.pipe(
  v.string(),
  v.transform(parseCursor),
  v.object({
    timestamp: v.pipe(instant, v.string()),
    id: v.pipe(v.string(), v.uuid('Must be a cursor of a Link header')),
  }),
)

/** Which leads are wanted, as `GET /api/leads/summary` takes it. */
export const leadFilter = v.object({
  from: v.optional(v.pipe(instant, v.toDate())),
  to: v.optional(v.pipe(instant, v.toDate())),
  q: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(MAX_SEARCH_CHARACTERS, `Must be at most ${MAX_SEARCH_CHARACTERS} characters`),
      // what cannot be stored is found nowhere, and Postgres takes no U+0000
      v.transform((text) => text.toWellFormed().replaceAll('\0', '\u{FFFD}').trim()),
    ),
  ),
  quarantine: v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'Must be true or false'),
      v.transform((text) => text === 'true'),
    ),
    'false',
  ),
})

/** What `GET /api/leads` and its export may be asked for. `offset` passes over so many leads, after the cursor's. */
export const leadQuery = v.object({
  ...leadFilter.entries,
  sort: v.optional(v.picklist(['asc', 'desc'], 'Must be asc or desc'), 'desc'),
  cursor: v.optional(cursor),
  offset: v.optional(wholeNumber(0, MAX_OFFSET_LEADS), '0'),
  limit: v.optional(wholeNumber(1, MAX_PAGE_LEADS)),
})

export type LeadQuery = v.InferOutput<typeof leadQuery>
