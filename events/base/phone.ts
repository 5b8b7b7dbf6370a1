import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Numbers without a country code are dialled within South Africa, with 9 digits after the 0. */
const HOME = 'ZA'
const HOME_CODE = '27'
const HOME_DIGITS = 9

const MAX_EXTENSION_DIGITS = 6

/** People who do not want to give a number repeat one digit, such as all ones. */
const ONE_DIGIT = /^(\d)\1*$/

/** A shorter text is not a complete number, and does not distinguish people. */
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

/** The number in a text that holds nothing else but the usual additions. */
const readWhole = (text: string): PhoneNumber | undefined => {
  const read = parsePhoneNumberFromString(text, HOME)
  if (isNumber(read)) return read
  const digits = text.replace(/[\s().-]/g, '')
  const abroad = WITHOUT_PLUS.test(digits) ? parsePhoneNumberFromString(`+${digits}`) : undefined
  return isNumber(abroad) ? abroad : undefined
}

/** The characters allowed between two digits of a number. */
const GAP = '[ \\u00a0.\\-–‑]{0,3}'

/**
 * The remaining digits of a number, after a beginning that distinguishes it from a date, an amount or a document
 * number.
 */
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

/** A number that is not part of a longer word or number. */
const NUMBER = new RegExp(`(?<![\\p{L}\\p{N}+_]|\\d[.-])(?:${WAYS_TO_WRITE.join('|')})(?![\\p{L}\\p{N}])`, 'gu')

/** The telephone numbers in a text, each as written. */
export const phonesWritten = (text: string): string[] => (text.match(NUMBER) ?? []).filter(readWhole)

/** The telephone numbers in a text, in their order: `0821234567 / 0215550123` has two. */
export const readPhones = (text: string): PhoneNumber[] => {
  const whole = readWhole(text)
  return whole ? [whole] : readParts(text)
}

const readParts = (text: string): PhoneNumber[] => {
  const parts = text.split(BETWEEN).flatMap((part) => readWhole(part) ?? [])
  if (parts.length > 0) return parts
  return phonesWritten(text).flatMap((written) => readWhole(written) ?? [])
}

const keyOf = ({ number }: PhoneNumber) => number.slice(1)

/**
 * The digits of a telephone number, or of the beginning of one, as dialled from abroad: `082 555 0142`, `+27 82 555
 * 0142` and `0027 (0)82 555 0142` are the same. Empty if there are none.
 */
export const dialledDigits = (phone: string): string => {
  const digits = phone.replace(/\(0\)/g, '').replace(/\D/g, '')
  if (digits.startsWith('00')) return digits.slice(2)
  return digits.startsWith('0') ? HOME_CODE + digits.slice(1) : digits
}

/** A number in its compared form, without the country code of South Africa, which people there leave out. */
export const withoutHomeCode = (key: string) => (key.startsWith(HOME_CODE) ? key.slice(HOME_CODE.length) : key)

/** The compared form of a text with digits but no readable number; null if it cannot be a number. */
const unreadKey = (phone: string): string | null => {
  const digits = dialledDigits(phone)
  return digits.length >= MIN_PHONE_DIGITS && !ONE_DIGIT.test(withoutHomeCode(digits)) ? digits : null
}

/** The usual ways to write a number: thousands are compared at once, and the library is slower. */
const PLAIN = /^(?:\+?27|0) ?([1-9]\d) ?(\d{3}) ?(\d{4})$/

/**
 * The keys by which the numbers in a text are compared, in order: the same for every way to write a number. A text with
 * digits but no readable number is compared by its digits. A text that cannot be a number, such as all zeros, has no
 * keys.
 */
export const phoneKeys = (phone: string): string[] => {
  if (!/\p{Nd}/u.test(phone)) return []
  const plain = PLAIN.exec(phone)?.slice(1).join('')
  if (plain !== undefined && !ONE_DIGIT.test(plain)) return [HOME_CODE + plain]
  const keys = readPhones(phone).map(keyOf)
  const unread = keys.length > 0 ? null : unreadKey(phone)
  return unread === null ? keys : [unread]
}

/** The key of the first number, by which people are compared; null if there is none. */
export const phoneKey = (phone: string): string | null => phoneKeys(phone)[0] ?? null

const inWords = (number: PhoneNumber) =>
  number.countryCallingCode === HOME_CODE ? number.formatNational() : number.formatInternational()

const shownAs = (phone: string, whole: PhoneNumber | undefined) =>
  whole && (whole.ext || !/\p{L}/u.test(phone)) ? inWords(whole) : phone

/**
 * A number as people read it: `082 123 4567`, `+44 20 7946 0018`. Any other text, such as a number with words around
 * it, stays as typed.
 */
export const shownPhone = (phone: string): string => shownAs(phone, readWhole(phone))

/**
 * A South African number that is not a mobile one. Mobile numbers begin with 06, 07 and 081 to 085: the rest are
 * landlines (01 to 05), toll-free, shared-cost and internet lines (080, 086 to 089), by ICASA's numbering plan.
 */
const HOME_NOT_MOBILE = /^27(?![67]|8[1-5])/

/**
 * A text with a telephone number as people read it, and links that call its first number and open WhatsApp for its first
 * number that may be a mobile one, as any foreign number may. Null if no number can be read.
 */
export const phoneLinks = (phone: string): { shown: string; call: string; whatsapp: string | null } | null => {
  const whole = readWhole(phone)
  const numbers = whole ? [whole] : readParts(phone)
  const [first] = numbers
  if (!first) return null
  const mobile = numbers.find((number) => !number.ext && !HOME_NOT_MOBILE.test(keyOf(number)))
  const whatsapp = mobile ? `https://wa.me/${keyOf(mobile)}` : null
  return { shown: shownAs(phone, whole), call: first.getURI(), whatsapp }
}

/** The characters that dial the agency's own number, which always has a link: only the digits if it cannot be read. */
export const dialledOf = (phone: string): string =>
  phoneLinks(phone)?.call.slice('tel:'.length) ?? phone.replace(/[^+\d]/g, '')
