import { phoneKey } from '../../../events/person.ts'

/** A link that calls a number. What is dialled within a country only, the 0 of `+27 (0)83`, is left out after its code. */
export const dialOf = (phone: string) =>
  `tel:${phone.replace(/^(\s*(?:\+|00)[^(]*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`

/**
 * A South African number that is no mobile one. Mobile numbers begin with 06, 07 and 081 to 085: the rest are landlines
 * (01 to 05), toll-free, shared-cost and internet lines (080, 086 to 089), by ICASA's numbering plan.
 */
const SOUTH_AFRICAN_NOT_MOBILE = /^27(?![67]|8[1-5])/

/**
 * A link that opens WhatsApp to a number with a message filled in; undefined for what is no number, and for a South African
 * one that is no mobile number. Of other countries every number may be one.
 */
export const whatsappTo = (phone: string, text: string): string | undefined => {
  const digits = phoneKey(phone)
  return digits === null || SOUTH_AFRICAN_NOT_MOBILE.test(digits)
    ? undefined
    : `https://wa.me/${digits}?text=${encodeURIComponent(text)}`
}
