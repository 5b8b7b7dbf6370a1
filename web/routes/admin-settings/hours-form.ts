import * as v from 'valibot'
import type { SupportHours } from '../../../events/support-hours.ts'
import { closuresForm } from '../../../events/support-hours-form.ts'
import type { Settings } from '../../../events/wire/settings.ts'

const MINUTES_OF_DAY = 24 * 60

const timeText = (minute: number) =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

const minuteOf = (text: string) => {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return hour * 60 + minute
}

/** Midnight, as the end of a day, is the last of its minutes and not the first. */
const closingMinuteOf = (text: string) => minuteOf(text) || MINUTES_OF_DAY

const time = v.pipe(v.string(), v.regex(/^\d\d:\d\d/, 'Choose a time'))

type Times = { opens: string; closes: string }

const isInOrder = ({ opens, closes }: Times) => closingMinuteOf(closes) > minuteOf(opens)
const NOT_IN_ORDER = 'Must be later than the opening time'

const spanOf = ({ opens, closes }: Times) => ({
  opensAtMinute: minuteOf(opens),
  closesAtMinute: closingMinuteOf(closes),
})
const timesOf = ({ opensAtMinute, closesAtMinute }: ReturnType<typeof spanOf>): Times => ({
  opens: timeText(opensAtMinute),
  closes: timeText(closesAtMinute),
})

const singleDay = v.pipe(
  v.object({ day: v.pipe(v.string(), v.minLength(1, 'Choose a day')), opens: time, closes: time }),
  v.forward(v.partialCheck([['opens'], ['closes']], isInOrder, NOT_IN_ORDER), ['closes']),
)

/**
 * The support hours as they are filled in: times as text, and a row for each day with hours of its own and each
 * closure.
 */
export const hoursForm = v.pipe(
  v.object({
    days: v.pipe(v.array(v.string()), v.minLength(1, 'Choose at least one day')),
    opens: time,
    closes: time,
    byDay: v.pipe(
      v.array(singleDay),
      v.check((rows) => new Set(rows.map(({ day }) => day)).size === rows.length, 'Name each day once'),
    ),
    closures: closuresForm,
  }),
  v.forward(v.partialCheck([['opens'], ['closes']], isInOrder, NOT_IN_ORDER), ['closes']),
  v.transform(
    ({ days, byDay, closures, ...times }): SupportHours => ({
      ...spanOf(times),
      days: days.map(Number),
      ...(byDay.length > 0 && { byDay: byDay.map(({ day, ...own }) => ({ day: Number(day), ...spanOf(own) })) }),
      ...(closures.length > 0 && { closures }),
    }),
  ),
)

/** The support hours as their form shows them. */
export const hoursValues = ({ supportHours: { days, byDay = [], closures = [], ...span } }: Settings) => ({
  ...timesOf(span),
  days: days.map(String),
  byDay: byDay.map(({ day, ...own }) => ({ day: String(day), ...timesOf(own) })),
  closures: closures.map((closure) => ({ ...closure })),
})
