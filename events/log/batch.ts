import type { Appended, AppendRequest } from './append.ts'
import type { LogError } from './errors.ts'

const MAX_BATCH_EVENTS = 256
const MAX_BATCH_BYTES = 1024 * 1024

/**
 * A request that waits to be committed. `rows` are its events as the members of a JSON array, `bytes` their size;
 * `deadline` is of performance.now().
 */
export type Pending = {
  request: AppendRequest
  rows: string
  bytes: number
  deadline: number
  resolve: (appended: Appended) => void
  reject: (error: LogError) => void
}

/**
 * Takes the next batch off the queue's front: up to 256 events or 1 MiB, at least one request. Two requests for one
 * stream share a batch only if neither expects a version, and no event id comes twice: a request that may not join is
 * left in its place, and so is whatever follows it on the same stream. The queue keeps its order.
 */
export const takeBatch = (queue: Pending[]): Pending[] => {
  const batch: Pending[] = []
  const left: Pending[] = []
  const ids = new Set<string>()
  const streams = new Map<string, 'shared' | 'taken'>()
  let events = 0
  let bytes = 0

  let scanned = 0
  for (const pending of queue) {
    const { stream, expectedVersion } = pending.request
    const isFull =
      batch.length > 0 &&
      (events + pending.request.events.length > MAX_BATCH_EVENTS || bytes + pending.bytes > MAX_BATCH_BYTES)
    if (isFull) break
    scanned += 1
    const isAlone = expectedVersion !== 'any'
    const held = streams.get(stream)
    const clashes =
      held === 'taken' || (held === 'shared' && isAlone) || pending.request.events.some(({ id }) => ids.has(id))
    if (clashes) {
      streams.set(stream, 'taken')
      left.push(pending)
      continue
    }
    streams.set(stream, isAlone ? 'taken' : 'shared')
    for (const { id } of pending.request.events) ids.add(id)
    events += pending.request.events.length
    bytes += pending.bytes
    batch.push(pending)
  }
  queue.splice(0, scanned, ...left)
  return batch
}
