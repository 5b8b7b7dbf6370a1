import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../../keys/secret-keys.ts'
import type { Queryable } from '../../log/decode.ts'

type Keys = Pick<SecretKeys, 'passwordLinks'>

/** An account, with what changes as soon as it has another password, and its newest link: no other is open. */
export type ResetAccount = { id: string; username: string; passwordHash: string; linkId: string }

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-z]{1,11})\.([\w-]{43})$/
const RADIX = 36

/**
 * The hash of the password goes in, which has a salt of its own: once a link was used, or the password changed, it is
 * over.
 */
const macBy = (key: string, { id, passwordHash, linkId }: ResetAccount, expires: string) =>
  createHmac('sha256', key).update([id, expires, passwordHash, linkId].join('.')).digest('base64url')

/** The token of a link by which an account chooses a new password once, until it expires. Nothing of it is stored. */
export const passwordLinkToken = ({ passwordLinks: [active] }: Keys, account: ResetAccount, expires: Date): string => {
  const until = expires.getTime().toString(RADIX)
  return `${account.id}.${until}.${macBy(active, account, until)}`
}

/** The account that a token names, whether or not it is genuine; undefined for what is no token. */
export const accountOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[1]

/** Whether a token is one of ours, for this account as it is now, and not over. */
export const isPasswordLink = (
  { passwordLinks }: Keys,
  token: string,
  { account, now }: { account: ResetAccount; now: Date },
): boolean => {
  const [, id, until = '', mac = ''] = TOKEN.exec(token) ?? []
  if (id !== account.id || now.getTime() >= Number.parseInt(until, RADIX)) return false
  const given = Buffer.from(mac)
  return passwordLinks.some((key) => {
    const expected = Buffer.from(macBy(key, account, until))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** The address that such a link has. What is behind the # never reaches a server, nor its logs. */
export const passwordLinkUrl = (publicUrl: string, token: string) => `${publicUrl}/login#password=${token}`

/** What a link of an account is made of; undefined where there is none. */
export const findResetAccount = async (sql: Queryable, id: string): Promise<ResetAccount | undefined> => {
  const [account] = await sql<ResetAccount[]>`
    select id, username, password_hash as "passwordHash", password_link_id as "linkId" from staff where id = ${id} and removed_at is null`
  return account
}

/** Makes a link of an account its newest, which closes older ones. `by` is the owner who hands it over, if one does. */
export const openPasswordLink = (
  sql: Queryable,
  accountId: string,
  { linkId, by }: { linkId: string; by: string | null },
) => sql`
  update staff set password_link_id = ${linkId}, password_link_by = ${by} where id = ${accountId} and removed_at is null`

/** Closes the links that an owner has made for others. */
export const closePasswordLinksBy = (sql: Queryable, ownerId: string) =>
  sql`update staff set password_link_id = gen_random_uuid(), password_link_by = null where password_link_by = ${ownerId}`
