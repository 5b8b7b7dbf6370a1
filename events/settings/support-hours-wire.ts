import * as v from 'valibot'

const span = { opensAtMinute: v.number(), closesAtMinute: v.number() }

const hoursOfDay = { ...span, second: v.exactOptional(v.object(span)) }

/** The hours in which the agency replies, as owners set them. */
export const supportHours = v.object({
  days: v.array(v.number()),
  ...hoursOfDay,
  byDay: v.exactOptional(v.array(v.object({ day: v.number(), ...hoursOfDay }))),
  closures: v.exactOptional(v.array(v.object({ from: v.string(), until: v.string(), word: v.string() }))),
})

/**
 * The response of `GET /api/support-hours`: the hours, and whether the site can send emails to people outside the
 * agency. Nodes without the setting of a mail server leave `reachesPeople` out.
 */
export const publicHours = v.object({ ...supportHours.entries, reachesPeople: v.exactOptional(v.boolean()) })
