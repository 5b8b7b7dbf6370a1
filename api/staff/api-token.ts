import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { addDays, startOfDay } from '../../events/base/agency-day.ts'
import type { Sent } from '../../events/base/word.ts'
import { apiTokenMade, apiTokenRevoked } from '../../events/staff/account-history.ts'
import type { TokenForm, TokenScope } from '../../events/staff/api-token.ts'
import type { apiToken, madeToken } from '../../events/staff/api-token-wire.ts'
import { inTransaction, type Sql } from '../../events/stores/connection.ts'
import { holdOwners } from './owners.ts'
import type { Trail } from './trail.ts'

/** The beginning of every token, by which it is recognised when found in a file. */
const BEGINNING = 'agency_'
const TOKEN_BYTES = 32
/** The number of characters of a token that are stored to recognise it by; 208 bits of it stay secret. */
const PREFIX_CHARACTERS = BEGINNING.length + 8
/** The list shows all of them. */
const MAX_TOKENS = 100

/** A program's valid token. */
export type ValidToken = { id: string; scopes: TokenScope[]; tokenHash: Buffer }

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Whether a token is valid, in SQL. */
export const isValidToken = (sql: Sql) => sql`(revoked_at is null and (expires_at is null or expires_at > now()))`

/** The valid token of a program; stores its last use, at most once a minute. */
export const findToken = async (sql: Sql, token: string): Promise<ValidToken | undefined> => {
  const [found] = await sql<(ValidToken & { isNoteDue: boolean })[]>`
    select id, scopes, token_hash as "tokenHash",
      (last_used_at is null or last_used_at < now() - interval '1 minute') as "isNoteDue"
    from api_tokens where token_hash = ${hashOf(token)} and ${isValidToken(sql)}`
  if (!found) return undefined
  const { isNoteDue, ...valid } = found
  if (isNoteDue) await sql`update api_tokens set last_used_at = now() where id = ${found.id}`
  return valid
}

type Row = Omit<Sent<typeof apiToken>, 'madeAt' | 'expiresAt' | 'lastUsedAt'> & {
  madeAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** All tokens that are not revoked, newest first, including expired ones. */
export const listTokens = async (sql: Sql): Promise<Sent<typeof apiToken>[]> => {
  const rows = await sql<Row[]>`
    select api_tokens.id, name, scopes, prefix, display_name as "madeBy", made_by as "madeById", made_at as "madeAt",
      expires_at as "expiresAt", last_used_at as "lastUsedAt", ended_by_restore as "isEndedByRestore"
    from api_tokens join staff on staff.id = made_by
    where revoked_at is null order by made_at desc, api_tokens.id`
  return rows.map((row) => ({
    ...row,
    madeAt: row.madeAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }))
}

/** Creates a token, which is not stored itself; undefined if the maximum number is reached. */
export const makeToken = (
  sql: Sql,
  { name, scopes, lastDay }: TokenForm,
  madeBy: string,
  { by, from, note }: Trail,
): Promise<Sent<typeof madeToken> | undefined> =>
  inTransaction(sql, async (tx) => {
    await holdOwners(tx, madeBy)
    const [existing] = await tx<{ count: number }[]>`
      select count(*)::integer as count from api_tokens where revoked_at is null`
    if (existing && existing.count >= MAX_TOKENS) return undefined
    const id = randomUUID()
    const token = BEGINNING + randomBytes(TOKEN_BYTES).toString('base64url')
    const expiresAt = lastDay === null ? null : startOfDay(addDays(lastDay, 1))
    const prefix = token.slice(0, PREFIX_CHARACTERS)
    await tx`
      insert into api_tokens (id, name, scopes, prefix, token_hash, made_by, expires_at)
      values (${id}, ${name}, ${scopes}, ${prefix}, ${hashOf(token)}, ${madeBy}, ${expiresAt})`
    await note(apiTokenMade({ tokenId: id, scopes, expiresAt: expiresAt?.toISOString() ?? null, by, from }))
    return { id, token }
  })

/** Revokes a token for good. Returns false if there is no valid one. */
export const revokeToken = (sql: Sql, id: string, { by, from, note }: Trail): Promise<boolean> =>
  inTransaction(sql, async (tx) => {
    const revoked = await tx`
      update api_tokens set revoked_at = now() where id = ${id} and revoked_at is null returning 1`
    if (revoked.length === 0) return false
    await note(apiTokenRevoked({ tokenId: id, by, from }))
    return true
  })
