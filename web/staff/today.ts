import { useEffect, useRef } from 'react'
import useSWR from 'swr'
import * as v from 'valibot'
import { type Today, today } from '../../events/wire/today.ts'
import { request } from '../http.ts'
import { SETTLE_MS, useAfterLeadChanges } from './leads/after-changes.ts'

const KEY = '/api/today'
/** Chats and emails are not in the stream of leads. */
const REFRESH_INTERVAL_MS = 5_000

/**
 * What staff have to do now: fetched again soon after a lead has changed, and every 5 s while the page is in sight. `refresh`
 * is for a change of one's own: it fetches at once, and again when the views have settled, as the stream of leads tells
 * nothing of those in quarantine.
 */
export const useToday = () => {
  const { data, error, mutate } = useSWR<Today, Error>(
    KEY,
    async () => v.parse(today, await (await request(KEY)).json()),
    { refreshInterval: REFRESH_INTERVAL_MS, revalidateIfStale: true },
  )
  const settled = useRef<ReturnType<typeof setTimeout>>(undefined)
  useAfterLeadChanges(() => mutate())
  useEffect(() => () => clearTimeout(settled.current), [])
  const refresh = () => {
    mutate()
    clearTimeout(settled.current)
    settled.current = setTimeout(() => mutate(), SETTLE_MS)
  }
  return { data, error, refresh }
}
