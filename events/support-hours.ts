import { isPublicHoliday } from './public-holidays.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const LAST_MINUTE_OF_DAY = 24 * 60 - 1
const DAYS_OF_WEEK = 7

/** `Africa/Johannesburg` is two hours ahead of UTC all year round, and has been since 1944. */
const SAST_OFFSET_MS = 2 * HOUR_MS

/** From when to when someone answers, in minutes after midnight. */
type Span = { opensAtMinute: number; closesAtMinute: number }

/**
 * Days on which nobody answers, both included (`yyyy-mm-dd`), and what visitors read of why; empty where they read
 * nothing.
 */
export type Closure = { from: string; until: string; word: string }

/**
 * When someone answers: `days` from 1 (Monday) to 7 (Sunday), and the same minutes after midnight on each of them, but on
 * those that `byDay` names. Not at all in `closures`, nor on public holidays.
 */
export type SupportHours = Span & {
  days: readonly number[]
  byDay?: readonly (Span & { day: number })[] | undefined
  closures?: readonly Closure[] | undefined
}

/** The hours of an agency that has set none (specification, 9: Mon-Fri 8AM-6PM SAST). */
export const DEFAULT_SUPPORT_HOURS: SupportHours = {
  days: [1, 2, 3, 4, 5],
  opensAtMinute: 8 * 60,
  closesAtMinute: 18 * 60,
}

/** How soon a request is promised to be answered, in support hours (specification, 9). */
export const REPLY_PROMISE_MS = 2 * HOUR_MS

/** An answer is due soon once less than this of the promised support time is left. */
export const DUE_SOON_MS = HOUR_MS

/** The support team's day that an instant falls on: ms of UTC midnight on that date. */
const dayOf = (instant: Date) => Math.floor((instant.getTime() + SAST_OFFSET_MS) / DAY_MS) * DAY_MS

/** The days of a week are numbered from Monday. */
const weekdayOf = (day: number) => new Date(day).getUTCDay() || 7
const isoOf = (day: number) => new Date(day).toISOString().slice(0, 'yyyy-mm-dd'.length)

const closureOf = (iso: string, { closures = [] }: SupportHours) =>
  closures.find(({ from, until }) => from <= iso && iso <= until)

/** The hours of a weekday. */
const spanOfWeekday = (weekday: number, hours: SupportHours): Span =>
  hours.byDay?.find(({ day }) => day === weekday) ?? hours

/** The hours of a day; undefined where nobody is there on it. */
const spanOn = (day: number, hours: SupportHours): Span | undefined => {
  const iso = isoOf(day)
  const isOpen = hours.days.includes(weekdayOf(day)) && !isPublicHoliday(iso) && !closureOf(iso, hours)
  return isOpen ? spanOfWeekday(weekdayOf(day), hours) : undefined
}

const instantOf = (day: number, minute: number) => new Date(day + minute * MINUTE_MS - SAST_OFFSET_MS)

/**
 * Since when nobody is there to answer, and from when somebody is again; undefined during support hours. Opening counts
 * as open, closing as closed. The same for every visitor, in whatever zone they are.
 */
export const backAt = (now: Date, hours: SupportHours = DEFAULT_SUPPORT_HOURS): Date | undefined => {
  const today = dayOf(now)
  const span = spanOn(today, hours)
  if (span) {
    if (now < instantOf(today, span.opensAtMinute)) return instantOf(today, span.opensAtMinute)
    if (now < instantOf(today, span.closesAtMinute)) return undefined
  }
  for (let day = today + DAY_MS; ; day += DAY_MS) {
    const next = spanOn(day, hours)
    if (next) return instantOf(day, next.opensAtMinute)
  }
}

/** Why nobody answers today, where that is a closure with a word of why. */
export const closedFor = (now: Date, hours: SupportHours): string | undefined =>
  closureOf(isoOf(dayOf(now)), hours)?.word || undefined

