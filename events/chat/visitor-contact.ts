import * as v from 'valibot'
import { requiredEmail } from '../base/text.ts'

/** A text that is a telephone number and nothing else: its usual characters, and 9 to 15 digits (E.164). */
const PHONE = /^(?=(?:\D*\d){9,15}\D*$)[+(\d][\d\s()./\-\u2011\u2013]*$/

const NO_PHONE = 'Please enter a valid phone number'

/** The telephone number that a visitor gives instead of an email address. */
export const visitorPhone = v.pipe(
  v.string(NO_PHONE),
  v.trim(),
  v.maxLength(40, 'Must be at most 40 characters'),
  v.regex(PHONE, NO_PHONE),
)

/** Whether a text is a telephone number by the form in which chats take one. */
export const isVisitorPhone = (text: string): boolean => v.is(visitorPhone, text)

const address = requiredEmail('No address')

/**
 * Whether a visitor who has left can be reached: they gave a telephone number, or an address that email can be sent to.
 * They may have entered anything as their address.
 */
export const isReachable = (visitor: { visitorEmail: string | null; visitorPhone?: string | undefined }): boolean =>
  visitor.visitorPhone !== undefined || v.is(address, visitor.visitorEmail)
