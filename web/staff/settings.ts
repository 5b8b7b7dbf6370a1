import useSWR from 'swr'
import * as v from 'valibot'
import { cannedReply, type Settings } from '../../events/settings.ts'
import { request } from '../http.ts'

/** Where the settings are fetched. */
export const SETTINGS_KEY = '/api/settings'
const REFRESH_INTERVAL_MS = 30_000

/** The agency's settings as the API answers them. */
export const settings = v.object({
  version: v.number(),
  supportHours: v.object({ days: v.array(v.number()), opensAtMinute: v.number(), closesAtMinute: v.number() }),
  cannedReplies: v.array(cannedReply),
  inboxAddresses: v.array(v.string()),
})

/** The agency's settings, fetched again every 30 s: an owner may change them at any time. */
export const useSettings = () =>
  useSWR<Settings>(SETTINGS_KEY, async () => v.parse(settings, await (await request(SETTINGS_KEY)).json()), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
