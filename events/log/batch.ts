/**
 * Group commit: a lock that is held until the commit makes positions dense and in commit order; while Postgres stores
 * one batch, the next collects here. The disk is waited for outside the lock (durable.ts). See
 * events/decisions/01-dense-positions.md and events/decisions/02-group-commit.md.
 *
 * A request in a batch fails alone. Repeating it with the same event ids stores nothing twice. A request may name other
 * streams that it relies on (`guards`): a message is stored only while its chat is open, without a read beforehand.
 */

import type { ProposedKey } from '../keys/subject-keys.ts'
import type { AppendRequest, Settle } from './append.ts'

const MAX_BATCH_EVENTS = 256
const MAX_BATCH_BYTES = 1024 * 1024

/**
 * A request that waits to be committed. `lines` are its events as the batch's text has them, `bytes` their size;
 * `proposed` are the keys that they propose, by subject. `deadline` is of performance.now().
 */
export type Pending = {
  request: AppendRequest
  lines: string[]
  bytes: number
  proposed: ReadonlyMap<string, ProposedKey>
  metadata: string
  deadline: number
  settle: Settle
}

/**
 * Takes the next batch off the queue's front: up to `maxRequests`, 256 events or 1 MiB, at least one request. Two
 * requests for one stream share a batch only if neither expects a version and neither is guarded by it, no event id
 * occurs twice, and no two requests propose a key for one subject: a request that may not join stays in its place, and
 * so do all later ones on the same streams. The queue keeps its order.
 */
export const takeBatch = (queue: Pending[], maxRequests = Number.POSITIVE_INFINITY): Pending[] => {
  const batch: Pending[] = []
  const left: Pending[] = []
  const ids = new Set<string>()
  const written = new Map<string, 'shared' | 'taken'>()
  const guarded = new Set<string>()
  const newSubjects = new Set<string>()
  let events = 0
  let bytes = 0

  /** Whether a request may not share the batch with those in it, or those left before it. */
  const clashes = ({ request: { stream, expectedVersion, guards = [], events }, proposed }: Pending) => {
    const held = written.get(stream)
    return (
      held === 'taken' ||
      (held === 'shared' && expectedVersion !== 'any') ||
      guarded.has(stream) ||
      guards.some((guard) => written.has(guard.stream)) ||
      events.some(({ id }) => ids.has(id)) ||
      [...proposed.keys()].some((subject) => newSubjects.has(subject))
    )
  }

  let scanned = 0
  for (const pending of queue) {
    const { stream, expectedVersion, guards = [] } = pending.request
    const isFull =
      batch.length > 0 &&
      (batch.length === maxRequests ||
        events + pending.request.events.length > MAX_BATCH_EVENTS ||
        bytes + pending.bytes > MAX_BATCH_BYTES)
    if (isFull) break
    scanned += 1
    if (clashes(pending)) {
      written.set(stream, 'taken')
      left.push(pending)
      continue
    }
    written.set(stream, expectedVersion === 'any' ? 'shared' : 'taken')
    for (const guard of guards) guarded.add(guard.stream)
    for (const { id } of pending.request.events) ids.add(id)
    for (const subject of pending.proposed.keys()) newSubjects.add(subject)
    events += pending.request.events.length
    bytes += pending.bytes
    batch.push(pending)
  }
  queue.splice(0, scanned, ...left)
  return batch
}
