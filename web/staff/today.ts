import useSWR from 'swr'
import { type Today, today } from '../../events/wire/today.ts'
import { loader } from '../load.ts'
import { useAfterLeadChanges } from './leads/after-changes.ts'

const KEY = '/api/today'
/** Chats and emails are not in the stream of leads. */
const REFRESH_INTERVAL_MS = 5_000

/**
 * What staff have to do now: fetched again soon after a lead has changed, in quarantine too, and every 5 s while the page is
 * in sight.
 */
export const useToday = () => {
  const { data, error, mutate } = useSWR<Today, Error>(KEY, loader(today), {
    refreshInterval: REFRESH_INTERVAL_MS,
    revalidateIfStale: true,
  })
  useAfterLeadChanges(() => mutate(), { hasQuarantine: true })
  return { data, error, refresh: () => mutate() }
}
