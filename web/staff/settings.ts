import useSWR, { useSWRConfig } from 'swr'
import * as v from 'valibot'
import { type Settings, type SettingsConflict, settings, settingsConflict } from '../../events/wire/settings.ts'
import { HttpError, request, sendJson } from '../http.ts'

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

/** The agency's settings, fetched again every 30 s: an owner may change them at any time. */
export const useSettings = () =>
  useSWR<Settings>(KEY, async () => v.parse(settings, await (await request(KEY)).json()), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })

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
