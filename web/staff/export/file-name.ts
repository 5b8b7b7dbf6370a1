import type { DayRange, Period } from '../lead-period.ts'

/** What the names of exported files begin with: the agency's name in letters and digits that every system takes. */
export const productPrefix = (agencyName: string) =>
  agencyName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const nameOf = (period: Period, { first }: DayRange) => {
  switch (period) {
    case 'day':
      return `leads-${first}`
    case 'week':
      return `week-${first}`
    case 'month':
      return `month-${first.slice(0, 'yyyy-mm'.length)}`
    default:
      return period satisfies never
  }
}

/** The name of the CSV file of a period (specification, 3: CSV export); a week goes by its first day. */
export const csvFileName = (agencyName: string, period: Period, range: DayRange) =>
  `${[productPrefix(agencyName), nameOf(period, range)].filter(Boolean).join('-')}.csv`
