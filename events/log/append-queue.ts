import { LogError } from '../keys/errors.ts'
import type { Appended } from './append.ts'
import { type Pending, takeBatch } from './batch.ts'
import { unavailable } from './committer.ts'

const MAX_QUEUED_REQUESTS = 10_000
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
const APPEND_DEADLINE_MS = 10_000
/**
 * The minimum size of a share if more is waiting: eight events take Postgres little longer than one, and in smaller
 * batches a burst waits for several of them in turn.
 */
const MIN_SHARE = 8

/** A request that is ready to be sent: encrypted lines, proposed keys, metadata. */
export type Ready = Omit<Pending, 'bytes' | 'deadline'>

/**
 * The requests of an appender until they are settled: those that wait, in order, and those under way. Bounded in number
 * and bytes.
 */
export const openAppendQueue = () => {
  const waiting: Pending[] = []
  let requests = 0
  let bytes = 0

  const settle = (pending: Pending, outcome: Appended | LogError) => {
    requests -= 1
    bytes -= pending.bytes
    pending.settle(outcome)
  }

  return {
    /** Requests that wait or are under way. */
    get requests() {
      return requests
    },
    get isEmpty() {
      return waiting.length === 0
    },
    settle,
    /** Adds a request at the end. Throws `log_full` if the queue is full. */
    push: (ready: Ready): void => {
      const size = ready.lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
      if (requests >= MAX_QUEUED_REQUESTS || bytes + size > MAX_QUEUED_BYTES) {
        throw new LogError('log_full', `Too much is waiting to be stored (at most ${MAX_QUEUED_REQUESTS} requests)`)
      }
      requests += 1
      bytes += size
      waiting.push({ ...ready, bytes: size, deadline: performance.now() + APPEND_DEADLINE_MS })
    },
    /** Takes the oldest that make up a batch: one of `shares` equal shares, and at least `MIN_SHARE` requests. */
    takeShare: (shares: number): Pending[] => takeBatch(waiting, Math.max(MIN_SHARE, Math.ceil(requests / shares))),
    /** Refuses those that have waited for too long. */
    expire: () => {
      const now = performance.now()
      const alive = waiting.findIndex(({ deadline }) => deadline > now)
      const expired = waiting.splice(0, alive === -1 ? waiting.length : alive)
      for (const pending of expired) settle(pending, unavailable(new Error('the batches before it took too long')))
    },
  }
}
