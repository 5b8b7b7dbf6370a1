import useSWR, { useSWRConfig } from 'swr'
import * as v from 'valibot'
import { type Weekday, weekdayOfStart } from '../../events/week-start.ts'
import { type Settings, type SettingsConflict, settings, settingsConflict } from '../../events/wire/settings.ts'
import { HttpError, sendJson } from '../http.ts'
import { loader } from '../load.ts'

const KEY = '/api/settings'
const REFRESH_INTERVAL_MS = 30_000

/** The parts that owners set, each for itself, as the API calls them. */
export type SettingsPart =
  | 'support-hours'
  | 'canned-replies'
  | 'inbox-addresses'
  | 'offer'
  | 'showcase'
  | 'package-texts'
  | 'answer-templates'
  | 'quote-choices'
  | 'chat-greetings'
  | 'company'
  | 'week-start'

/** The agency's settings, fetched again every 30 s: an owner may change them at any time. */
export const useSettings = () =>
  useSWR<Settings>(KEY, loader(settings), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })

/**
 * The weekday on which weeks begin, from 0, a Sunday: the same for everybody, so that a shared link shows the same.
 * Undefined until the settings have come.
 */
export const useWeekStart = (): Weekday | undefined => {
  const { data } = useSettings()
  return data && weekdayOfStart(data.weekStart)
}

/** Saves a part, on top of a version, and answers the settings as they then stand, here and for useSettings. */
export const useSaveSettings = () => {
  const { mutate } = useSWRConfig()
  return async (part: SettingsPart, form: object, version: number): Promise<Settings> => {
    const response = await sendJson('PUT', `${KEY}/${part}`, form, { 'if-match': `"${version}"` })
    const saved = v.parse(settings, await response.json())
    await mutate(KEY, saved, { revalidate: false })
    return saved
  }
}

/** Reads from a failed save who was faster, and what they saved. */
export const conflictOf = (error: unknown): SettingsConflict | undefined => {
  if (!(error instanceof HttpError) || error.status !== 409) return undefined
  const result = v.safeParse(settingsConflict, error.problem)
  return result.success ? result.output : undefined
}
