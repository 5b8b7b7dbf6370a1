import type { StreamOf } from '../base/definition.ts'
import type { NewOf } from '../catalogue.ts'
import { LogError } from '../keys/errors.ts'
import { makeDataKey } from '../keys/key-ring.ts'
import { loadKeys, type ProposedKey, type SubjectKeys } from '../keys/subject-keys.ts'
import { CODE_VERSION } from '../process/code-version.ts'
import { currentContext } from '../process/context.ts'
import type { Sql } from '../stores/connection.ts'
import type { Durable } from '../stores/postgres/durable.ts'
import { openAppendConnections } from './append-connections.ts'
import { openAppendQueue, type Ready } from './append-queue.ts'
import type { Pending } from './batch.ts'
import { assertValid, linesOf, subjectsOf } from './batch-text.ts'
import { openCommitter, unavailable } from './committer.ts'
import { FlushMode } from './flush-mode.ts'

/** While Postgres stores one batch, the next is built and sent over the same connection; on fast disks there is one. */
const BATCHES_IN_FLIGHT = 2

/** A stream that a request relies on, and the version that it has to be at. */
export type Guard = { stream: string; version: number }

/**
 * Events for one stream, stored all or none. `id` is a UUID in lower case: repeating a request with the same ids is
 * safe. The stream's type says which events it holds.
 */
export type AppendRequest<Event = unknown> = {
  stream: StreamOf<Event>
  /** The stream's version that the decision is based on (0: the stream does not exist), or 'any'. */
  expectedVersion: number | 'any'
  /** Other streams that the decision relies on. They are compared in the moment of the append. */
  guards?: Guard[]
  events: (NewOf<Event> & { id: string })[]
}

/** The stored events. `isDuplicate`: an earlier attempt of the same request stored them. */
export type Appended = {
  isDuplicate: boolean
  events: { id: string; position: number; version: number; recordedAt: Date }[]
}

/** Receives the outcome of a request. Must not throw. */
export type Settle = (outcome: Appended | LogError) => void

/**
 * The only way into the log. Requests are committed in groups (events/decisions/02-group-commit.md): while one batch is
 * stored, on its own connection, the next one collects and is sent after it. Another connection waits for the disk, for
 * several batches at once. `append` resolves once its events are durable; it rejects with a LogError. A request fails
 * alone. Each event carries the context in which `append` was called.
 */
export type Appender = {
  append: <Event>(request: AppendRequest<Event>) => Promise<Appended>
  /**
   * Does the same without a promise: calls `settle` once, in the loop that settles the whole batch. Throws a LogError if
   * the request is refused at once.
   */
  enqueue: <Event>(request: AppendRequest<Event>, settle: Settle) => void
  /** Requests that wait or are being committed. */
  readonly queued: number
  /** Waits for requests in progress, then closes the connection. */
  close: () => Promise<void>
}

type AppenderOptions = {
  keys: SubjectKeys
  onCommit?: (types: ReadonlySet<string>) => void
  durable?: Pick<Durable, 'reached'>
  batchesInFlight?: number
  flushMode?: Pick<FlushMode, 'isJoined' | 'flushed'>
}

/**
 * Opens the log for appending. `keys` encrypt personal data. `onCommit` gets the types of events after each batch that
 * stored something. `durable` is that of the process's readers: they need not wait for what this appender has flushed.
 */
export const openAppender = (
  databaseUrl: string,
  {
    keys,
    onCommit = () => {},
    durable,
    batchesInFlight = BATCHES_IN_FLIGHT,
    flushMode = new FlushMode(),
  }: AppenderOptions,
): Appender => {
  const connections = openAppendConnections(databaseUrl, (ms) => flushMode.flushed(ms, performance.now()))
  const queue = openAppendQueue()
  let pumping = 0
  let underWay = 0
  let isClosing = false
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  const onStored = (position: number, batch: Pending[]) => {
    durable?.reached(position)
    queueMicrotask(() => onCommit(typesOf(batch)))
  }
  const commit = openCommitter({ connections, keys, settle: queue.settle, onStored })
  const isJoined = () => flushMode.isJoined(performance.now())
  const isAlone = (batch: Pending[]) => isJoined() || batch.length === queue.requests

  const maxInFlight = () => (isJoined() ? 1 : batchesInFlight)

  /**
   * With one batch in flight there are two shares: while Postgres stores one, the callers of the other get their results,
   * and what they append next is encrypted. With two in flight there are three: one is stored, one is sent, one waits for
   * the disk. See FlushMode.
   */
  const division = () => (isJoined() ? { shares: 2, least: 32 } : { shares: batchesInFlight + 1, least: 8 })

  const restIfIdle = () => {
    if (pumping === 0 && underWay === 0) idle.resolve()
  }

  /** Commits a batch; resolves once the next one may be sent. Returns whether that is to happen at once. */
  const store = (batch: Pending[]): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    underWay += 1
    const onSent = () => {
      const hasNext = isJoined() && queue.holds(division())
      resolve(hasNext)
      return hasNext
    }
    commit(batch, { isAlone, onSent }).finally(() => {
      underWay -= 1
      resolve(false)
      restIfIdle()
    })
    return promise
  }

  const pump = async () => {
    while (!queue.isEmpty && pumping <= maxInFlight()) {
      const hasNext = await store(queue.takeShare(division()))
      queue.expire()
      // callers that just got their result append again at once: let them join the next batch
      if (!hasNext) await new Promise(setImmediate)
    }
    pumping -= 1
    restIfIdle()
  }

  const push = (ready: Omit<Ready, 'lines'>) => {
    queue.push({ ...ready, lines: linesOf(ready.request, { keys, ...ready }) })
    if (pumping < maxInFlight()) {
      if (pumping === 0 && underWay === 0) idle = Promise.withResolvers()
      pumping += 1
      setImmediate(pump)
    }
  }

  const enqueue = (request: AppendRequest, settle: Settle) => {
    if (isClosing) throw new LogError('log_unavailable', 'This node is stopping: try again elsewhere')
    assertValid(request)
    const metadata = JSON.stringify({ ...currentContext(), code: CODE_VERSION })
    const proposed = proposeKeys(request, keys, () => connections.keys)
    // requests whose keys are cached keep their order
    if (proposed instanceof Map) push({ request, proposed, metadata, settle })
    else proposed.then((loaded) => push({ request, proposed: loaded, metadata, settle })).catch(settle)
  }

  return {
    enqueue,
    append: (request) =>
      new Promise((resolve, reject) => {
        enqueue(request, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      }),
    get queued() {
      return queue.requests
    },
    close: async () => {
      isClosing = true
      await idle.promise
      await connections.end()
    },
  }
}

/** Loads the keys that a request needs. A new stream is about a new person: nothing is read for it. */
const proposeKeys = (
  request: AppendRequest,
  keys: SubjectKeys,
  source: () => Sql,
): Map<string, ProposedKey> | Promise<Map<string, ProposedKey>> => {
  const propose = (subjects: string[]) => new Map(subjects.map((id) => [id, makeDataKey(keys.ring, id)]))
  const missing = subjectsOf(request).filter((subject) => !keys.cached(subject))
  const areNew = request.expectedVersion === 0 && !keys.apart
  if (missing.length === 0 || areNew) return propose(missing)
  return loadKeys(source(), keys, missing).then(propose, (error) => {
    throw error instanceof LogError ? error : unavailable(error)
  })
}

const typesOf = (batch: Pending[]) => new Set(batch.flatMap(({ request }) => request.events.map(({ type }) => type)))
