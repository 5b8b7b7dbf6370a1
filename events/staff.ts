import * as v from 'valibot'
import { requiredText } from './text.ts'

/** The shortest password that a staff account may have, in characters. */
export const MIN_PASSWORD_CHARACTERS = 8
const MAX_PASSWORD_CHARACTERS = 1_000

/** What staff may do: an owner also keeps accounts and settings and erases people; an agent works with leads and chats. */
export const STAFF_ROLES = ['owner', 'agent'] as const

export type StaffRole = (typeof STAFF_ROLES)[number]

/** What staff send to sign in; the body of `POST /api/login`. The limits keep the password hash's cost bounded. */
export const signIn = v.object({
  username: requiredText('Username is required', { max: 100 }),
  password: v.pipe(
    v.nullish(v.string('Password is required'), ''),
    v.minLength(1, 'Password is required'),
    v.maxLength(MAX_PASSWORD_CHARACTERS, `Must be at most ${MAX_PASSWORD_CHARACTERS} characters`),
  ),
})

/** Who is signed in, as `GET /api/me` answers. */
export type Me = { id: string; username: string; displayName: string; role: StaffRole }

/** Somebody who works for the agency, as `GET /api/staff` lists them for all staff, by name. */
export type Colleague = { id: string; displayName: string }
