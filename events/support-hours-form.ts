import * as v from 'valibot'
import { defineEvent } from './definition.ts'

const MINUTES_OF_DAY = 24 * 60

const minute = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MINUTES_OF_DAY))

const weekday = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))

const hoursOfDay = v.pipe(
  v.strictObject({ day: weekday, opensAtMinute: minute, closesAtMinute: minute }),
  v.forward(
    v.partialCheck(
      [['opensAtMinute'], ['closesAtMinute']],
      ({ opensAtMinute, closesAtMinute }) => closesAtMinute > opensAtMinute,
      'Must be later than the opening time',
    ),
    ['closesAtMinute'],
  ),
)

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_CLOSURES = 50
const MAX_CLOSURE_DAYS = 366
const MAX_WORD_CHARACTERS = 60
/** Nobody closes later than that; it bounds how far a look for the next open day goes. */
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

/** Days on which nobody answers, with a word for visitors. */
const closureForm = v.pipe(
  v.strictObject({
    from: day,
    until: day,
    word: v.pipe(
      v.nullish(v.string(), ''),
      v.trim(),
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
 * When someone answers: the same hours on each of the days (1 is Monday) but on those in `byDay`, the end after the
 * beginning. Hours of a day that is closed are kept for when it is open.
 */
export const supportHoursForm = v.pipe(
  v.strictObject({
    days: v.pipe(
      v.array(weekday),
      v.minLength(1, 'Choose at least one day'),
      v.transform((days) => [...new Set(days)].sort((a, b) => a - b)),
    ),
    opensAtMinute: minute,
    closesAtMinute: minute,
    byDay: v.exactOptional(
      v.pipe(
        v.array(hoursOfDay),
        v.check((hours) => new Set(hours.map((each) => each.day)).size === hours.length, 'Name each day once'),
      ),
    ),
    closures: v.exactOptional(closuresForm),
  }),
  v.forward(
    v.partialCheck(
      [['opensAtMinute'], ['closesAtMinute']],
      ({ opensAtMinute, closesAtMinute }) => closesAtMinute > opensAtMinute,
      'Must be later than the opening time',
    ),
    ['closesAtMinute'],
  ),
)

export const supportHoursChanged = defineEvent({
  type: 'SupportHoursChanged',
  schemaVersion: 1,
  data: v.object({ ...supportHoursForm.entries, by: v.pipe(v.string(), v.uuid()) }),
  personal: null,
})
