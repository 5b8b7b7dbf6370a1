import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Numbers without a country's code are dialled within South Africa, where they have 9 digits after the 0. */
const HOME = 'ZA'
const HOME_CODE = '27'
const HOME_DIGITS = 9

const MAX_EXTENSION_DIGITS = 6

/** People who give no number type one digit again and again, such as all ones. */
const ONE_DIGIT = /^(\d)\1*$/

/** A shorter text is no whole number, and does not tell people apart. */
const MIN_PHONE_DIGITS = 9

/** The separators between two numbers. */
const BETWEEN = /[/;,|&\n]|\b(?:or|of|and|en)\b/i

/** The digits of a country and a number, without the plus. */
const WITHOUT_PLUS = /^[1-9]\d{10,14}$/

const isNumber = (read: PhoneNumber | undefined): read is PhoneNumber =>
  read?.isValid() === true &&
  (read.countryCallingCode !== HOME_CODE || read.nationalNumber.length === HOME_DIGITS) &&
  !ONE_DIGIT.test(read.nationalNumber) &&
  (read.ext ?? '').length <= MAX_EXTENSION_DIGITS

/** The number that a text is, with what people write beside it. */
const readWhole = (text: string): PhoneNumber | undefined => {
  const read = parsePhoneNumberFromString(text, HOME)
  if (isNumber(read)) return read
  const digits = text.replace(/[\s().-]/g, '')
  const abroad = WITHOUT_PLUS.test(digits) ? parsePhoneNumberFromString(`+${digits}`) : undefined
  return isNumber(abroad) ? abroad : undefined
}

/** The characters that may stand between two digits of a number. */
const GAP = '[ \\u00a0.\\-–‑]{0,3}'

/** The rest of a number, after as much as tells it from a date, an amount or the number of a document. */
const digits = (count: number | string) => `(?:${GAP}\\d){${count}}`

const WAYS_TO_WRITE = [
  // within South Africa: 082 555 0133, (021) 555-0142
  `(?:\\(0[1-9]\\d\\)|0[1-9]\\d)${digits(7)}`,
  // from abroad: +27 82 555 0133, 0027 (0)82 555 0133
  `(?:\\(\\+27\\)|\\+27|0027)${GAP}(?:\\(0\\)${GAP})?(?:\\([1-9]\\d\\)|[1-9]\\d)${digits(7)}`,
  // without its plus
  '27 ?[1-9]\\d ?\\d{3} ?\\d{4}',
  // of another country
  `\\+(?!27)[1-9]${digits('1,3')}(?:${GAP}\\(\\d{1,4}\\))?${digits('5,11')}`,
]

/** A number that is no part of a longer word or number. */
const NUMBER = new RegExp(`(?<![\\p{L}\\p{N}+_]|\\d[.-])(?:${WAYS_TO_WRITE.join('|')})(?![\\p{L}\\p{N}])`, 'gu')

/** The telephone numbers among other words, each as it is written. */
export const phonesWritten = (text: string): string[] => (text.match(NUMBER) ?? []).filter(readWhole)

/** The telephone numbers in a text, in their order: `0821234567 / 0215550123` has two. */
export const readPhones = (text: string): PhoneNumber[] => {
  const whole = readWhole(text)
  if (whole) return [whole]
  const parts = text.split(BETWEEN).flatMap((part) => readWhole(part) ?? [])
  if (parts.length > 0) return parts
  return phonesWritten(text).flatMap((written) => readWhole(written) ?? [])
}

const keyOf = ({ number }: PhoneNumber) => number.slice(1)

/**
 * The digits of a telephone number, or of the beginning of one, as they are dialled from abroad: `082 555 0142`,
 * `+27 82 555 0142` and `0027 (0)82 555 0142` are the same. Empty where there are none.
 */
export const dialledDigits = (phone: string): string => {
  const digits = phone.replace(/\(0\)/g, '').replace(/\D/g, '')
  if (digits.startsWith('00')) return digits.slice(2)
  return digits.startsWith('0') ? HOME_CODE + digits.slice(1) : digits
}

/** A number, as it is compared, without the code of South Africa, which its people leave out. */
export const withoutHomeCode = (key: string) => (key.startsWith(HOME_CODE) ? key.slice(HOME_CODE.length) : key)

/** By what a text that has digits, and no number that can be read, is compared; null for what cannot be one. */
const unreadKey = (phone: string): string | null => {
  const digits = dialledDigits(phone)
  return digits.length >= MIN_PHONE_DIGITS && !ONE_DIGIT.test(withoutHomeCode(digits)) ? digits : null
}

/** The ways in which nearly all are written: thousands are compared at once, and the library takes longer. */
const PLAIN = /^(?:\+?27|0) ?([1-9]\d) ?(\d{3}) ?(\d{4})$/

/**
 * The keys by which the numbers in a text are compared, in their order: the same for every way to write a number. A text
 * that has digits, but no number that can be read, is compared by its digits. No keys for a text that cannot be a number,
 * such as all zeros.
 */
export const phoneKeys = (phone: string): string[] => {
  if (!/\p{Nd}/u.test(phone)) return []
  const plain = PLAIN.exec(phone)?.slice(1).join('')
  if (plain !== undefined && !ONE_DIGIT.test(plain)) return [HOME_CODE + plain]
  const keys = readPhones(phone).map(keyOf)
  const unread = keys.length > 0 ? null : unreadKey(phone)
  return unread === null ? keys : [unread]
}

/** The same of the first number, by which people are compared; null where there is none. */
export const phoneKey = (phone: string): string | null => phoneKeys(phone)[0] ?? null

const inWords = (number: PhoneNumber) =>
  number.countryCallingCode === HOME_CODE ? number.formatNational() : number.formatInternational()

/**
 * A number as people read it: `082 123 4567`, `+44 20 7946 0018`. Any other text, also a number with words beside it, stays
 * as typed.
 */
export const shownPhone = (phone: string): string => {
  const number = readWhole(phone)
  return number && (number.ext || !/\p{L}/u.test(phone)) ? inWords(number) : phone
}

/** A link that calls the first number in a text; undefined where there is none that can be read. */
export const dialOf = (phone: string): string | undefined => readPhones(phone)[0]?.getURI()

/** The characters that dial the agency's own number, which always has a link: only the digits if it cannot be read. */
export const dialledOf = (phone: string): string => dialOf(phone)?.slice('tel:'.length) ?? phone.replace(/[^+\d]/g, '')

/**
 * A South African number that is no mobile one. Mobile numbers begin with 06, 07 and 081 to 085: the rest are landlines
 * (01 to 05), toll-free, shared-cost and internet lines (080, 086 to 089), by ICASA's numbering plan.
 */
const HOME_NOT_MOBILE = /^27(?![67]|8[1-5])/

/**
 * A link that opens WhatsApp to the first number in a text that may be a mobile one, with a message filled in; undefined
 * where there is none. Of other countries every number may be one.
 */
export const whatsappTo = (phone: string, text: string): string | undefined => {
  const mobile = readPhones(phone).find((number) => !number.ext && !HOME_NOT_MOBILE.test(keyOf(number)))
  return mobile && `https://wa.me/${keyOf(mobile)}?text=${encodeURIComponent(text)}`
}
