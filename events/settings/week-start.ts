import * as v from 'valibot'
import { valueFor } from '../base/name-of.ts'
import { type NewWord, oneOf } from '../base/word.ts'
import { definePart } from './part.ts'

/** The days on which a week may begin, as the agency sets it. */
export const WEEK_STARTS = ['sunday', 'monday', 'saturday'] as const

export type WeekStart = (typeof WEEK_STARTS)[number]

/** Unless owners set another (specification, 9). */
export const DEFAULT_WEEK_START: WeekStart = 'sunday'

const WEEKDAYS = { sunday: 0, monday: 1, saturday: 6 } as const satisfies Record<WeekStart, number>

/** The day of the week, from 0, a Sunday, to 6. */
export type Weekday = (typeof WEEKDAYS)[WeekStart]

/** The weekday on which weeks begin. */
export const weekdayOfStart = (start: WeekStart | NewWord): Weekday =>
  valueFor(WEEKDAYS, start) ?? WEEKDAYS[DEFAULT_WEEK_START]

export const weekStartForm = v.strictObject({ weekStart: v.picklist(WEEK_STARTS, 'Choose one') })

export const weekStartPart = definePart({
  name: 'week-start',
  summary: 'Sets the day on which weeks begin',
  type: 'WeekStartChanged',
  form: weekStartForm,
  apply: ({ weekStart }) => weekStart,
  initial: DEFAULT_WEEK_START,
})

export const weekStartWire = oneOf(WEEK_STARTS)
