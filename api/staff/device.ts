import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import type { ApiNode } from '../node.ts'

const COOKIE = 'staff_device'
const DAYS = 365
const ID_BYTES = 16

/**
 * The device of a request, and the account that has signed in on it before; undefined on all others. Its failed sign-ins
 * are counted by themselves (OWASP Authentication Cheat Sheet: device cookies), so that strangers who use up an account's
 * limit do not lock its owner out. It proves nothing else: a password is asked for as ever.
 */
export const knownDevice = async (
  { config }: ApiNode,
  c: Context,
): Promise<{ accountId: string; device: string } | undefined> => {
  for (const key of config.secretKeys.cookies) {
    const device = await getSignedCookie(c, key, COOKIE)
    if (device) return { accountId: device.split('.')[0] ?? '', device }
  }
  return undefined
}

/** Marks the device as one on which the account has signed in. */
export const rememberDevice = async ({ config }: ApiNode, c: Context, accountId: string): Promise<void> => {
  const device = `${accountId}.${randomBytes(ID_BYTES).toString('base64url')}`
  await setSignedCookie(c, COOKIE, device, config.secretKeys.cookies[0], {
    httpOnly: true,
    sameSite: 'Strict',
    secure: config.publicUrl.startsWith('https:'),
    path: '/api/login',
    maxAge: DAYS * 24 * 60 * 60,
  })
}
