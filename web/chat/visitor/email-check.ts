import * as v from 'valibot'
import { givenEmail } from '../../../events/chat/given-email.ts'

// Fetched once somebody gives an address: most start a chat without one.

/** What is wrong with an address, by the rule of every form; undefined where it is a good one. */
export const emailProblem = (visitorEmail: string): string | undefined =>
  v.safeParse(givenEmail, { visitorEmail }).issues?.[0].message
