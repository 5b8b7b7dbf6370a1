import * as v from 'valibot'
import type { Received } from '../base/word.ts'
import { PARTS_WIRE } from './parts.ts'

const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
)

/** The response of `GET /api/settings`: the agency's settings. `version` is that of the settings' stream. */
export const settings = v.object({
  version: v.number(),
  ...PARTS_WIRE,
  supportHoursHistory: v.array(v.object({ validFrom: instant, hours: PARTS_WIRE.supportHours })),
})

export type Settings = Received<typeof settings>

/** The refusal of a change because another one was faster: the settings as that one saved them. */
export const settingsConflict = v.object({ settings, by: v.nullable(v.string()) })

export type SettingsConflict = Received<typeof settingsConflict>
