/** South Africa's country code: numbers that begin with a single 0 are dialled within it. */
const COUNTRY_CODE = '27'

/** What is shorter is no whole number, and tells nobody apart. */
const MIN_PHONE_DIGITS = 9

/**
 * The digits of a telephone number, or of the beginning of one, as they are dialled from abroad: `082 555 0142`,
 * `+27 82 555 0142` and `0027 (0)82 555 0142` are the same. Empty where there are none.
 */
export const dialledDigits = (phone: string): string => {
  const digits = phone.replace(/\(0\)/g, '').replace(/\D/g, '')
  if (digits.startsWith('00')) return digits.slice(2)
  return digits.startsWith('0') ? COUNTRY_CODE + digits.slice(1) : digits
}

/** What a telephone number has in common with all ways to write it; null for what cannot be one, such as all zeros. */
export const phoneKey = (phone: string): string | null => {
  const digits = dialledDigits(phone)
  const isNumber = digits.length >= MIN_PHONE_DIGITS && !/^(27)?(\d)\2*$/.test(digits)
  return isNumber ? digits : null
}

/** What an e-mail address has in common with all ways to write it; null where there is none. */
export const emailKey = (email: string | null): string | null => email?.trim().toLowerCase() || null

/** All that a person is compared by: their address and their number, as far as they have any. */
export const personKeys = ({ email, phone }: { email: string; phone: string }): string[] =>
  [emailKey(email), phoneKey(phone)].filter((key) => key !== null)
