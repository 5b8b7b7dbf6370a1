import * as v from 'valibot'
import { givenEmail } from '../../../events/chat/given-email.ts'

// Loaded once a visitor gives an address: most start a chat without one.

/** The error of an address, by the rule of every form; undefined if it is valid. */
export const emailProblem = (visitorEmail: string): string | undefined =>
  v.safeParse(givenEmail, { visitorEmail }).issues?.[0].message
