import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { openPlaces } from '../../events/stores/postgres/slots.ts'
import type { AcceptedPassword } from './accepted-password.ts'

/** OWASP's second choice for argon2id (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const PARALLELISM = 1
const HASH_BYTES = 32
const SALT_BYTES = 16

const derive = promisify(argon2)

type Costs = { memory: number; passes: number; parallelism: number }

const COSTS: Costs = { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM }

/** Each takes 19 MiB and a thread: a crowd of strangers must not use up those of all other callers. */
const HASHES_AT_ONCE = 2
/** Requests that wait longer, or behind more others, are refused with a BusyError. In milliseconds. */
const HASHES_WAITING = { most: 100, ms: 5_000 }

/**
 * Staff, and devices on which an account has signed in, have a queue of their own: a crowd of strangers fills the
 * other.
 */
const places = { strangers: openPlaces(HASHES_AT_ONCE, HASHES_WAITING), known: openPlaces(1, HASHES_WAITING) }

/** The caller that requested the hash. */
export type HashCaller = keyof typeof places

const hashWith = (password: string, nonce: Buffer, { costs, caller }: { costs: Costs; caller: HashCaller }) =>
  places[caller].use(() =>
    derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: HASH_BYTES, ...costs }),
  )

/** The parameters that a hash was made with: older hashes stay valid when ours are raised. */
const costsOf = (stored: string | undefined): Costs => {
  const [, m, t, p] = /\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored ?? '') ?? []
  return m && t && p ? { memory: Number(m), passes: Number(t), parallelism: Number(p) } : COSTS
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** Hashes a password with argon2id, in the PHC string format. */
export const hashPassword = async (password: AcceptedPassword): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashWith(password, salt, { costs: COSTS, caller: 'known' })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Whether a password matches a hash. Takes as long without a hash (undefined), and returns false.
 *
 * @throws BusyError if too many callers of the same kind wait
 */
export const verifyPassword = async (
  password: string,
  stored: string | undefined,
  caller: HashCaller,
): Promise<boolean> => {
  const [, , , , salt = '', expected = ''] = stored?.split('$') ?? []
  const nonce = salt ? Buffer.from(salt, 'base64') : Buffer.alloc(SALT_BYTES)
  const hash = await hashWith(password, nonce, { costs: costsOf(stored), caller })
  const known = Buffer.from(expected, 'base64')
  return known.length === hash.length && timingSafeEqual(known, hash)
}
