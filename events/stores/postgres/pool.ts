import { errorCode } from '../../base/error-code.ts'
/**
 * Pools of connections to Postgres, by postgres.js: its tagged templates, fragments, lists, `json` and `unsafe` as in
 * its documentation. Its own pool is not used, for three reasons:
 *
 * - It does not report when a statement leaves its queue. Here a statement waits for a free connection first: its
 *   deadline begins when it is sent, and the queue is bounded (`waiting`; the rest fails with the code BUSY).
 * - It waits for ever on a connection that has fallen silent. Here a statement without a response fails with the code
 *   DEADLINE, and its connection, and no other, is replaced.
 * - It loses a reservation while it reconnects. Here that fails with the connection.
 */

import process from 'node:process'
import postgres from 'postgres'
import { withDeadline } from './deadline.ts'
import { openSlots, type Waiting } from './slots.ts'

/** `bigint` columns come as numbers. */
type Types = { bigint: number }
type Client = postgres.Sql<Types>

/**
 * A pool or a connection of one, as the tag that makes statements. A statement is sent once, when it is awaited; as a
 * fragment of another one it is never sent.
 */
export type Database = postgres.ISql<Types> & { array: never; file: never; notify: never; typed: never; types: never }

/** A connection of a pool, for one caller, who releases it by one of its methods. */
export type Reserved = Database & {
  release: () => void
  /** Drops it as lost: a new connection replaces it. */
  abandon: () => void
}

export type Pool<Taken = Reserved> = Database & {
  /** Waits for a free connection and takes it. */
  reserve: () => Promise<Taken>
  /**
   * Refuses waiting statements, and closes the connections once their statements have ended, or after `timeout`
   * seconds.
   */
  end: (options?: { timeout?: number }) => Promise<void>
}

export type PoolOptions = {
  /** The number of connections. Each is opened when it is first used. */
  max: number
  name: string
  /** How long a statement may take on the server, 0 for any time; its response has two seconds more. */
  statementTimeoutMs?: number
  waiting?: Waiting
}

const CONNECT_TIMEOUT_S = 5
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

/** How much longer than the server's own limit a statement may take: after that no response will ever come. */
const ANSWER_GRACE_MS = 2_000

const NO_LIMIT: Waiting = { most: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY }

/** The limits that a connection has unless it asks for others, in milliseconds. */
export const CONNECTION_LIMITS: [name: string, ms: number][] = [
  ['statement_timeout', STATEMENT_TIMEOUT_MS],
  ['lock_timeout', LOCK_TIMEOUT_MS],
  ['idle_in_transaction_session_timeout', IDLE_IN_TRANSACTION_TIMEOUT_MS],
]

/** Marks the address of a pooler, here and in other software that talks to Postgres. */
const POOLER_PARAMETER = 'pgbouncer'

/**
 * The address of a pooler that assigns one connection per transaction. Connections to it set nothing and name no
 * statement, because the next transaction may be on another connection of the server: their limits are its user's.
 */
export const throughPooler = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  url.searchParams.set(POOLER_PARAMETER, 'true')
  return url.href
}

const readAddress = (databaseUrl: string) => {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has(POOLER_PARAMETER)) return { address: databaseUrl, isPooler: false }
  url.searchParams.delete(POOLER_PARAMETER)
  return { address: url.href, isPooler: true }
}

/** A client of postgres.js with one connection, which it opens, and opens again, when a statement needs it. */
type Opened = { client: Client; onClose: () => void }

const openClient = (
  databaseUrl: string,
  { name, statementTimeoutMs }: { name: string; statementTimeoutMs: number },
): Opened => {
  const { address, isPooler } = readAddress(databaseUrl)
  const limits = { ...Object.fromEntries(CONNECTION_LIMITS), statement_timeout: statementTimeoutMs }
  const client = postgres(address, {
    max: 1,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: false,
    onnotice: () => {},
    onclose: () => opened.onClose(),
    prepare: !isPooler,
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: { application_name: name, ...(isPooler ? {} : limits) },
  })
  const opened: Opened = { client, onClose: () => {} }
  return opened
}

/** The connection was lost before it could be reserved; its `code` is that of postgres.js for the same. */
class ConnectionClosedError extends Error {
  override name = 'ConnectionClosedError'
  readonly code = 'CONNECTION_CLOSED'
}

/** Makes a statement of postgres.js with a tag, which sends it. */
type Make = (tag: Pick<Database, 'unsafe'> & ((...parameters: never[]) => unknown)) => unknown

/** A connection of a pool, for one caller at a time. A late one is replaced. */
class Connection {
  readonly #open: () => Opened
  readonly #deadlineMs: number
  #current: Opened

  constructor(open: () => Opened, deadlineMs: number) {
    this.#open = open
    this.#deadlineMs = deadlineMs
    this.#current = open()
  }

