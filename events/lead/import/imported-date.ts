/** Reads the date and time in a cell of an imported file. */
import { isValid } from 'date-fns/isValid'
import { parse } from 'date-fns/parse'
import { agencyDay, startOfDay } from '../../base/agency-day.ts'
import { HOUR_MS, MINUTE_MS } from '../../base/time.ts'

const EARLIEST_YEAR = 2000

const DAY_FORMATS = ['yyyy-MM-dd', 'yyyy/MM/dd', 'dd/MM/yyyy', 'd/M/yyyy', 'dd-MM-yyyy', 'd MMM yyyy', 'd MMMM yyyy']

/** A day, and the text after it. */
const DAY_AND_REST =
  /^(\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{4}|\d{1,2} \p{L}+ \d{4})(?:T|[\s,]+|$)(.*)$/u

/** `09:30`, `09:30:15.123`, `9h30`, `9:30 AM`, `9 pm`, each with or without a zone: `Z`, `+02`, `+0200`, `+02:00`. */
const TIME =
  /^(\d{1,2})(?:[:h.](\d{2})(?::(\d{2}(?:\.\d{1,9})?))?)?(?:\s*([ap])\.?m\.?)?\s*(Z|UTC|GMT|SAST|[+-]\d{2}(?::?\d{2})?)?$/i

const OFFSET = /^([+-])(\d{2}):?([0-5]\d)?$/

/** No place on earth is further from UTC. */
const MAX_OFFSET_MS = 14 * HOUR_MS

/** The day (yyyy-mm-dd) that a text names. */
const dayOf = (text: string): string | undefined => {
  for (const format of DAY_FORMATS) {
    const date = parse(text, format, new Date(0))
    if (!isValid(date) || date.getFullYear() < EARLIEST_YEAR) continue
    const month = String(date.getMonth() + 1).padStart(2, '0')
    return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`
  }
  return undefined
}

/** The hour from 0 to 23; undefined if it does not exist on a clock of 24 hours, or of 12 with `a` or `p` in `half`. */
const hourOf = (hour: number, half: string | undefined): number | undefined => {
  if (half === undefined) return hour < 24 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

/** How far a zone is ahead of UTC; undefined if it is not a zone. */
const offsetOf = (zone: string): number | undefined => {
  if (/^[A-Z]+$/i.test(zone)) return 0
  const [, sign, hours, minutes = '00'] = OFFSET.exec(zone) ?? []
  if (hours === undefined) return undefined
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
  if (size > MAX_OFFSET_MS) return undefined
  return sign === '-' ? -size : size
}

/** The instant at which a day begins in a zone, by default in that of the agency. Undefined if it is not a zone. */
const startIn = (zone: string | undefined, day: string): number | undefined => {
  if (zone === undefined || /^SAST$/i.test(zone)) return startOfDay(day).getTime()
  const offset = offsetOf(zone)
  return offset === undefined ? undefined : Date.parse(`${day}T00:00:00Z`) - offset
}

/**
 * The instant of a time on a day, in the zone that it names or else in that of the agency. Undefined if it is not a
 * time.
 */
const instantOf = (day: string, text: string): number | undefined => {
  const [, hour, minutes, seconds = '0', half, zone] = TIME.exec(text) ?? []
  const hours = hourOf(Number(hour), half)
  const isWhole = minutes !== undefined || half !== undefined
  if (hours === undefined || !isWhole || Number(minutes ?? 0) > 59 || Number(seconds) >= 60) return undefined
  const start = startIn(zone, day)
  if (start === undefined) return undefined
  return start + hours * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS + Math.round(Number(seconds) * 1000)
}

/**
 * Reads a date from a cell: `at` is its instant in ISO 8601, or the beginning of the day if it has no time. Undefined
 * if it is not a date, or in the future. `hasLostTime`: the text after the day cannot be read as a time.
 */
export const readImportedDate = (text: string, now: Date): { at: string; hasLostTime: boolean } | undefined => {
  const [, written = '', rest = ''] = DAY_AND_REST.exec(text) ?? []
  const day = dayOf(written)
  if (day === undefined) return undefined
  const instant = rest === '' ? undefined : instantOf(day, rest.trim())
  if (instant === undefined ? day > agencyDay(now) : instant > now.getTime()) return undefined
  return { at: new Date(instant ?? startOfDay(day)).toISOString(), hasLostTime: rest !== '' && instant === undefined }
}
