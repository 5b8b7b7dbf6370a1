/** The most common mail providers of South African visitors. */
const COMMON = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'live.com',
  'webmail.co.za',
  'mweb.co.za',
  'vodamail.co.za',
  'telkomsa.net',
]
/** Real domains that look like a typing mistake of another. */
const REAL = ['mail.com', 'ymail.com', 'email.com', 'mailbox.co.za']

/** Whether one missing, extra, wrong or swapped letter turns one into the other. */
const isOneSlipFrom = (one: string, other: string): boolean => {
  if (one.length > other.length) return isOneSlipFrom(other, one)
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1)
  const isSwapped = one[at] === other[at + 1] && one[at + 1] === other[at]
  return one.slice(at + 1) === other.slice(at + 1) || (isSwapped && one.slice(at + 2) === other.slice(at + 2))
}

/** The address that was probably meant, such as `anna@gmail.com` for `anna@gmial.com`; undefined if it looks right. */
export const suggestedAddress = (address: string): string | undefined => {
  const [name, typed = '', ...rest] = address.trim().split('@')
  const domain = typed.toLowerCase()
  if (!name || rest.length > 0 || [...COMMON, ...REAL].includes(domain)) return undefined
  const suggested = COMMON.find((common) => isOneSlipFrom(domain, common))
  return suggested && `${name}@${suggested}`
}
