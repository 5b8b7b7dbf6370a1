import * as v from 'valibot'
import type { Received } from './word.ts'

/** The answer of `GET /api/support-hours`. */
export const supportHours = v.object({
  days: v.array(v.number()),
  opensAtMinute: v.number(),
  closesAtMinute: v.number(),
})

const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
)

/** The answer of `GET /api/settings`: what the agency has set for itself. `version` is that of the settings' stream. */
export const settings = v.object({
  version: v.number(),
  supportHours,
  supportHoursHistory: v.array(v.object({ validFrom: instant, hours: supportHours })),
  cannedReplies: v.array(v.object({ shortcut: v.string(), text: v.string() })),
  inboxAddresses: v.array(v.string()),
})

export type Settings = Received<typeof settings>

/** The refusal of a change that somebody else was faster with: the settings as they have saved them. */
export const settingsConflict = v.object({ settings, by: v.nullable(v.string()) })

export type SettingsConflict = Received<typeof settingsConflict>
