import { addDays, weekdayOf } from '../base/agency-day.ts'
import type { PackageId } from '../settings/prices.ts'
import { isPublicHoliday } from '../settings/public-holidays.ts'

/** The time in which a site is promised to be live once its content is there (specification, 2): business days or days. */
const PROMISED: Record<PackageId, { days: number; isBusiness: boolean }> = {
  essential: { days: 7, isBusiness: true },
  professional: { days: 14, isBusiness: false },
  premium: { days: 14, isBusiness: false },
}

const isBusinessDay = (day: string) => ![0, 6].includes(weekdayOf(day)) && !isPublicHoliday(day)

/** The last day on which a site is live in the promised time, which begins after the day `from`. */
export const dueOn = (packageId: PackageId, from: string): string => {
  const { days, isBusiness } = PROMISED[packageId]
  let day = from
  for (let left = days; left > 0; ) {
    day = addDays(day, 1)
    if (!isBusiness || isBusinessDay(day)) left -= 1
  }
  return day
}

/** How far ahead ends are shown, in days. */
export const ENDING_DAYS = 60
