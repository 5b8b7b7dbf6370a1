import * as v from 'valibot'
import { oneOf, type Received } from '../base/word.ts'
import { TOKEN_SCOPES } from './api-token.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/**
 * A token as owners see it. `prefix` is how it begins; `madeBy` is the name of the account `madeById`; `expiresAt` is null
 * for one without an end.
 * `isEndedByRestore`: it was good in a backup that was restored.
 */
export const apiToken = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(oneOf(TOKEN_SCOPES)),
  prefix: v.string(),
  madeBy: v.string(),
  madeById: v.string(),
  madeAt: instant,
  expiresAt: v.nullable(instant),
  lastUsedAt: v.nullable(instant),
  isEndedByRestore: v.boolean(),
})

export type ApiToken = Received<typeof apiToken>

/** The response of `GET /api/tokens`: those that are not revoked, newest first. */
export const apiTokens = v.array(apiToken)

/** The response of `POST /api/tokens`: the token itself, shown only this once. */
export const madeToken = v.object({ id: v.string(), token: v.string() })
