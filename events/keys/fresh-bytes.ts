import { randomFillSync } from 'node:crypto'

/** This many are asked of the system at once: each call of it costs more than the bytes. */
const POOL_BYTES = 8_192

const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Random bytes for a key or a nonce, at most 8 KiB. What is given out is kept nowhere else. */
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
