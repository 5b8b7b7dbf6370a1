import { createHash, randomBytes } from 'node:crypto'
import type { RedisClient } from '../../events/log/redis.ts'

const TOKEN_BYTES = 24
const VALID_S = 60 * 60

/** Redis keeps a hash alone: who reads it there cannot sign in by it. */
const keyOf = (prefix: string, token: string) =>
  `${prefix}sign-in-link:${createHash('sha256').update(token).digest('base64url')}`

/**
 * Makes the token of a link by which an account's device counts as one that it has signed in on before, for an hour: the
 * way in for somebody on a new device while strangers use up the account's attempts. A password is asked for as ever.
 */
export const makeSignInLink = async (redis: RedisClient, prefix: string, accountId: string): Promise<string> => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await redis.set(keyOf(prefix, token), accountId, 'EX', VALID_S)
  return token
}

/** Whom the token of a link lets in, and what its attempts are counted by; undefined where it is over, or Redis is away. */
export const readSignInLink = async (
  { redis, prefix }: { redis: RedisClient; prefix: string },
  token: string,
): Promise<{ accountId: string; device: string } | undefined> => {
  const key = keyOf(prefix, token)
  const accountId = await redis.get(key).catch(() => null)
  return accountId ? { accountId, device: key } : undefined
}

/** Ends a link that somebody has come in by. It ends by itself within the hour where Redis is away. */
export const endSignInLink = async (
  { redis, prefix }: { redis: RedisClient; prefix: string },
  token: string,
): Promise<void> => {
  await redis.del(keyOf(prefix, token)).catch(() => 0)
}
