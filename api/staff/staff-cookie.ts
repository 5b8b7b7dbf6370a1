import type { Context } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import type { Config } from '../node/config.ts'

/**
 * Whether cookies have the prefix `__Host-`: with it no other host of the domain can set one, nor a response that was
 * not encrypted. Browsers accept it by https alone.
 */
export const hasHostCookies = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl.startsWith('https:')

/** The value of a request's cookie if one of our keys has signed it. */
export const readStaffCookie = async (
  { signingKeys }: Pick<Config, 'signingKeys'>,
  c: Context,
  name: string,
  prefix?: 'host',
): Promise<string | undefined> => {
  for (const key of signingKeys.cookies) {
    const value = await getSignedCookie(c, key, name, prefix)
    if (value) return value
  }
  return undefined
}

/** Sets a signed cookie that scripts and other sites cannot use. */
export const writeStaffCookie = async (
  config: Pick<Config, 'publicUrl' | 'signingKeys'>,
  c: Context,
  name: string,
  value: string,
  until: { expires: Date } | { maxAge: number },
): Promise<void> => {
  const isEncrypted = hasHostCookies(config)
  await setSignedCookie(c, name, value, config.signingKeys.cookies[0], {
    httpOnly: true,
    sameSite: 'Strict',
    secure: isEncrypted,
    path: '/',
    ...(isEncrypted && { prefix: 'host' }),
    ...until,
  })
  if (isEncrypted) deleteCookie(c, name, { path: '/' })
}

/** Deletes a cookie in the browser. */
export const deleteStaffCookie = (config: Pick<Config, 'publicUrl'>, c: Context, name: string): void => {
  if (hasHostCookies(config)) deleteCookie(c, name, { prefix: 'host', path: '/', secure: true })
  deleteCookie(c, name, { path: '/' })
}
