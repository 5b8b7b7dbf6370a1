import * as v from 'valibot'
import { wholeNumber } from '../../http/whole-number.ts'
import { leadQuery } from '../../leads/query.ts'

/** Postgres' integer. */
const MAX_SEQUENCE = 2 ** 31 - 1

const { q, cursor, limit } = leadQuery.entries

/** What `GET /api/chats` may be asked for; without a `state`, chats that go on and those that have ended. */
export const chatQuery = v.object({
  q,
  cursor,
  limit,
  state: v.optional(v.picklist(['active', 'ended'], 'Must be active or ended')),
  assigned: v.optional(v.picklist(['me', 'none'], 'Must be me or none')),
})

/** What `GET /api/chats/:id` may be asked for: with `before`, the messages of lower sequence numbers than this. */
export const recordQuery = v.object({ before: v.optional(wholeNumber(1, MAX_SEQUENCE)) })
