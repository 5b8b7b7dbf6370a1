import * as v from 'valibot'
import { leadQuery } from '../leads/query.ts'

const { q, cursor, limit } = leadQuery.entries

/** What `GET /api/chats` may be asked for; without a `state`, chats that go on and those that have ended. */
export const chatQuery = v.object({
  q,
  cursor,
  limit,
  state: v.optional(v.picklist(['active', 'ended'], 'Must be active or ended')),
})
