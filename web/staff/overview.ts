import useSWR from 'swr'
import * as v from 'valibot'
import { LEAD_PACKAGES, LEAD_SOURCES } from '../../events/lead-kind.ts'
import { type Overview, REPLY_TIMES } from '../../events/overview.ts'
import { request } from '../http.ts'
import type { Day } from './leads/day.ts'

const REFRESH_INTERVAL_MS = 60_000

const sums = { leads: v.number(), won: v.number() }
const source = v.picklist(LEAD_SOURCES)

const overview = v.object({
  asOf: v.string(),
  from: v.string(),
  leads: v.number(),
  daily: v.array(v.object({ day: v.string(), source, leads: v.number() })),
  sources: v.array(v.object({ source, ...sums })),
  packages: v.array(v.object({ package: v.picklist(LEAD_PACKAGES), ...sums })),
  replies: v.array(v.object({ time: v.picklist(REPLY_TIMES), leads: v.number() })),
  overdue: v.number(),
  won: v.object({
    leads: v.number(),
    value: v.number(),
    daily: v.array(v.object({ day: v.string(), leads: v.number(), value: v.number() })),
  }),
})

/**
 * The agency's figures of so many days up to `asOf`, undefined for today, which is fetched again every minute. While
 * another range loads, the last one stays.
 */
export const useOverview = ({ days, asOf }: { days: number; asOf: Day | undefined }) => {
  const key = `/api/overview?days=${days}${asOf ? `&asOf=${asOf}` : ''}`
  return useSWR<Overview>(key, async () => v.parse(overview, await (await request(key)).json()), {
    keepPreviousData: true,
    revalidateIfStale: true,
    refreshInterval: asOf ? 0 : REFRESH_INTERVAL_MS,
  })
}
