import { LogError } from '../keys/errors.ts'
import type { Appended } from './append.ts'
import { type Pending, takeBatch } from './batch.ts'
import { unavailable } from './committer.ts'

const MAX_QUEUED_REQUESTS = 10_000
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
const APPEND_DEADLINE_MS = 10_000
/**
 * All requests are divided into equal shares, of at least this many: Postgres takes little longer for eight events than
 * for one, and smaller batches would make a burst wait for several of them, one after the other.
 */
type Division = { shares: number; least: number }

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

  const sizeOf = ({ shares, least }: Division) => Math.max(least, Math.floor(requests / shares))

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
    /** Whether a share waits. */
    holds: (division: Division): boolean => waiting.length >= sizeOf(division),
    /** Takes the oldest requests as a batch: a share, or all if too few would be left. */
    takeShare: (division: Division): Pending[] => {
      const size = sizeOf(division)
      return takeBatch(waiting, waiting.length < size + division.least ? waiting.length : size)
    },
    /** Refuses the requests that have waited for too long. */
    expire: () => {
      const now = performance.now()
      const firstAlive = waiting.findIndex(({ deadline }) => deadline > now)
      const expired = waiting.splice(0, firstAlive === -1 ? waiting.length : firstAlive)
      for (const pending of expired) settle(pending, unavailable(new Error('the batches before it took too long')))
    },
  }
}
