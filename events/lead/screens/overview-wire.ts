import * as v from 'valibot'
import { oneOf, type Received } from '../../base/word.ts'
import { CHAT_SCORES } from '../../chat/rating.ts'
import { LEAD_PACKAGES, LEAD_SOURCES } from '../form/kind.ts'
import { REPLY_TIMES } from './overview.ts'

const sums = { leads: v.number(), won: v.number() }
const source = oneOf(LEAD_SOURCES)

/**
 * The response of `GET /api/overview`: the leads of a range, as recorded at the end of the day `asOf`. `from` is the
 * first day. `daily` and the periods of `won` contain only days that are not empty. `sources`, `packages` and `replies`
 * are about the leads submitted in the range; `won` about those won in it, by the day of conversion, in rand. `overdue`
 * is how many of the waiting leads have waited longer than promised. `chatRatings` were given in the range. `recurring`
 * are the monthly fees that ran at the end of each month of the range, in rand; the last is `asOf`.
 */
export const overview = v.object({
  asOf: v.string(),
  from: v.string(),
  leads: v.number(),
  daily: v.array(v.object({ day: v.string(), source, leads: v.number() })),
  sources: v.array(v.object({ source, ...sums })),
  packages: v.array(v.object({ package: oneOf(LEAD_PACKAGES), ...sums })),
  replies: v.array(v.object({ time: oneOf(REPLY_TIMES), leads: v.number() })),
  overdue: v.number(),
  chatRatings: v.array(v.object({ score: oneOf(CHAT_SCORES), ratings: v.number() })),
  won: v.object({
    leads: v.number(),
    value: v.number(),
    daily: v.array(v.object({ day: v.string(), leads: v.number(), value: v.number() })),
  }),
  recurring: v.array(v.object({ day: v.string(), monthly: v.number() })),
})

export type Overview = Received<typeof overview>
