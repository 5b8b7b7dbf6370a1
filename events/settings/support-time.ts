import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time.ts'
import { isPublicHoliday } from './public-holidays.ts'

const MINUTES_OF_DAY = 24 * 60
const DAYS_OF_WEEK = 7

/** `Africa/Johannesburg` is two hours ahead of UTC all year round, and has been since 1944. */
const SAST_OFFSET_MS = 2 * HOUR_MS

/** A span of support hours, in minutes after midnight; past midnight if it does not close later than it opens. */
type Span = { opensAtMinute: number; closesAtMinute: number }

/** The hours of a day: one span, or two with a break between them. */
export type HoursOfDay = Span & { second?: Span | undefined }

/** Days without replies, both included (`yyyy-mm-dd`), and the reason for visitors; empty for none. */
export type Closure = { from: string; until: string; word: string }

/**
 * When staff reply: `days` from 1 (Monday) to 7 (Sunday), and the same hours on each of them, except those in `byDay`.
 * Not at all in `closures`, nor on public holidays; a span past midnight belongs to the day on which it begins.
 */
export type SupportHours = HoursOfDay & {
  days: readonly number[]
  byDay?: readonly (HoursOfDay & { day: number })[] | undefined
  closures?: readonly Closure[] | undefined
}

/** The hours of an agency that has set none (specification, 9: Mon-Fri 8AM-6PM SAST). */
export const DEFAULT_SUPPORT_HOURS: SupportHours = {
  days: [1, 2, 3, 4, 5],
  opensAtMinute: 8 * 60,
  closesAtMinute: 18 * 60,
}

/** How soon a request is promised to be answered, in support hours (specification, 9). */
export const REPLY_WITHIN_MS = 2 * HOUR_MS

/** A reply is due soon once less than this of the promised support time is left. */
export const DUE_SOON_MS = HOUR_MS

/** The support team's day that an instant falls on: ms of UTC midnight on that date. */
const dayOf = (instant: Date) => Math.floor((instant.getTime() + SAST_OFFSET_MS) / DAY_MS) * DAY_MS

/** The days of a week are numbered from Monday. */
const weekdayOf = (day: number) => new Date(day).getUTCDay() || 7
const isoOf = (day: number) => new Date(day).toISOString().slice(0, 'yyyy-mm-dd'.length)

const closureOf = (iso: string, { closures = [] }: SupportHours) =>
  closures.find(({ from, until }) => from <= iso && iso <= until)

/** When a span ends, in minutes after the midnight before it begins. */
const endOf = ({ opensAtMinute, closesAtMinute }: Span) =>
  closesAtMinute > opensAtMinute ? closesAtMinute : closesAtMinute + MINUTES_OF_DAY

/** The spans of a day, the earlier one first. */
const spansOf = ({ opensAtMinute, closesAtMinute, second }: HoursOfDay): Span[] =>
  [{ opensAtMinute, closesAtMinute }, ...(second ? [second] : [])].toSorted((a, b) => a.opensAtMinute - b.opensAtMinute)

/** Whether the spans of a day overlap neither each other nor those of the next day. */
export const areApart = (hours: HoursOfDay): boolean => {
  const [first, second] = spansOf(hours)
  if (!first || !second) return true
  return endOf(first) <= second.opensAtMinute && endOf(second) <= first.opensAtMinute + MINUTES_OF_DAY
}

/** The spans of a weekday. */
const spansOfWeekday = (weekday: number, hours: SupportHours): Span[] =>
  spansOf(hours.byDay?.find(({ day }) => day === weekday) ?? hours)

const instantOf = (day: number, minute: number) => new Date(day + minute * MINUTE_MS - SAST_OFFSET_MS)

type Open = { opens: Date; closes: Date }

/** The spans of each day that was looked at: a list of overdue leads looks at the same days a thousand times. */
const openDays = new WeakMap<SupportHours, Map<number, Open[]>>()

const findOpen = (day: number, hours: SupportHours): Open[] => {
  const iso = isoOf(day)
  const isOpen = hours.days.includes(weekdayOf(day)) && !isPublicHoliday(iso) && !closureOf(iso, hours)
  if (!isOpen) return []
  return spansOfWeekday(weekdayOf(day), hours).map((span) => ({
    opens: instantOf(day, span.opensAtMinute),
    closes: instantOf(day, endOf(span)),
  }))
}

/** The support hours in the spans that begin on a day. */
const openOn = (day: number, hours: SupportHours): Open[] => {
  const days = openDays.get(hours) ?? new Map<number, Open[]>()
  openDays.set(hours, days)
  const open = days.get(day) ?? findOpen(day, hours)
  days.set(day, open)
  return open
}

/** The end of the span that contains an instant, also one of the day before; undefined outside support hours. */
const closesAfter = (now: Date, hours: SupportHours): Date | undefined => {
  const today = dayOf(now)
  return [today - DAY_MS, today]
    .flatMap((day) => openOn(day, hours))
    .findLast(({ opens, closes }) => opens <= now && now < closes)?.closes
}

/**
 * When staff are next available; undefined during support hours. Opening counts as open, closing as closed. The same
 * for every visitor, in any time zone.
 */
export const backAt = (now: Date, hours: SupportHours = DEFAULT_SUPPORT_HOURS): Date | undefined => {
  if (closesAfter(now, hours)) return undefined
  for (let day = dayOf(now); ; day += DAY_MS) {
    const next = openOn(day, hours).find(({ opens }) => opens > now)
    if (next) return next.opens
  }
}

