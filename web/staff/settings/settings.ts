import { mutate } from 'swr'
import type { Part } from '../../../events/settings/settings.ts'
import { type Weekday, weekdayOfStart } from '../../../events/settings/week-start.ts'
import { type Settings, settings, settingsConflict } from '../../../events/settings/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { conflictIn } from '../requests/refusal.ts'
import { useGet } from '../requests/use-get.ts'

const KEY = '/api/settings'

/** A part that owners set by itself, by its name in the API. */
export type SettingsPart = Part['name']

/** The agency's settings. They are polled: an owner may change them at any time. */
export const useSettings = () => useGet(KEY, settings, { poll: 'lists' })

/**
 * The weekday on which weeks begin, from 0, a Sunday: the same for all staff, so that a shared link shows the same.
 * Undefined until the settings are loaded.
 */
export const useWeekStart = (): Weekday | undefined => {
  const { data } = useSettings()
  return data && weekdayOfStart(data.weekStart)
}

/** Saves a part on top of a version, and returns the resulting settings; useSettings has them too. */
export const saveSettings = async (part: SettingsPart, form: object, version: number): Promise<Settings> => {
  const saved = await send('PUT', `${KEY}/${part}`, form, { 'if-match': `"${version}"` }).then(read(settings))
  await mutate(KEY, saved, { revalidate: false })
  return saved
}

/** Reads the conflicting save, and its author, from the error of a save. */
export const conflictOf = (error: unknown) => conflictIn(error, settingsConflict)