/** The instant by which so much support time, in milliseconds and more than none, has passed since another. */
export const afterSupportTime = (from: Date, durationMs: number, hours: SupportHours): Date => {
  let left = durationMs
  let at = backAt(from, hours) ?? from
  for (;;) {
    const closes = instantOf(dayOf(at), spanOfWeekday(weekdayOf(dayOf(at)), hours).closesAtMinute)
    const open = closes.getTime() - at.getTime()
    if (left <= open) return new Date(at.getTime() + left)
    left -= open
    at = backAt(closes, hours) ?? closes
  }
}

/** How much support time lies between two instants, in milliseconds; none where the second is not later. */
export const supportTimeBetween = (from: Date, to: Date, hours: SupportHours): number => {
  const spanOf = (day: number) => {
    const span = spanOn(day, hours)
    if (!span) return 0
    const begin = Math.max(from.getTime(), instantOf(day, span.opensAtMinute).getTime())
    const end = Math.min(to.getTime(), instantOf(day, span.closesAtMinute).getTime())
    return Math.max(0, end - begin)
  }
  let total = 0
  for (let day = dayOf(from); day <= dayOf(to); day += DAY_MS) total += spanOf(day)
  return total
}

const pad = (count: number) => String(count).padStart(2, '0')

/** Minutes after midnight as a time on the clock: `8AM`, `5:30PM`. */
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
const daysBySpan = (hours: SupportHours) => {
  const groups = new Map<string, Span & { days: number[] }>()
  for (const day of [...new Set(hours.days)].sort((a, b) => a - b)) {
    const { opensAtMinute, closesAtMinute } = spanOfWeekday(day, hours)
    const key = `${opensAtMinute}-${closesAtMinute}`
    const group = groups.get(key) ?? { opensAtMinute, closesAtMinute, days: [] }
    groups.set(key, group)
    group.days.push(day)
  }
  return [...groups.values()]
}

const spanInWords = ({ opensAtMinute, closesAtMinute }: Span) =>
  closesAtMinute - opensAtMinute === DAY_MS / MINUTE_MS
    ? 'all day'
    : `${clockTime(opensAtMinute)}-${clockTime(closesAtMinute)}`

/** The hours as the site states them: `Mon-Fri 8AM-6PM SAST`, `Mon-Thu 8AM-6PM, Fri 8AM-3PM SAST`, `Mon-Sun all day SAST`. */
export const hoursInWords = (hours: SupportHours): string => {
  const parts = daysBySpan(hours).map(({ days, ...span }) => {
    const named = runsOf(days).map((run) => [...new Set(run)].map((day) => DAY_NAMES[day - 1]).join('-'))
    return `${named.join(', ')} ${spanInWords(span)}`
  })
  return `${parts.join(', ')} SAST`
}

/** The hours as search engines read them (schema.org, openingHours): `Mo-Fr 08:00-18:00`. */
export const openingHours = (hours: SupportHours): string => {
  const time = (minute: number) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`
  return daysBySpan(hours)
    .map(({ days, opensAtMinute, closesAtMinute }) => {
      const named = runsOf(days).map((run) => [...new Set(run)].map((day) => DAY_NAMES[day - 1]?.slice(0, 2)).join('-'))
      return `${named.join(',')} ${time(opensAtMinute)}-${time(Math.min(closesAtMinute, LAST_MINUTE_OF_DAY))}`
    })
    .join(' ')
}

/**
 * When someone is back, as a visitor reads it: 'today at 8AM', 'tomorrow at 8AM', 'on Monday at 8AM', and from a week on
 * 'on Monday 4 January at 8AM'.
 */
export const backInWords = (back: Date, now: Date): string => {
  const days = (dayOf(back) - dayOf(now)) / DAY_MS
  const time = clockTime((back.getTime() + SAST_OFFSET_MS - dayOf(back)) / MINUTE_MS)
  if (days === 0) return `today at ${time}`
  if (days === 1) return `tomorrow at ${time}`
  const inWords = (parts: Intl.DateTimeFormatOptions) =>
    new Date(dayOf(back)).toLocaleDateString('en-ZA', { ...parts, timeZone: 'UTC' })
  const date = days < DAYS_OF_WEEK ? '' : ` ${inWords({ day: 'numeric', month: 'long' })}`
  return `on ${inWords({ weekday: 'long' })}${date} at ${time}`
}
