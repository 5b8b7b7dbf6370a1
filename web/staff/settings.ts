import useSWR, { useSWRConfig } from 'swr'
import * as v from 'valibot'
import { cannedReply, type Settings } from '../../events/settings.ts'
import { HttpError, request, sendJson } from '../http.ts'

const KEY = '/api/settings'
const REFRESH_INTERVAL_MS = 30_000

/** The parts that owners set, each for itself, as the API calls them. */
export type SettingsPart = 'support-hours' | 'canned-replies' | 'inbox-addresses'

const supportHours = v.object({ days: v.array(v.number()), opensAtMinute: v.number(), closesAtMinute: v.number() })

const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
)

const settings = v.object({
  version: v.number(),
  supportHours,
  supportHoursHistory: v.array(v.object({ validFrom: instant, hours: supportHours })),
  cannedReplies: v.array(cannedReply),
  inboxAddresses: v.array(v.string()),
})

const conflict = v.object({ settings, by: v.nullable(v.string()) })

/** What stands in the way of a change: the settings as somebody else has saved them meanwhile. */
export type Conflict = v.InferOutput<typeof conflict>

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

/** Reads from a failed save who was faster, and what he saved. */
export const conflictOf = (error: unknown): Conflict | undefined => {
  if (!(error instanceof HttpError) || error.status !== 409) return undefined
  const result = v.safeParse(conflict, error.problem)
  return result.success ? result.output : undefined
}
