import useSWR from 'swr'
import { type Overview, overview } from '../../events/wire/overview.ts'
import { loader } from '../load.ts'
import type { Day } from './leads/day.ts'

const REFRESH_INTERVAL_MS = 60_000

/**
 * The agency's figures of a number of days up to `asOf`, undefined for today, which is fetched again every minute. While
 * another range loads, the last one stays.
 */
export const useOverview = ({ days, asOf }: { days: number; asOf: Day | undefined }) => {
  const key = `/api/overview?days=${days}${asOf ? `&asOf=${asOf}` : ''}`
  return useSWR<Overview>(key, loader(overview), {
    keepPreviousData: true,
    revalidateIfStale: true,
    refreshInterval: asOf ? 0 : REFRESH_INTERVAL_MS,
  })
}