/** The reason why there are no replies today, if that is a closure with a reason. */
export const closedFor = (now: Date, hours: SupportHours): string | undefined =>
  closureOf(isoOf(dayOf(now)), hours)?.word || undefined

/** The instant at which this much support time (in milliseconds, more than none) has passed since another. */
export const afterSupportTime = (from: Date, durationMs: number, hours: SupportHours): Date => {
  let left = durationMs
  let at = backAt(from, hours) ?? from
  for (;;) {
    const closes = closesAfter(at, hours) ?? at
    const open = closes.getTime() - at.getTime()
    if (left <= open) return new Date(at.getTime() + left)
    left -= open
    at = backAt(closes, hours) ?? closes
  }
}

/** The support time between two instants, in milliseconds; none if the second is not later. */
export const supportTimeBetween = (from: Date, to: Date, hours: SupportHours): number => {
  let total = 0
  // a span past midnight may reach into the next one
  let counted = from.getTime()
  for (let day = dayOf(from) - DAY_MS; day <= dayOf(to); day += DAY_MS) {
    for (const { opens, closes } of openOn(day, hours)) {
      const begin = Math.max(counted, opens.getTime())
      const end = Math.min(to.getTime(), closes.getTime())
      total += Math.max(0, end - begin)
      counted = Math.max(counted, end)
    }
  }
  return total
}

const pad = (count: number) => String(count).padStart(2, '0')

/** Minutes after midnight as a time: `08:00`, `17:30`. */
const dayTime = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`

/** Minutes after midnight as the hours of the specification have them: `8AM`, `5:30PM`. */
export const clockTime = (minute: number): string => {
  const hour = Math.floor(minute / 60) % 24
  const rest = minute % 60
  return `${hour % 12 || 12}${rest ? `:${pad(rest)}` : ''}${hour < 12 ? 'AM' : 'PM'}`
}

const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Days that follow one another, as runs: 1, 2, 3, 5 are 1 to 3 and 5. */
const runsOf = (days: readonly number[]) =>
  [...days]
    .sort((a, b) => a - b)
    .reduce<[number, number][]>((runs, day) => {
      const last = runs.at(-1)
      if (last?.[1] === day - 1) last[1] = day
      else runs.push([day, day])
      return runs
    }, [])

/** The days that have the same hours, each with those, in the order of the week. */
const daysByHours = (hours: SupportHours) => {
  const groups = new Map<string, { spans: Span[]; days: number[] }>()
  for (const day of [...new Set(hours.days)].sort((a, b) => a - b)) {
    const spans = spansOfWeekday(day, hours)
    const key = JSON.stringify(spans.map(({ opensAtMinute, closesAtMinute }) => [opensAtMinute, closesAtMinute]))
    const group = groups.get(key) ?? { spans, days: [] }
    groups.set(key, group)
    group.days.push(day)
  }
  return [...groups.values()]
}

const spanInWords = ({ opensAtMinute, closesAtMinute }: Span) =>
  closesAtMinute - opensAtMinute === MINUTES_OF_DAY
    ? 'all day'
    : `${clockTime(opensAtMinute)}-${clockTime(closesAtMinute)}`

/**
 * The hours as the site states them: `Mon-Fri 8AM-6PM SAST`, `Mon-Thu 8AM-12PM and 1PM-6PM, Fri 8AM-3PM SAST`, `Mon-Sun all
 * day SAST`.
 */
export const hoursInWords = (hours: SupportHours): string => {
  const parts = daysByHours(hours).map(({ days, spans }) => {
    const named = runsOf(days).map((run) => [...new Set(run)].map((day) => DAY_NAMES[day - 1]).join('-'))
    return `${named.join(', ')} ${spans.map(spanInWords).join(' and ')}`
  })
  return `${parts.join(', ')} SAST`
}

/**
 * The hours as search engines read them (schema.org, openingHours): `Mo-Fr 08:00-18:00`. A span that does not close later
 * than it opens ends on the next day; one up to midnight, a minute before.
 */
export const openingHours = (hours: SupportHours): string => {
  return daysByHours(hours)
    .flatMap(({ days, spans }) => {
      const named = runsOf(days).map((run) => [...new Set(run)].map((day) => DAY_NAMES[day - 1]?.slice(0, 2)).join('-'))
      return spans.map((span) => {
        const closes = endOf(span) === MINUTES_OF_DAY ? MINUTES_OF_DAY - 1 : span.closesAtMinute
        return `${named.join(',')} ${dayTime(span.opensAtMinute)}-${dayTime(closes)}`
      })
    })
    .join(' ')
}

/**
 * When staff are back, as a visitor reads it: 'today at 08:00', 'tomorrow at 08:00', 'on Monday at 08:00', and from a week
 * on 'on Monday 4 January at 08:00'.
 */
export const backInWords = (back: Date, now: Date): string => {
  const days = (dayOf(back) - dayOf(now)) / DAY_MS
  const time = dayTime((back.getTime() + SAST_OFFSET_MS - dayOf(back)) / MINUTE_MS)
  if (days === 0) return `today at ${time}`
  if (days === 1) return `tomorrow at ${time}`
  const inWords = (parts: Intl.DateTimeFormatOptions) =>
    new Date(dayOf(back)).toLocaleDateString('en-ZA', { ...parts, timeZone: 'UTC' })
  const date = days < DAYS_OF_WEEK ? '' : ` ${inWords({ day: 'numeric', month: 'long' })}`
  return `on ${inWords({ weekday: 'long' })}${date} at ${time}`
}
