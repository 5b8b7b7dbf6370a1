import { productPrefix } from '../../../events/product-prefix.ts'
import type { DayRange, Period } from '../leads/period.ts'

const nameOf = (period: Period, { first, last }: DayRange) => {
  switch (period) {
    case 'day':
      return `leads-${first}`
    case 'week':
      return `week-${first}`
    case 'month':
      return `month-${first.slice(0, 'yyyy-mm'.length)}`
    case 'last7':
    case 'last30':
    case 'range':
      return `leads-${first}-to-${last}`
    case 'all':
      return 'leads-all-dates'
    default:
      return period satisfies never
  }
}

/** The name of the CSV file of a period (specification, 3: CSV export); a week goes by its first day. */
export const csvFileName = (agencyName: string, period: Period, range: DayRange) =>
  `${[productPrefix(agencyName), nameOf(period, range)].filter(Boolean).join('-')}.csv`
