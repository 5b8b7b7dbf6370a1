import * as v from 'valibot'
import { agencyDay } from '../base/agency-day.ts'
import { requiredText } from '../base/text.ts'

const MAX_NAME_CHARACTERS = 100

/** The permissions of a token: it opens the routes that declare its scope. */
export const TOKEN_SCOPES = ['leads:read', 'leads:write', 'chats:read'] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** The last day of a token, in the agency's time zone; null for one that does not expire. */
const lastDay = v.pipe(
  v.nullish(v.string(), ''),
  v.check((text) => text === '' || v.is(v.pipe(v.string(), v.isoDate()), text), 'Must be a day such as 2026-01-31'),
  v.check((text) => text === '' || text >= agencyDay(new Date()), 'Choose today or a later day'),
  v.transform((text) => text || null),
)

/** A new token; the body of `POST /api/tokens`. */
export const tokenForm = v.strictObject({
  name: requiredText('Name is required', { max: MAX_NAME_CHARACTERS }),
  scopes: v.pipe(
    v.array(v.picklist(TOKEN_SCOPES, `Must be one of: ${TOKEN_SCOPES.join(', ')}`)),
    v.minLength(1, 'Choose what the token may do'),
    v.transform((scopes) => TOKEN_SCOPES.filter((scope) => scopes.includes(scope))),
  ),
  lastDay,
})

export type TokenForm = v.InferOutput<typeof tokenForm>
