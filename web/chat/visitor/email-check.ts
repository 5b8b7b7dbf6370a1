import * as v from 'valibot'
import { givenEmail } from '../../../events/chat/given-email.ts'

// Loaded once a visitor gives an address: most start a chat without one.

/** The error of a text that is no email address, by the rule of every form; undefined if it is one. */
export const contactProblem = (visitorEmail: string): string | undefined =>
  v.is(givenEmail, { visitorEmail }) ? undefined : 'Please enter a valid email address or phone number'
