import useSWR from 'swr'
import { stalledConsumers } from '../../events/wire/stalled-consumers.ts'
import { loader } from '../load.ts'

const KEY = '/api/standstill'
const REFRESH_INTERVAL_MS = 10_000

/** Whether a reader of the log is behind, and since when; looked at every 10 s in a tab that is in sight. */
export const useStalledConsumer = (consumer: string) => {
  const { data } = useSWR(KEY, loader(stalledConsumers), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
  return data?.find((stalled) => stalled.consumer === consumer)
}
