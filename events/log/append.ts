import { setTimeout as delay } from 'node:timers/promises'
import type { NewOf } from '../catalogue.ts'
import type { StreamOf } from '../definition.ts'
import { CODE_VERSION } from '../process/code-version.ts'
import { type Pending, takeBatch } from './batch.ts'
import { type AnswerRow, type JudgedRow, lastPosition, outcomeOf, placesInWhole } from './batch-answer.ts'
import { assertValid, batchText, guardsText, linesOf, subjectsOf } from './batch-text.ts'
import { connect, type Sql } from './connection.ts'
import { currentContext } from './context.ts'
import { withDeadline } from './deadline.ts'
import type { Durable } from './durable.ts'
import { KeyStoreError, LogError } from './errors.ts'
import { makeDataKey } from './key-ring.ts'
import { loadKeys, type ProposedKey, type SubjectKeys } from './subject-keys.ts'

const MAX_QUEUED_REQUESTS = 10_000
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
const APPEND_DEADLINE_MS = 10_000
const BATCH_DEADLINE_MS = 4_000
const RETRY_PAUSE_MS = 100
/** While Postgres stores one batch, the next one is made and sent. They go over one connection, one after the other. */
const BATCHES_IN_FLIGHT = 2

/** A stream that a request relies on, and the version that it has to be at. */
export type Guard = { stream: string; version: number }

/**
 * Events for one stream, which are stored all or none. `id` is a UUID in lower case: repeating a request with the same
 * ids is safe. The stream's type says which events it holds.
 */
export type AppendRequest<Event = unknown> = {
  stream: StreamOf<Event>
  /** The stream's version that the decision was made on (0: there is no such stream), or 'any'. */
  expectedVersion: number | 'any'
  /** Other streams that the decision relies on. They are compared in the moment of the append. */
  guards?: Guard[]
  events: (NewOf<Event> & { id: string })[]
}

/** What was stored. `isKnown` says that it was stored before, by an earlier try of the same request. */
export type Appended = {
  isKnown: boolean
  events: { id: string; position: number; version: number; recordedAt: Date }[]
}

/**
 * The only way into the log. Requests are committed in groups: while one batch is stored, on a connection of its own, the
 * next one collects and is sent after it. The disk is waited for on another connection, for several batches at once.
 * `append` resolves once its events are durable; it rejects with a LogError. A request fails alone. Each event carries the
 * context in which `append` was called.
 */
export type Appender = {
  append: <Event>(request: AppendRequest<Event>) => Promise<Appended>
  /** Requests that wait or are being committed. */
  readonly queued: number
  /** Waits for what is under way, then closes the connection. */
  close: () => Promise<void>
}

/**
 * Opens the log for appending. `keys` encrypt what is personal. `onCommit` is told the types of events after each batch
 * that stored something. `durable` is that of the process's readers: they need not wait for what this appender has flushed.
 */
