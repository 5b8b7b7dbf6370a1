import { isSignature, type SigningKeys, signatureOf } from '../../keys/signing-keys.ts'
import type { Queryable } from '../../log/decode.ts'

type Keys = Pick<SigningKeys, 'passwordLinks'>

/** An account, with the hash that changes with its password, and its newest link: no other is open. */
export type ResetAccount = { id: string; username: string; passwordHash: string; linkId: string }

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-z]{1,11})\.([\w-]{43})$/
const RADIX = 36

/**
 * The signature covers the hash of the password, which has a salt of its own: a link is invalid once it was used, or the
 * password changed.
 */
const signed = ({ id, passwordHash, linkId }: ResetAccount, expires: string) =>
  [id, expires, passwordHash, linkId].join('.')

/** The token of a link by which an account chooses a new password once, until it expires. Nothing of it is stored. */
export const passwordLinkToken = ({ passwordLinks }: Keys, account: ResetAccount, expires: Date): string => {
  const until = expires.getTime().toString(RADIX)
  return `${account.id}.${until}.${signatureOf(passwordLinks, signed(account, until))}`
}

/** The account that a token names, whether or not it is genuine; undefined if it is not a token. */
export const accountOfToken = (token: string): string | undefined => TOKEN.exec(token)?.[1]

/** Whether a token is genuine, for the current state of this account, and not expired. */
export const isPasswordLink = (
  { passwordLinks }: Keys,
  token: string,
  { account, now }: { account: ResetAccount; now: Date },
): boolean => {
  const [, id, until = '', mac = ''] = TOKEN.exec(token) ?? []
  if (id !== account.id || now.getTime() >= Number.parseInt(until, RADIX)) return false
  return isSignature(passwordLinks, signed(account, until), mac)
}

/** The address of such a link. The part after the # never reaches a server or its logs. */
export const passwordLinkUrl = (publicUrl: string, token: string) => `${publicUrl}/login#password=${token}`

/** The data for the link of an account; undefined if there is no such account. */
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
