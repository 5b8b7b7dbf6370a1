import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../base/error-code.ts'
import { KeyStoreError, LogError } from '../keys/errors.ts'
import { loadKeys, type ProposedKey, type SubjectKeys } from '../keys/subject-keys.ts'
import { withDeadline } from '../stores/postgres/deadline.ts'
import type { Appended } from './append.ts'
import { type AppendConnections, STATEMENT_DEADLINE_MS } from './append-connections.ts'
import type { Pending } from './batch.ts'
import { lastPosition, outcomeOf, placesInWhole, type RequestRow, type ResultRow } from './batch-answer.ts'
import { batchText, guardsText, linesOf, subjectsOf } from './batch-text.ts'

const RETRY_PAUSE_MS = 100

/** Options of a committer. `settle` settles a request; `onStored` gets the last position and the stored events. */
type CommitterOptions = {
  connections: AppendConnections
  keys: SubjectKeys
  settle: (pending: Pending, outcome: Appended | LogError) => void
  onStored: (position: number, batch: Pending[]) => void
}

/**
 * A batch in flight. `isAlone`: whether nothing else waits; `onSent` is called once the next one may be sent, and returns
 * whether that is to happen before this one's requests are settled.
 */
type OnItsWay = { isAlone: (batch: Pending[]) => boolean; onSent: () => boolean }

/**
 * Commits batches and settles their requests. A batch is repeated until Postgres responds or its requests are too old.
 * A batch that Postgres refuses is split: a request fails alone.
 */
export const openCommitter = ({ connections, keys, settle, onStored }: CommitterOptions) => {
  const send = (batch: Pending[], isAlone: boolean) => {
    const query = connections.storing<ResultRow[]>`
      select * from append_events(${batchText(batch)}, ${guardsText(batch)}, ${isAlone})`
    return withDeadline(query, { deadlineMs: STATEMENT_DEADLINE_MS })
  }

  const settleStored = (pending: Pending, stored: Appended) => {
    for (const [subject, proposal] of pending.proposed) keys.cache(subject, proposal)
    settle(pending, stored)
  }

  /** Settles a request that was judged by itself. Returns it if it must be encrypted with another key. */
  const settleRequest = (pending: Pending, [first, ...rest]: readonly RequestRow[]): Pending[] => {
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

  /** Settles the requests of a batch and reports what was stored. Returns those to be sent with other keys. */
  const settleBatch = (batch: Pending[], rows: readonly ResultRow[]): Pending[] => {
    const [whole] = rows
    if (whole?.outcome === 'whole') {
      const stored = placesInWhole(batch, whole)
      onStored(lastPosition(stored), batch)
      for (const [index, pending] of batch.entries()) settleStored(pending, stored[index] as Appended)
      return []
    }
    const requestRows = rows.filter((row) => row.outcome !== 'whole')
    const last = requestRows.findLast(({ outcome }) => outcome === 'appended')
    if (last) onStored(last.position, batch)
    const answers = Map.groupBy(requestRows, ({ request }) => request)
    return batch.flatMap((pending) => settleRequest(pending, answers.get(pending.request.events[0]?.id ?? '') ?? []))
  }

  /** Encrypts again with the other key if another process has stored a key first. */
  const resealed = async (pending: Pending): Promise<Pending[]> => {
    try {
      await loadKeys(connections.keys, keys, [...pending.proposed.keys()])
    } catch (error) {
      settle(pending, error instanceof LogError ? error : unavailable(error))
      return []
    }
    const proposed = new Map<string, ProposedKey>()
    const lines = linesOf(pending.request, { keys, proposed, metadata: pending.metadata })
    return [{ ...pending, proposed, lines }]
  }

  /** Sends a batch and settles its requests. Returns those to be sent again, encrypted with other keys. */
  const attempt = async (batch: Pending[], { isAlone, onSent }: OnItsWay): Promise<Pending[]> => {
    const rows = await send(batch, isAlone(batch))
    if (onSent()) await new Promise(setImmediate)
    if (!rows[0]?.is_flushed) await connections.flush()
    const otherKeys = settleBatch(batch, rows)
    return (await Promise.all(otherKeys.map(resealed))).flat()
  }

  /** Sends the requests of a refused batch one by one, so that only those fail that Postgres refuses. */
  const split = async (batch: Pending[], refusal: unknown, onItsWay: OnItsWay): Promise<void> => {
    const [only, ...others] = batch
    if (only && others.length === 0) settle(only, invalid(refusal))
    else for (const pending of batch) await commit([pending], onItsWay)
  }

  /** After an attempt without a response: settles the requests that are too old. Returns the others, after a pause. */
  const stillWaiting = async (batch: Pending[], cause: unknown): Promise<Pending[]> => {
    connections.drop()
    const { late = [], alive = [] } = byDeadline(batch)
    for (const pending of late) settle(pending, unavailable(cause))
    if (alive.length > 0) await delay(RETRY_PAUSE_MS)
    return alive
  }

  const commit = async (batch: Pending[], onItsWay: OnItsWay): Promise<void> => {
    let waiting = batch
    while (waiting.length > 0) {
      try {
        waiting = await attempt(waiting, onItsWay)
      } catch (error) {
        if (isRefusal(error)) return await split(waiting, error, onItsWay)
        waiting = await stillWaiting(waiting, error)
      }
    }
  }
  return commit
}

/** Those that are too old to be tried again, and the rest. */
const byDeadline = (batch: Pending[]) => {
  const now = performance.now()
  return Object.groupBy(batch, ({ deadline }) => (deadline <= now ? 'late' : 'alive'))
}

/**
 * Errors of class 22 (data), 23 (constraints) and 54 (limits) come from the data that was sent: repeating does not
 * help.
 */
const isRefusal = (error: unknown) => /^(22|23|54)...$/.test(errorCode(error))

const invalid = (cause: unknown) => new LogError('invalid_event', 'Postgres refused the event', { cause })

/** The error for a request whose outcome is not known in time. */
export const unavailable = (cause: unknown) => {
  const silent = cause instanceof KeyStoreError ? 'The database of the data keys' : 'The log'
  return new LogError('log_unavailable', `${silent} gave no answer in time: try again with the same ids`, { cause })
}
