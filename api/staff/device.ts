import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { ApiNode } from '../node/node.ts'
import { hasHostCookies, readStaffCookie, writeStaffCookie } from './staff-cookie.ts'

const COOKIE = 'staff_device'
const DAYS = 365
const ID_BYTES = 16

/**
 * The device of a request, and the account that has signed in on it before; undefined on all others. Its failed
 * sign-ins are counted separately (OWASP Authentication Cheat Sheet: device cookies), so that strangers who use up an
 * account's limit do not lock its owner out. It proves nothing else: the password is still required.
 */
export const knownDevice = async (
  { config }: ApiNode,
  c: Context,
): Promise<{ accountId: string; device: string } | undefined> => {
  const device = await readStaffCookie(config, c, COOKIE, hasHostCookies(config) ? 'host' : undefined)
  return device ? { accountId: device.split('.')[0] ?? '', device } : undefined
}

/** Marks the device as one on which the account has signed in. */
export const rememberDevice = async ({ config }: ApiNode, c: Context, accountId: string): Promise<void> => {
  const device = `${accountId}.${randomBytes(ID_BYTES).toString('base64url')}`
  await writeStaffCookie(config, c, COOKIE, device, { maxAge: DAYS * 24 * 60 * 60 })
}
