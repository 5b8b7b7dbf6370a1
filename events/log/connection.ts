import postgres from 'postgres'
import { poolSingles } from './connection-pool.ts'
import { guardQueries, withDeadline } from './deadline.ts'
import { type Durable, openDurable } from './durable.ts'
import type { Waiting } from './slots.ts'
import type { SubjectKeys } from './subject-keys.ts'

/** A pool of connections to a database, or one of them; `bigint` columns come as numbers. */
export type Database = postgres.Sql<{ bigint: number }>

/** What opens the personal part of events that are read; undefined on connections that read none. */
type WithKeys = { readonly keys: SubjectKeys | undefined }

/**
 * A pool of connections to the log's database. `durable` waits for the disk; a transaction, which is not over, has
 * none.
 */
export type Sql = Database & WithKeys & { readonly durable: Durable }

/** A connection of the pool, in a transaction. */
export type Transaction = postgres.ReservedSql<{ bigint: number }> &
  WithKeys & {
    readonly durable?: undefined
    /** Of a pool: gives the connection up as lost. It is called instead of `release`. */
    abandon?: () => void
  }

const CONNECT_TIMEOUT_S = 5
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

/** How much longer than the server's own limit a statement may take: then no answer will ever come. */
const ANSWER_GRACE_MS = 2_000

/** The limits that a connection has unless it asks for others, in milliseconds. */
export const CONNECTION_LIMITS: [name: string, ms: number][] = [
  ['statement_timeout', STATEMENT_TIMEOUT_MS],
  ['lock_timeout', LOCK_TIMEOUT_MS],
  ['idle_in_transaction_session_timeout', IDLE_IN_TRANSACTION_TIMEOUT_MS],
]

/** Marks the address of a pooler, here and in other software that talks to Postgres. */
const POOLER_MARK = 'pgbouncer'

/**
 * The address of a pooler that gives out connections a transaction at a time. Connections to it set nothing and name no
 * statement, because the next transaction may be on another connection of the server: their limits are its user's.
 */
export const throughPooler = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  url.searchParams.set(POOLER_MARK, 'true')
  return url.href
}

const readAddress = (databaseUrl: string) => {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has(POOLER_MARK)) return { address: databaseUrl, isPooler: false }
  url.searchParams.delete(POOLER_MARK)
  return { address: url.href, isPooler: true }
}

type ClientOptions = { max: number; name: string; statementTimeoutMs: number; onClose?: () => void }

const openClient = (
  databaseUrl: string,
  { max, name, statementTimeoutMs, onClose = () => {} }: ClientOptions,
): Database => {
  const { address, isPooler } = readAddress(databaseUrl)
  const limits = { ...Object.fromEntries(CONNECTION_LIMITS), statement_timeout: statementTimeoutMs }
  return postgres(address, {
    max,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: false,
    onnotice: () => {},
    onclose: onClose,
    prepare: !isPooler,
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: { application_name: name, ...(isPooler ? {} : limits) },
  })
}

/** The connection was lost before it could be reserved; its `code` is that of postgres.js for the same. */
class ConnectionClosedError extends Error {
  override name = 'ConnectionClosedError'
  readonly code = 'CONNECTION_CLOSED'
}

/**
 * A client with one connection, on which several statements may be under way. One that gets no answer within the deadline
 * fails with the code DEADLINE, and the connection is replaced: postgres.js itself waits for ever on one that has fallen
 * silent. It also forgets a reservation while it connects again, so that what waits for one fails with the connection.
 */
