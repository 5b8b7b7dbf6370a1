import { overview } from '../../../events/lead/overview-wire.ts'
import type { Day } from '../../staff/day.ts'
import { useGet } from '../../staff/use-get.ts'

/**
 * The agency's figures of a number of days up to `asOf`; undefined is today, whose figures are polled. While another
 * range loads, the last one stays.
 */
export const useOverview = ({ days, asOf }: { days: number; asOf: Day | undefined }) =>
  useGet(`/api/overview?days=${days}${asOf ? `&asOf=${asOf}` : ''}`, overview, {
    keepPreviousData: true,
    revalidateIfStale: true,
    poll: asOf ? 'never' : 'seldom',
  })
