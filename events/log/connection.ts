import postgres from 'postgres'

/** A pool of connections to the log's database; `bigint` columns come as numbers. */
export type Sql = postgres.Sql<{ bigint: number }>

const CONNECT_TIMEOUT_S = 5
const STATEMENT_TIMEOUT_MS = 30_000
const LOCK_TIMEOUT_MS = 10_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

/**
 * Opens a pool. `max` is its number of connections; `statementTimeoutMs` bounds a statement on the server (0: none,
 * for rebuilds and migrations).
 */
export const connect = (
  databaseUrl: string,
  { max, name, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: { max: number; name: string; statementTimeoutMs?: number },
): Sql =>
  postgres(databaseUrl, {
    max,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: false,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: {
      application_name: name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  })

/** The connection has gone, or is about to: what is sent on it now gets no answer, ever. */
const isLost = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|57P0)/.test(String(error.code))

/**
 * Runs `work` in a transaction on a connection of its own: `sql.begin` on a shared pool can let unrelated queries in
 * (postgres.js issues 1189, 823, 1210). Commits when `work` resolves, rolls back when it throws.
 */
export const inTransaction = async <T>(
  sql: Sql,
  work: (tx: postgres.ReservedSql<{ bigint: number }>) => Promise<T>,
) => {
  const tx = await sql.reserve()
  try {
    await tx`begin`
    const result = await work(tx)
    await tx`commit`
    tx.release()
    return result
  } catch (error) {
    // a pool takes a lost connection back by itself; released once more it would be given out as an open one
    const isOver = isLost(error) || (await tx`rollback`.then(() => false, isLost))
    if (!isOver) tx.release()
    throw error
  }
}