  send(make: Make): Promise<unknown> {
    return this.#inTime(make(this.#current.client))
  }

  /** For statements that need the very same connection: they fail when it is lost. */
  async reserve() {
    const used = this.#current
    const { promise: closed, reject } = Promise.withResolvers<never>()
    used.onClose = () => reject(new ConnectionClosedError('the connection was lost before it was reserved'))
    const reserved = await this.#inTime(Promise.race([used.client.reserve(), closed])).catch((error) => {
      if (error instanceof ConnectionClosedError) this.#replace(used)
      throw error
    })
    return {
      send: (make: Make) => this.#inTime(make(reserved), used),
      release: () => reserved.release(),
      abandon: () => this.#replace(used),
    }
  }

  end(options?: { timeout?: number }): Promise<void> {
    return this.#current.client.end(options)
  }

  async #inTime<T>(answer: T, used = this.#current): Promise<Awaited<T>> {
    if (this.#deadlineMs === Number.POSITIVE_INFINITY) return await answer
    return await withDeadline(Promise.resolve(answer), {
      deadlineMs: this.#deadlineMs,
      onTimeout: () => this.#replace(used),
    })
  }

  /** Puts another connection in the place of one, unless that has been done. */
  #replace(used: Opened) {
    if (this.#current !== used) return
    this.#current = this.#open()
    used.client.end({ timeout: 0 }).catch(() => {})
  }
}

/** Makes `send` send a query of postgres.js, once, as soon as it is awaited. */
const sentBy = (query: unknown, send: () => Promise<unknown>): unknown => {
  let sent: Promise<unknown> | undefined
  const outcome = () => {
    sent ??= send()
    return sent
  }
  return Object.defineProperties(query, {
    // biome-ignore lint/suspicious/noThenProperty: what is awaited has to be thenable
    then: { value: (...handlers: Parameters<Promise<unknown>['then']>) => outcome().then(...handlers) },
    catch: { value: (...handlers: Parameters<Promise<unknown>['catch']>) => outcome().catch(...handlers) },
    finally: { value: (...handlers: Parameters<Promise<unknown>['finally']>) => outcome().finally(...handlers) },
  })
}

/** A tag whose queries are made by `maker`, which never connects, and sent by `send`. */
const openTag = (maker: Client, send: (make: Make) => Promise<unknown>): Database => {
  const tag = (...parameters: never[]) => {
    const part = (maker as unknown as (...parameters: never[]) => unknown)(...parameters)
    const [strings] = parameters as unknown[]
    const isQuery = Array.isArray(strings) && 'raw' in strings
    return isQuery ? sentBy(part, () => send((to) => to(...parameters))) : part
  }
  const unsafe = (...parameters: Parameters<Database['unsafe']>) =>
    sentBy(maker.unsafe(...parameters), () => send((to) => to.unsafe(...parameters)))
  return Object.assign(tag, { json: maker.json, unsafe }) as unknown as Database
}

/** Opens a pool. No connection is opened before a statement needs it. */
export const openPool = (
  databaseUrl: string,
  { max, name, statementTimeoutMs = STATEMENT_TIMEOUT_MS, waiting = NO_LIMIT }: PoolOptions,
): Pool => {
  const open = () => openClient(databaseUrl, { name, statementTimeoutMs })
  const deadlineMs = statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + ANSWER_GRACE_MS
  const maker = open().client
  const connections = Array.from({ length: max }, () => new Connection(open, deadlineMs))
  const slots = openSlots(connections, waiting)

  const reserve = async (): Promise<Reserved> => {
    const connection = await slots.acquire()
    try {
      const { send, release, abandon } = await connection.reserve()
      let isHeld = true
      const once = (work: () => void) => () => {
        if (!isHeld) return
        isHeld = false
        work()
        slots.release(connection)
      }
      return Object.assign(openTag(maker, send), { release: once(release), abandon: once(abandon) })
    } catch (error) {
      slots.release(connection)
      throw error
    }
  }

  const end = async (options?: { timeout?: number }) => {
    slots.close()
    await Promise.all([...connections, maker].map((each) => each.end(options)))
  }

  const tag = openTag(maker, (make) => slots.use((connection) => connection.send(make)))
  return Object.assign(tag, { reserve, end })
}

/**
 * Whether the connection has gone, or is about to: statements sent on it now never get a response. A pooler that has
 * lost its own connection reports that by a fatal error.
 */
export const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (('severity' in error && error.severity === 'FATAL') ||
    /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|57P0|DEADLINE)/.test(errorCode(error)))

/**
 * Keeps the process alive if a connection is lost while postgres.js queries its types: no code can handle that
 * rejection. All other unhandled rejections still end the process.
 */
export const surviveLostConnections = (): void => {
  process.on('unhandledRejection', (error) => {
    if (!isLost(error)) throw error
  })
}
