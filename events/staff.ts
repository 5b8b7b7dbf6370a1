import * as v from 'valibot'
import { requiredText } from './text.ts'

/** What staff send to sign in; the body of `POST /api/login`. The limits keep the password hash's cost bounded. */
export const signIn = v.object({
  username: requiredText('Username is required', { max: 100 }),
  password: v.pipe(
    v.nullish(v.string('Password is required'), ''),
    v.minLength(1, 'Password is required'),
    v.maxLength(1_000, 'Must be at most 1000 characters'),
  ),
})

/** Who is signed in, as `GET /api/me` answers. */
export type Me = { username: string; displayName: string }
