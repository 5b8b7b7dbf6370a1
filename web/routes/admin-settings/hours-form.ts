import * as v from 'valibot'
import { closuresForm, NO_SPAN, NOT_APART } from '../../../events/settings/support-hours.ts'
import { areApart, type HoursOfDay, type SupportHours } from '../../../events/settings/support-time.ts'
import type { Settings } from '../../../events/settings/wire.ts'

const MINUTES_OF_DAY = 24 * 60

const timeText = (minute: number) =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

const minuteOf = (text: string) => {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return hour * 60 + minute
}

/** Midnight, as the end of a day, is the last of its minutes and not the first. */
const closingMinuteOf = (text: string) => minuteOf(text) || MINUTES_OF_DAY

const CHOOSE_TIME = 'Choose a time'
const TIME = /^\d\d:\d\d/

const time = v.pipe(v.string(), v.regex(TIME, CHOOSE_TIME))
const optionalTime = v.pipe(v.string(), v.regex(/^$|^\d\d:\d\d/, CHOOSE_TIME))

/** The times of a day; `opensAgain` and `closesAgain` are empty if it does not close in between. */
const times = { opens: time, closes: time, opensAgain: optionalTime, closesAgain: optionalTime }

type Times = { opens: string; closes: string; opensAgain: string; closesAgain: string }

const spanOf = (opens: string, closes: string) => ({
  opensAtMinute: minuteOf(opens),
  closesAtMinute: closingMinuteOf(closes),
})

const hoursOf = ({ opens, closes, opensAgain, closesAgain }: Times): HoursOfDay => ({
  ...spanOf(opens, closes),
  ...(opensAgain && closesAgain && { second: spanOf(opensAgain, closesAgain) }),
})

const timesOf = ({ opensAtMinute, closesAtMinute, second }: HoursOfDay): Times => ({
  opens: timeText(opensAtMinute),
  closes: timeText(closesAtMinute),
  opensAgain: second ? timeText(second.opensAtMinute) : '',
  closesAgain: second ? timeText(second.closesAtMinute) : '',
})

/** Finds the first problem of a day's times, which must be well-formed, and the field to show it at. */
const problemOf = ({ opens, closes, opensAgain, closesAgain }: Times) => {
  const { opensAtMinute, closesAtMinute } = spanOf(opens, closes)
  if (opensAtMinute === closesAtMinute) return { at: 'closes', message: NO_SPAN } as const
  if (!opensAgain && !closesAgain) return undefined
  if (!opensAgain) return { at: 'opensAgain', message: CHOOSE_TIME } as const
  if (!closesAgain) return { at: 'closesAgain', message: CHOOSE_TIME } as const
  if (minuteOf(opensAgain) === closingMinuteOf(closesAgain)) return { at: 'closesAgain', message: NO_SPAN } as const
  return areApart(hoursOf({ opens, closes, opensAgain, closesAgain }))
    ? undefined
    : ({ at: 'closesAgain', message: NOT_APART } as const)
}

/** Reports times that are valid one by one, but not together. */
const areHours = <Hours extends Times>() =>
  v.rawCheck<Hours>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value } = dataset
    if (![value.opens, value.closes].every((text) => TIME.test(text))) return
    const problem = problemOf(value)
    if (!problem) return
    const key = problem.at
    addIssue({
      message: problem.message,
      path: [{ type: 'object', origin: 'value', input: value as Record<string, unknown>, key, value: value[key] }],
    })
  })

const singleDay = v.pipe(v.object({ day: v.pipe(v.string(), v.minLength(1, 'Choose a day')), ...times }), areHours())

/** The support hours as typed: times as text, and one row for each day with hours of its own and each closure. */
export const hoursForm = v.pipe(
  v.object({
    days: v.pipe(v.array(v.string()), v.minLength(1, 'Choose at least one day')),
    ...times,
    byDay: v.pipe(
      v.array(singleDay),
      v.check((rows) => new Set(rows.map(({ day }) => day)).size === rows.length, 'Name each day once'),
    ),
    closures: closuresForm,
  }),
  areHours(),
  v.transform(
    ({ days, byDay, closures, ...own }): SupportHours => ({
      ...hoursOf(own),
      days: days.map(Number),
      ...(byDay.length > 0 && { byDay: byDay.map(({ day, ...ofDay }) => ({ day: Number(day), ...hoursOf(ofDay) })) }),
      ...(closures.length > 0 && { closures }),
    }),
  ),
)

export const hoursValues = ({ supportHours: { days, byDay = [], closures = [], ...hours } }: Settings) => ({
  ...timesOf(hours),
  days: days.map(String),
  byDay: byDay.map(({ day, ...own }) => ({ day: String(day), ...timesOf(own) })),
  closures: closures.map((closure) => ({ ...closure })),
})
