import * as v from 'valibot'

const span = { opensAtMinute: v.number(), closesAtMinute: v.number() }

const hoursOfDay = { ...span, second: v.exactOptional(v.object(span)) }

/** When somebody answers, as owners set it. */
export const supportHours = v.object({
  days: v.array(v.number()),
  ...hoursOfDay,
  byDay: v.exactOptional(v.array(v.object({ day: v.number(), ...hoursOfDay }))),
  closures: v.exactOptional(v.array(v.object({ from: v.string(), until: v.string(), word: v.string() }))),
})

/**
 * The answer of `GET /api/support-hours`: also whether the site can send emails to people beside the agency. Older nodes
 * answer without that, and so do those that are not told of the mail server.
 */
export const publicHours = v.object({ ...supportHours.entries, reachesPeople: v.exactOptional(v.boolean()) })
