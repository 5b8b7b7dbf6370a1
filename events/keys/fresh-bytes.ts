import { randomFillSync } from 'node:crypto'

/** The number of random bytes fetched at once: each system call costs more than the bytes. */
const POOL_BYTES = 8_192

const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Returns random bytes for a key or a nonce, at most 8 KiB. No copy of them stays. */
export const freshBytes = (count: number): Buffer => {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + count))
  pool.fill(0, used, used + count)
  used += count
  return bytes
}
