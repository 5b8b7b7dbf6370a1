import * as v from 'valibot'
import { plainLine } from '../base/plain-text.ts'
import { DAY_MS } from '../base/time.ts'
import { definePart } from './part.ts'
import { areApart, DEFAULT_SUPPORT_HOURS, type HoursOfDay, type SupportHours } from './support-time.ts'

const MINUTES_OF_DAY = 24 * 60

const minute = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MINUTES_OF_DAY))

const weekday = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))

const times = { opensAtMinute: v.pipe(minute, v.maxValue(MINUTES_OF_DAY - 1)), closesAtMinute: minute }

/** The error for a span that ends at the time at which it begins. */
export const NO_SPAN = 'Must not be the opening time'

/** The error for a second span of a day that overlaps with the first. */
export const NOT_APART = 'Must not overlap with the first hours'

const isSpan = ({ opensAtMinute, closesAtMinute }: Pick<HoursOfDay, 'opensAtMinute' | 'closesAtMinute'>) =>
  closesAtMinute !== opensAtMinute

/** A second span that is invalid by itself gets no further error. */
const hasSpansApart = (hours: HoursOfDay) => !hours.second || !isSpan(hours.second) || areApart(hours)

const second = v.exactOptional(
  v.pipe(
    v.strictObject(times),
    v.forward(v.partialCheck([['opensAtMinute'], ['closesAtMinute']], isSpan, NO_SPAN), ['closesAtMinute']),
  ),
)

const hoursOfDay = v.pipe(
  v.strictObject({ day: weekday, ...times, second }),
  v.forward(v.partialCheck([['opensAtMinute'], ['closesAtMinute']], isSpan, NO_SPAN), ['closesAtMinute']),
  v.forward(
    v.check((hours) => hasSpansApart(hours), NOT_APART),
    ['second'],
  ),
)

const MAX_CLOSURES = 50
const MAX_CLOSURE_DAYS = 366
const MAX_WORD_CHARACTERS = 60
/** The last possible year of a closure; it bounds the search for the next open day. */
const CLOSURE_DAY = /^20\d\d-\d\d-\d\d$/

/** JavaScript reads 30 February as 2 March. */
const isRealDay = (text: string) => {
  const midnight = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

const day = v.pipe(
  v.nullish(v.string(), ''),
  v.check((text) => CLOSURE_DAY.test(text) && isRealDay(text), 'Choose a day'),
)

/** Days without replies, with a reason for visitors. */
const closureForm = v.pipe(
  v.strictObject({
    from: day,
    until: day,
    word: v.pipe(
      v.nullish(v.string(), ''),
      v.transform(plainLine),
      v.maxLength(MAX_WORD_CHARACTERS, `Must be at most ${MAX_WORD_CHARACTERS} characters`),
    ),
  }),
  v.forward(
    v.partialCheck([['from'], ['until']], ({ from, until }) => until >= from, 'Must not be before the first day'),
    ['until'],
  ),
  v.forward(
    v.partialCheck(
      [['from'], ['until']],
      ({ from, until }) => !(Date.parse(until) - Date.parse(from) >= MAX_CLOSURE_DAYS * DAY_MS),
      'A closure lasts a year at most',
    ),
    ['until'],
  ),
)

/** The closures of the support hours. */
export const closuresForm = v.pipe(v.array(closureForm), v.maxLength(MAX_CLOSURES, `At most ${MAX_CLOSURES} closures`))

/**
 * When staff reply: the same hours on each of the days (1 is Monday) except those in `byDay`. A span that does not
 * close later than it opens closes on the next day. The hours of a closed day are stored for when it is open.
 */
export const supportHoursForm = v.pipe(
  v.strictObject({
    days: v.pipe(
      v.array(weekday),
      v.minLength(1, 'Choose at least one day'),
      v.transform((days) => [...new Set(days)].sort((a, b) => a - b)),
    ),
    ...times,
    second,
    byDay: v.exactOptional(
      v.pipe(
        v.array(hoursOfDay),
        v.check((hours) => new Set(hours.map((each) => each.day)).size === hours.length, 'Name each day once'),
      ),
    ),
    closures: v.exactOptional(closuresForm),
  }),
  v.forward(v.partialCheck([['opensAtMinute'], ['closesAtMinute']], isSpan, NO_SPAN), ['closesAtMinute']),
  v.forward(
    v.check((hours) => hasSpansApart(hours), NOT_APART),
    ['second'],
  ),
)

export const supportHoursPart = definePart({
  name: 'support-hours',
  summary: 'Sets the support hours',
  type: 'SupportHoursChanged',
  form: supportHoursForm,
  apply: (hours): SupportHours => hours,
  initial: DEFAULT_SUPPORT_HOURS,
})