export const openAppender = (
  databaseUrl: string,
  {
    keys,
    onCommit = () => {},
    durable,
    batchesInFlight = BATCHES_IN_FLIGHT,
  }: {
    keys: SubjectKeys
    onCommit?: (types: ReadonlySet<string>) => void
    durable?: Pick<Durable, 'reached'>
    batchesInFlight?: number
  },
): Appender => {
  const queue: Pending[] = []
  let queuedRequests = 0
  let queuedBytes = 0
  let connection: Sql | undefined
  let keyReader: Sql | undefined
  let flusher: Sql | undefined
  let pumping = 0
  let underWay = 0
  let isClosing = false
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  const settle = (pending: Pending, outcome: Appended | LogError) => {
    queuedRequests -= 1
    queuedBytes -= pending.bytes
    if (outcome instanceof LogError) pending.reject(outcome)
    else pending.resolve(outcome)
  }

  const dropConnections = () => {
    for (const pool of [connection, flusher]) pool?.end({ timeout: 0 }).catch(() => {})
    connection = undefined
    flusher = undefined
  }

  const connected = () => {
    connection ??= connect(databaseUrl, { max: 1, name: 'append' })
    return connection
  }

  /** A connection of its own: keys are looked up while a batch commits. */
  const keySource = () => {
    keyReader ??= connect(databaseUrl, { max: 1, name: 'keys' })
    return keyReader
  }

  /** A connection of its own: the next batch is stored while the disk is waited for. */
  const flushed = () => {
    flusher ??= connect(databaseUrl, { max: 1, name: 'flush' })
    return withDeadline(flusher.durable.flush(), { deadlineMs: BATCH_DEADLINE_MS })
  }

  const send = (batch: Pending[]) => {
    const sql = connected()
    const isAlone = batch.length === queuedRequests
    const query = sql<AnswerRow[]>`
      select * from append_events(${batchText(batch)}, ${guardsText(batch)}, ${isAlone})`
    return withDeadline(query, { deadlineMs: BATCH_DEADLINE_MS })
  }

  const settleStored = (pending: Pending, stored: Appended) => {
    for (const [subject, proposal] of pending.proposed) keys.keep(subject, proposal)
    settle(pending, stored)
  }

  /** Settles a request that was judged by itself. Answers it back where it has to be encrypted by another key. */
  const settleJudged = (pending: Pending, [first, ...rest]: readonly JudgedRow[]): Pending[] => {
    if (!first) settle(pending, unavailable(new Error('append_events left a request without an answer')))
    else if (first.outcome === 'key') return [pending]
    else {
      if (first.outcome === 'erased') for (const subject of subjectsOf(pending.request)) keys.drop(subject)
      const outcome = outcomeOf(pending.request, [first, ...rest])
      if (outcome instanceof LogError) settle(pending, outcome)
      else settleStored(pending, outcome)
    }
    return []
  }

  const tell = (position: number, batch: Pending[]) => {
    durable?.reached(position)
    queueMicrotask(() => onCommit(typesOf(batch)))
  }

  /** Settles the requests of a batch, and tells of what was stored. Answers those to be sent with other keys. */
  const answer = (batch: Pending[], rows: readonly AnswerRow[]): Pending[] => {
    const [whole] = rows
    if (whole?.outcome === 'whole') {
      const stored = placesInWhole(batch, whole)
      tell(lastPosition(stored), batch)
      for (const [index, pending] of batch.entries()) settleStored(pending, stored[index] as Appended)
      return []
    }
    const judged = rows.filter((row) => row.outcome !== 'whole')
    const last = judged.findLast(({ outcome }) => outcome === 'appended')
    if (last) tell(last.position, batch)
    const answers = Map.groupBy(judged, ({ request }) => request)
    return batch.flatMap((pending) => settleJudged(pending, answers.get(pending.request.events[0]?.id ?? '') ?? []))
  }

  /** Encrypts once more what was encrypted by a key that another process had stored its own in place of. */
  const resealed = async (pending: Pending): Promise<Pending[]> => {
    try {
      await loadKeys(keySource(), keys, [...pending.proposed.keys()])
    } catch (error) {
      settle(pending, error instanceof LogError ? error : unavailable(error))
      return []
    }
    const proposed = new Map<string, ProposedKey>()
    const lines = linesOf(pending.request, { keys, proposed, metadata: pending.metadata })
    return [{ ...pending, proposed, lines }]
  }

  /** Commits a batch and answers it. `onStored` is called once the connection is free for the next one. */
  const commit = async (batch: Pending[], onStored: () => void): Promise<void> => {
    let waiting = batch
    while (waiting.length > 0) {
      try {
        const rows = await send(waiting)
        onStored()
        if (!rows[0]?.is_flushed) await flushed()
        const otherKeys = answer(waiting, rows)
        waiting = (await Promise.all(otherKeys.map(resealed))).flat()
      } catch (error) {
        if (isRefusal(error)) {
          if (waiting.length === 1) for (const pending of waiting) settle(pending, invalid(error))
          else for (const pending of waiting) await commit([pending], onStored)
          return
        }
        dropConnections()
        const now = performance.now()
        for (const pending of waiting) if (pending.deadline <= now) settle(pending, unavailable(error))
        waiting = waiting.filter(({ deadline }) => deadline > now)
        if (waiting.length > 0) await delay(RETRY_PAUSE_MS)
      }
    }
  }

  const expire = () => {
    const now = performance.now()
    const alive = queue.findIndex(({ deadline }) => deadline > now)
    const expired = queue.splice(0, alive === -1 ? queue.length : alive)
    for (const pending of expired) settle(pending, unavailable(new Error('the batches before it took too long')))
  }

  /** Commits a batch; resolves once the next one may be sent. */
  const store = (batch: Pending[]): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    underWay += 1
    commit(batch, resolve).finally(() => {
      underWay -= 1
      resolve()
      if (pumping === 0 && underWay === 0) idle.resolve()
    })
    return promise
  }

  /**
   * Takes a share of what waits, or all of it where one batch is in flight at a time. With two there are three shares: one
   * is stored, one is sent, one waits for the disk.
   */
  const pump = async () => {
    while (queue.length > 0) {
      await store(takeBatch(queue, Math.ceil(queuedRequests / (2 * batchesInFlight - 1))))
      expire()
      // callers that were just answered append again at once: let them join the next batch
      await new Promise(setImmediate)
    }
    pumping -= 1
    if (pumping === 0 && underWay === 0) idle.resolve()
  }

  /** Brings the keys to hand that a request needs. A stream that begins is about somebody new: nothing is read for it. */
  const proposeKeys = (request: AppendRequest): Map<string, ProposedKey> | Promise<Map<string, ProposedKey>> => {
    const propose = (subjects: string[]) => new Map(subjects.map((id) => [id, makeDataKey(keys.ring, id)]))
    const missing = subjectsOf(request).filter((subject) => !keys.kept(subject))
    const areNew = request.expectedVersion === 0 && !keys.apart
    if (missing.length === 0 || areNew) return propose(missing)
    return loadKeys(keySource(), keys, missing).then(propose, (error) => {
      throw error instanceof LogError ? error : unavailable(error)
    })
  }

  const push = (request: AppendRequest, proposed: Map<string, ProposedKey>, metadata: string) => {
    const lines = linesOf(request, { keys, proposed, metadata })
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
    if (queuedRequests >= MAX_QUEUED_REQUESTS || queuedBytes + bytes > MAX_QUEUED_BYTES) {
      throw new LogError('log_full', `Too much is waiting to be stored (at most ${MAX_QUEUED_REQUESTS} requests)`)
    }
    queuedRequests += 1
    queuedBytes += bytes
    const { promise, resolve, reject } = Promise.withResolvers<Appended>()
    const deadline = performance.now() + APPEND_DEADLINE_MS
    queue.push({ request, lines, bytes, proposed, metadata, deadline, resolve, reject })
    if (pumping < batchesInFlight) {
      if (pumping === 0 && underWay === 0) idle = Promise.withResolvers()
      pumping += 1
      setImmediate(pump)
    }
    return promise
  }

  return {
    append: async (request) => {
      if (isClosing) throw new LogError('log_unavailable', 'This node is stopping: try again elsewhere')
      assertValid(request)
      const metadata = JSON.stringify({ ...currentContext(), code: CODE_VERSION })
      const proposed = proposeKeys(request)
      // requests whose keys are at hand keep their order
      return push(request, proposed instanceof Map ? proposed : await proposed, metadata)
    },
    get queued() {
      return queuedRequests
    },
    close: async () => {
      isClosing = true
      await idle.promise
      await Promise.all([connection, keyReader, flusher].map((pool) => pool?.end({ timeout: 1 })))
    },
  }
}

const typesOf = (batch: Pending[]) => new Set(batch.flatMap(({ request }) => request.events.map(({ type }) => type)))

/** Errors of class 22 (data), 23 (constraints) and 54 (limits) come from what was sent: repeating it is no use. */
const isRefusal = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(22|23|54)...$/.test(String(error.code))

const invalid = (cause: unknown) => new LogError('invalid_event', 'Postgres refused the event', { cause })
const unavailable = (cause: unknown) => {
  const silent = cause instanceof KeyStoreError ? 'The database of the data keys' : 'The log'
  return new LogError('log_unavailable', `${silent} gave no answer in time: try again with the same ids`, { cause })
}
