import { phoneKey } from '../../../events/person.ts'

/** A link that calls a number. What is dialled within a country only, the 0 of `+27 (0)83`, is left out after its code. */
export const dialOf = (phone: string) =>
  `tel:${phone.replace(/^(\s*(?:\+|00)[^(]*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`

/** A link that opens WhatsApp to a number with a message filled in; undefined for what cannot be a number. */
export const whatsappTo = (phone: string, text: string): string | undefined => {
  const digits = phoneKey(phone)
  return digits === null ? undefined : `https://wa.me/${digits}?text=${encodeURIComponent(text)}`
}
