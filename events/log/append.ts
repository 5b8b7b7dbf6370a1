import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { type AnyNewEvent, catalogue } from '../catalogue.ts'
import { type Pending, takeBatch } from './batch.ts'
import { connect, type Sql } from './connection.ts'
import { withDeadline } from './deadline.ts'
import { LogError } from './errors.ts'

const MAX_QUEUED_REQUESTS = 10_000
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
const APPEND_DEADLINE_MS = 10_000
const BATCH_DEADLINE_MS = 4_000
const RETRY_PAUSE_MS = 100

/** As Postgres writes a UUID, so that what it answers can be told apart by id. */
const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Events for one stream, which are stored all or none. `id` is a UUID in lower case: repeating a request with the same
 * ids is safe.
 */
export type AppendRequest = {
  stream: string
  /** The stream's version that the decision was made on (0: there is no such stream), or 'any'. */
  expectedVersion: number | 'any'
  events: (AnyNewEvent & { id: string })[]
}

/** What was stored. `isKnown` says that it was stored before, by an earlier try of the same request. */
export type Appended = {
  isKnown: boolean
  events: { id: string; position: number; version: number; recordedAt: Date }[]
}

type Row = {
  request: string
  outcome: 'appended' | 'known' | 'reused' | 'version'
  id: string
  position: number
  version: number
  recorded_at: Date
}

/**
 * The only way into the log. Requests are committed in groups: while one batch commits, on a connection of its own, the
 * next one collects. `append` resolves once its events are durable; it rejects with a LogError. A request fails alone.
 */
export type Appender = {
  append: (request: AppendRequest) => Promise<Appended>
  /** Requests that wait or are being committed. */
  readonly queued: number
  /** Waits for what is under way, then closes the connection. */
  close: () => Promise<void>
}

/** Opens the log for appending. `onCommit` is told the last position after each batch that stored something. */
export const openAppender = (databaseUrl: string, { onCommit }: { onCommit: (position: number) => void }): Appender => {
  const queue: Pending[] = []
  let queuedRequests = 0
  let queuedBytes = 0
  let sql: Sql | undefined
  let isPumping = false
  let isClosing = false
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  const settle = (pending: Pending, outcome: Appended | LogError) => {
    queuedRequests -= 1
    queuedBytes -= pending.bytes
    if (outcome instanceof LogError) pending.reject(outcome)
    else pending.resolve(outcome)
  }

  const dropConnection = () => {
    sql?.end({ timeout: 0 }).catch(() => {})
    sql = undefined
  }

  const send = (batch: Pending[]) => {
    sql ??= connect(databaseUrl, { max: 1, name: 'append' })
    const query = sql<Row[]>`select * from append_events(${`[${batch.map(({ rows }) => rows).join()}]`}::text::jsonb)`
    return withDeadline(query, { deadlineMs: BATCH_DEADLINE_MS })
  }

  const commit = async (batch: Pending[]): Promise<void> => {
    let waiting = batch
    while (waiting.length > 0) {
      try {
        const rows = await send(waiting)
        answer(waiting, rows, settle)
        const last = rows.findLast(({ outcome }) => outcome === 'appended')
        if (last) queueMicrotask(() => onCommit(last.position))
        return
      } catch (error) {
        if (isRefusal(error)) {
          if (waiting.length === 1) for (const pending of waiting) settle(pending, invalid(error))
          else for (const pending of waiting) await commit([pending])
          return
        }
        dropConnection()
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

  const pump = async () => {
    while (queue.length > 0) {
      await commit(takeBatch(queue))
      expire()
      // callers that were just answered append again at once: let them join the next batch
      await new Promise(setImmediate)
    }
    isPumping = false
    idle.resolve()
  }

  return {
    append: async (request) => {
      if (isClosing) throw new LogError('log_unavailable', 'This node is stopping: try again elsewhere')
      const rows = serialize(request)
      const bytes = Buffer.byteLength(rows)
      if (queuedRequests >= MAX_QUEUED_REQUESTS || queuedBytes + bytes > MAX_QUEUED_BYTES) {
        throw new LogError('log_full', `Too much is waiting to be stored (at most ${MAX_QUEUED_REQUESTS} requests)`)
      }
      queuedRequests += 1
      queuedBytes += bytes
      const { promise, resolve, reject } = Promise.withResolvers<Appended>()
      queue.push({ request, rows, bytes, deadline: performance.now() + APPEND_DEADLINE_MS, resolve, reject })
      if (!isPumping) {
        isPumping = true
        idle = Promise.withResolvers()
        setImmediate(pump)
      }
      return promise
    },
    get queued() {
      return queuedRequests
    },
    close: async () => {
      isClosing = true
      await idle.promise
      await sql?.end({ timeout: 1 })
    },
  }
}

/** Validates a request's events and writes them as append_events takes them. A request is named by its first event's id. */
const serialize = ({ stream, expectedVersion, events }: AppendRequest): string => {
  const [first] = events
  if (!first) throw new LogError('invalid_event', `Nothing to append to ${stream}: give at least one event`)
  const rows = events.map(({ id, type, data, subjectId, personal }) => {
    if (!EVENT_ID.test(id)) {
      throw new LogError('invalid_event', `${JSON.stringify(id)} is no event id: give a UUID in lower case`)
    }
    const definition = catalogue.get(type)
    if (!definition) throw new LogError('invalid_event', `There is no event ${type}: see events/catalogue.ts`)
    const isValid = v.is(definition.data, data) && (!definition.personal || v.is(definition.personal, personal))
    if (!isValid) throw new LogError('invalid_event', `${type} does not fit its schema`)
    const expected = expectedVersion === 'any' ? null : expectedVersion
    const { schemaVersion } = definition
    return JSON.stringify({ request: first.id, id, stream, expected, type, schemaVersion, data, subjectId, personal })
  })
  return rows.join()
}

const answer = (
  batch: Pending[],
  rows: readonly Row[],
  settle: (pending: Pending, outcome: Appended | LogError) => void,
) => {
  const answers = Map.groupBy(rows, ({ request }) => request)
  for (const pending of batch) {
    const [first, ...rest] = answers.get(pending.request.events[0]?.id ?? '') ?? []
    if (first) settle(pending, outcomeOf(pending.request, [first, ...rest]))
    else settle(pending, unavailable(new Error('append_events left a request without an answer')))
  }
}

const outcomeOf = ({ stream, expectedVersion }: AppendRequest, rows: [Row, ...Row[]]): Appended | LogError => {
  const [{ outcome, version }] = rows
  switch (outcome) {
    case 'appended':
    case 'known':
      return {
        isKnown: outcome === 'known',
        events: rows.map((row) => ({
          id: row.id,
          position: row.position,
          version: row.version,
          recordedAt: row.recorded_at,
        })),
      }
    case 'reused':
      return new LogError('event_id_reused', `An event id of this request is stored with another payload (${stream})`)
    case 'version':
      return new LogError('wrong_version', `${stream} is at version ${version}, not at ${expectedVersion}`, {
        currentVersion: version,
      })
    default:
      return outcome satisfies never
  }
}

/** Errors of class 22 (data), 23 (constraints) and 54 (limits) come from what was sent: repeating it is no use. */
const isRefusal = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(22|23|54)...$/.test(String(error.code))

const invalid = (cause: unknown) => new LogError('invalid_event', 'Postgres refused the event', { cause })
const unavailable = (cause: unknown) =>
  new LogError('log_unavailable', 'The log gave no answer in time: try again with the same ids', { cause })
