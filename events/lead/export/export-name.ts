import { addDays, agencyDay, startOfDay } from '../../base/agency-day.ts'
import { productPrefix } from '../../base/product-prefix.ts'

const isMonth = (first: string, next: string) =>
  first.endsWith('-01') && next.endsWith('-01') && addDays(first, 31) >= next && addDays(first, 28) <= next

const periodOf = (from: Date | undefined, to: Date | undefined, today: string) => {
  if (!from && !to) return 'leads-all-dates'
  const last = to ? agencyDay(new Date(to.getTime() - 1)) : today
  if (!from) return `leads-to-${last}`
  const first = agencyDay(from)
  const next = addDays(last, 1)
  const isWholeDays = from.getTime() === startOfDay(first).getTime() && to?.getTime() === startOfDay(next).getTime()
  if (first === last) return `leads-${first}`
  if (isWholeDays && next === addDays(first, 7)) return `week-${first}`
  if (isWholeDays && isMonth(first, next)) return `month-${first.slice(0, 'yyyy-mm'.length)}`
  return `leads-${first}-to-${last}`
}

/**
 * The name of an export's file, of a workbook as of a CSV file: the product's prefix, then the day, week or month that the
 * leads are of (specification, 3), else the days from and to which. Any seven days are a week: locales begin theirs on
 * different days. A list of all dates is `leads-all-dates`; one without a beginning is named by its last day alone.
 */
export const exportName = (
  agencyName: string,
  { from, to, now, extension }: { from?: Date | undefined; to?: Date | undefined; now: Date; extension: string },
): string => `${[productPrefix(agencyName), periodOf(from, to, agencyDay(now))].filter(Boolean).join('-')}.${extension}`
