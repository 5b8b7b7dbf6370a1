import * as v from 'valibot'
import { timeCursor } from '../../http/next-link.ts'
import { searchTerm } from '../../http/search-term.ts'
import { wholeNumber } from '../../http/whole-number.ts'

/** The maximum of an integer in Postgres. */
const MAX_SEQUENCE = 2 ** 31 - 1

const MAX_PAGE_CHATS = 1_000

/** The query of `GET /api/chats`; without a `state`, open and ended chats. */
export const chatQuery = v.object({
  q: v.optional(searchTerm),
  cursor: v.optional(timeCursor),
  limit: v.optional(wholeNumber(1, MAX_PAGE_CHATS)),
  state: v.optional(v.picklist(['active', 'ended'], 'Must be active or ended')),
  assigned: v.optional(v.picklist(['me', 'none'], 'Must be me or none')),
})

/** The query of `GET /api/chats/:id`; `before` selects the messages with lower sequence numbers. */
export const recordQuery = v.object({ before: v.optional(wholeNumber(1, MAX_SEQUENCE)) })
