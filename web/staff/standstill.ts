import useSWR from 'swr'
import * as v from 'valibot'
import { standstills } from '../../events/wire/standstill.ts'
import { request } from '../http.ts'

const KEY = '/api/standstill'
const REFRESH_INTERVAL_MS = 10_000

/** Whether a reader of the log is behind, and since when; looked at every 10 s in a tab that is in sight. */
export const useStandstill = (consumer: string) => {
  const { data } = useSWR(KEY, async () => v.parse(standstills, await (await request(KEY)).json()), {
    refreshInterval: REFRESH_INTERVAL_MS,
  })
  return data?.find((standstill) => standstill.consumer === consumer)
}
