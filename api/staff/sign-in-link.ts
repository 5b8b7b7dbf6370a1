import { createHash, randomBytes } from 'node:crypto'
import type { RedisClient } from '../../events/stores/redis/redis.ts'

const TOKEN_BYTES = 24
const VALID_S = 60 * 60

/** Redis stores a hash only: a reader of Redis cannot sign in by it. */
const keyOf = (prefix: string, token: string) =>
  `${prefix}sign-in-link:${createHash('sha256').update(token).digest('base64url')}`

/**
 * Makes the token of a link by which a device counts as one that the account has used before, for an hour: the way in
 * for a staff member on a new device while strangers use up the account's attempts. The password is still required.
 */
export const makeSignInLink = async (redis: RedisClient, prefix: string, accountId: string): Promise<string> => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await redis.set(keyOf(prefix, token), accountId, 'EX', VALID_S)
  return token
}

/** The account of a link's token, and the mark that counts its attempts; undefined if expired, or Redis is away. */
export const readSignInLink = async (
  { redis, prefix }: { redis: RedisClient; prefix: string },
  token: string,
): Promise<{ accountId: string; device: string } | undefined> => {
  const key = keyOf(prefix, token)
  const accountId = await redis.get(key).catch(() => null)
  return accountId ? { accountId, device: key } : undefined
}

/** Ends a used link. While Redis is away it expires by itself within the hour. */
export const endSignInLink = async (
  { redis, prefix }: { redis: RedisClient; prefix: string },
  token: string,
): Promise<void> => {
  await redis.del(keyOf(prefix, token)).catch(() => 0)
}
