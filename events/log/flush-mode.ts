/** A disk that flushes faster than this is not worth waiting for apart from the commit, in milliseconds. */
const FAST_FLUSH_MS = 1

/** The fastest of this many flushes decides: a busy process measures some of them too long. */
const FLUSHES_MEASURED = 4

/** The time until a disk that was fast is measured again, in milliseconds. */
const JOINED_FOR_MS = 1_000

/**
 * The way in which an appender waits for the disk:
 *
 * - `apart`, at first and on slow disks: two batches are in flight, each a share of the waiting requests. A batch commits without
 *   waiting, and one flush after it, outside the head's lock, serves several batches. Each such flush is measured.
 * - `joined`, on fast disks: one batch at a time takes all waiting requests, or half of all if they are many, and its commit
 *   waits for the disk. Larger batches and no separate flush save processor time.
 *
 * `apart` becomes `joined` when the fastest of four flushes took less than a millisecond. `joined` becomes `apart` after a second,
 * to measure the disk again. A request that waits alone is always flushed by its own commit.
 */
export class FlushMode {
  #measured: number[] = []
  #joinedUntil = 0

  isJoined(now: number): boolean {
    return now < this.#joinedUntil
  }

  /** Records the duration of one flush that waited for no other. */
  flushed(ms: number, now: number): void {
    this.#measured.push(ms)
    if (this.#measured.length < FLUSHES_MEASURED) return
    if (Math.min(...this.#measured) < FAST_FLUSH_MS) this.#joinedUntil = now + JOINED_FOR_MS
    this.#measured = []
  }
}
