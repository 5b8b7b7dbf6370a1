import * as v from 'valibot'
import { oneOf, type Received } from '../../base/word.ts'
import { LEAD_STATES } from '../follow-up/follow-up.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/**
 * The response of `GET /api/palette?q=`: the matching leads and chats, the newest of each first, and how many of the
 * newest flagged leads, which are in quarantine, match.
 */
export const palette = v.object({
  leads: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      businessName: v.nullable(v.string()),
      company: v.nullable(v.string()),
      leadSource: v.string(),
      followUpStatus: oneOf(LEAD_STATES),
      timestamp: instant,
    }),
  ),
  flagged: v.number(),
  chats: v.array(
    v.object({ sessionId: v.string(), visitorName: v.string(), isActive: v.boolean(), startTime: instant }),
  ),
})

export type Palette = Received<typeof palette>