const openSingle = (
  open: (onClose: () => void) => Database,
  { deadlineMs, keys, durable }: { deadlineMs: number; durable: Durable | undefined } & WithKeys,
): Sql => {
  const openPool = () => {
    const reservations = new Set<(error: Error) => void>()
    const client = open(() => {
      for (const fail of reservations) fail(new ConnectionClosedError('the connection was lost before it was reserved'))
    })
    return { client, reservations }
  }
  let pool = openPool()

  /** Replaces the connection, unless another late query has done so before. */
  const replace = (used: typeof pool) => {
    if (pool !== used) return
    pool = openPool()
    used.client.end({ timeout: 0 }).catch(() => {})
  }

  const reserveFrom = ({ client, reservations }: typeof pool) => {
    const { promise, resolve, reject } = Promise.withResolvers<postgres.ReservedSql<{ bigint: number }>>()
    reservations.add(reject)
    client.reserve().then(resolve, reject)
    return promise.finally(() => reservations.delete(reject))
  }

  const reserve = async () => {
    const used = pool
    const onLate = () => replace(used)
    const reserved = await withDeadline(reserveFrom(used), { deadlineMs, onLate }).catch((error) => {
      if (error instanceof ConnectionClosedError) replace(used)
      throw error
    })
    return guardQueries(() => ({ sql: reserved, deadline: { deadlineMs, onLate } }), { keys, durable: undefined })
  }

  const members: Record<string, unknown> = { reserve, keys }
  const sql = guardQueries(() => {
    const used = pool
    return { sql: used.client, deadline: { deadlineMs, onLate: () => replace(used) } }
  }, members) as Sql
  members.durable = durable ?? openDurable(() => sql)
  return sql
}

const NO_LIMIT: Waiting = { most: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY }

/**
 * Opens a pool. `max` is its number of connections; `statementTimeoutMs` bounds a statement on the server (0: none,
 * for rebuilds and migrations); `waiting` bounds what waits for a connection, and refuses the rest with the code BUSY;
 * `keys` open what is personal; `durable` is that of another pool of the same process. A statement that gets no answer at
 * all for two seconds longer than the server's limit fails with the code DEADLINE, and its connection is replaced.
 */
export const connect = (
  databaseUrl: string,
  {
    max,
    name,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    waiting = NO_LIMIT,
    keys,
    durable,
  }: {
    max: number
    name: string
    statementTimeoutMs?: number
    waiting?: Waiting
    keys?: SubjectKeys | undefined
    durable?: Durable
  },
): Sql => {
  if (statementTimeoutMs === 0) {
    const pool = openClient(databaseUrl, { max, name, statementTimeoutMs })
    return Object.assign(pool, { keys, durable: durable ?? openDurable(() => pool) })
  }
  const client = (onClose?: () => void) =>
    openClient(databaseUrl, { max: 1, name, statementTimeoutMs, ...(onClose && { onClose }) })
  const open = () => openSingle(client, { deadlineMs: statementTimeoutMs + ANSWER_GRACE_MS, keys, durable })
  if (max === 1) return open()
  const pool: Sql = poolSingles(open, {
    max,
    waiting,
    parts: Object.assign(client(), { keys, durable: durable ?? openDurable(() => pool) }),
  })
  return pool
}

/**
 * The connection has gone, or is about to: what is sent on it now gets no answer, ever. A pooler that has lost its own
 * says so by a fatal error.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (('severity' in error && error.severity === 'FATAL') ||
    ('code' in error && /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|57P0|DEADLINE)/.test(String(error.code))))

/**
 * Runs `work` in a transaction on a connection of its own: `sql.begin` on a shared pool can let unrelated queries in
 * (postgres.js issues 1189, 823, 1210). Commits when `work` resolves, rolls back when it throws.
 */
export const inTransaction = async <T>(sql: Sql, work: (tx: Transaction) => Promise<T>) => {
  const tx = (await sql.reserve()) as Transaction
  try {
    await tx`begin`
    const result = await work(tx)
    await tx`commit`
    tx.release()
    return result
  } catch (error) {
    // a pool takes a lost connection back by itself; released again it would be given out as an open one
    const isOver = isLost(error) || (await tx`rollback`.then(() => false, isLost))
    if (!isOver) tx.release()
    else tx.abandon?.()
    throw error
  }
}
