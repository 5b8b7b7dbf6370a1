import * as v from 'valibot'
import { plainLine, plainText, seenLength } from './plain-text.ts'

/**
 * Text that Postgres can store: its jsonb type accepts neither U+0000 nor half a surrogate pair. Both come only from
 * broken or hostile clients.
 */
const storable = v.check<string, string>(
  (text) => text.isWellFormed() && !text.includes('\0'),
  'Must not contain characters that cannot be stored (U+0000, unpaired surrogates)',
)

const atMost = (characters: number) =>
  v.maxLength<string, number, string>(characters, `Must be at most ${characters} characters`)

/**
 * Strips invisible characters; line breaks stay only in a text of several `lines`. It is a kind of `trim`, because a
 * JSON Schema includes limits after it; after a `transform` it includes none.
 */
const cleaned = (lines: boolean): v.TrimAction => ({
  ...v.trim(),
  '~run': (dataset) => ({ ...dataset, value: (lines ? plainText : plainLine)(dataset.value) }),
})

/**
 * Required text. Missing, null, blank, invisible and too short texts all fail with `message`; invisible characters and
 * surrounding white space are dropped.
 */
export const requiredText = (
  message: string,
  { min = 1, max, lines = false }: { min?: number; max: number; lines?: boolean },
) =>
  v.pipe(
    v.nullish(v.string(message), ''),
    cleaned(lines),
    v.minLength(min, message),
    v.check((text) => text.length < min || seenLength(text) >= min, message),
    atMost(max),
    storable,
  )

/** Optional text: missing, null, blank and invisible all become null. */
export const optionalText = (max: number, { lines = false }: { lines?: boolean } = {}) =>
  v.pipe(
    v.nullish(v.string(), ''),
    cleaned(lines),
    atMost(max),
    storable,
    v.transform((text) => (seenLength(text) === 0 ? null : text)),
  )

/** Letters and digits of any script (RFC 6531), and the signs that a name may have without quotes (RFC 5322, 3.2.3). */
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const LABEL_END = '(?:-*[\\p{L}\\p{M}\\p{N}])'
/**
 * A name of at most 64 characters at a domain of two labels or more, which does not end in a number; 254 characters is the
 * longest that SMTP can carry (RFC 5321, 4.5.3.1).
 */
const ADDRESS = new RegExp(
  `^(?=.{6,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:[\\p{L}\\p{N}]${LABEL_END}*\\.)+\\p{L}${LABEL_END}+$`,
  'u',
)

const addressOr = (message: string) =>
  [v.trim(), v.normalize('NFC'), { ...v.email<string, string>(message), requirement: ADDRESS }, storable] as const

/** An email address. Its name and domain may be in any script, and the domain may be in `xn--` form (RFC 5890). */
export const emailAddress = (message: string) => v.pipe(v.string(message), ...addressOr(message))

/** An email address that has to be there. */
export const requiredEmail = (message: string) => v.pipe(v.nullish(v.string(message), ''), ...addressOr(message))

/** JavaScript reads 30 February as 2 March. */
const isRealDay = (text: string) => {
  const day = text.slice(0, 'yyyy-mm-dd'.length)
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** Years before 1 and after 9999, which a zone's offset can lead to, are written in ways that Postgres does not read. */
const hasPlainYear = (text: string) => /^(?!0000)\d{4}-/.test(new Date(text).toISOString())

/** An instant, as ISO 8601 with a zone; answered in UTC with milliseconds. */
export const instant = v.pipe(
  v.string(),
  v.isoTimestamp('Must be an instant such as 2026-01-31T10:00:00.000Z'),
  v.check(
    (text) => isRealDay(text) && !Number.isNaN(Date.parse(text)) && hasPlainYear(text),
    'Must be a day that exists',
  ),
  v.transform((text) => new Date(text).toISOString()),
)

const uuid = v.pipe(v.string(), v.uuid())

/** An id from a caller, as stored: in lower case. */
export const givenId = (message = 'Must be a UUID') => v.pipe(v.string(), v.uuid(message), v.toLowerCase())

/** Whether a text is a UUID. No other text can be an id, so Postgres need not be asked. */
export const isUuid = (text: string | undefined): text is string => v.is(uuid, text)

/** A calendar day, yyyy-mm-dd, in the agency's time zone. */
export const calendarDay = v.pipe(
  v.string(),
  v.isoDate('Must be a day such as 2026-01-31'),
  v.check(
    (text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text),
    'Must be a day that exists',
  ),
)
