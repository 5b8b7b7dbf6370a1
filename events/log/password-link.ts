import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Sql } from './connection.ts'
import type { SecretKeys } from './secret-keys.ts'

type Keys = Pick<SecretKeys, 'passwordLinks'>

/** An account, with what changes as soon as it has another password. */
export type ResetAccount = { id: string; username: string; passwordHash: string }

const TOKEN = /^([0-9a-f-]{36})\.([0-9a-z]{1,11})\.([\w-]{43})$/
const RADIX = 36

/**
 * The hash of the password goes in, which has a salt of its own: once a link was used, or the password changed, it is
 * over.
 */
const macBy = (key: string, { id, passwordHash }: ResetAccount, expires: string) =>
  createHmac('sha256', key).update(`${id}.${expires}.${passwordHash}`).digest('base64url')

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
export const findResetAccount = async (sql: Sql, id: string): Promise<ResetAccount | undefined> => {
  const [account] = await sql<ResetAccount[]>`
    select id, username, password_hash as "passwordHash" from staff where id = ${id} and removed_at is null`
  return account
}
