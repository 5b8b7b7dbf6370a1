import * as v from 'valibot'
import { STAFF_ROLES } from '../staff.ts'
import { oneOf, type Received } from './word.ts'

/** The answer of `GET /api/me`: who is signed in. */
export const me = v.object({
  id: v.string(),
  username: v.string(),
  displayName: v.string(),
  role: oneOf(STAFF_ROLES),
})

export type Me = Received<typeof me>

/** An account, for owners. `createdAt` is an ISO 8601 instant. */
export const account = v.object({ ...me.entries, createdAt: v.pipe(v.string(), v.isoTimestamp()) })

export type Account = Received<typeof account>

/** The answer of `GET /api/accounts`, by name. */
export const accounts = v.array(account)

/** Somebody who works for the agency. */
export const colleague = v.object({ id: v.string(), displayName: v.string() })

export type Colleague = Received<typeof colleague>

/** The answer of `GET /api/staff`, by name. */
export const colleagues = v.array(colleague)
