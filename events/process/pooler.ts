import { randomInt } from 'node:crypto'
import { errorCode } from '../base/error-code.ts'
import { connect, type Sql } from '../stores/connection.ts'

/** Sent with the connection: a pooler refuses it or drops it. No server has it as its own default. */
const PROBE_TIMEOUT_MS = 4_321
const MAX_INTEGER = 2 ** 31 - 1

type Answer = { pid: number; timeout: string }

const probe = async (sql: Sql) => {
  const [answer] = await sql<Answer[]>`
    select pg_backend_pid() as pid, (select setting from pg_settings where name = 'statement_timeout') as timeout`
  if (answer === undefined) throw new Error('Postgres answered nothing')
  return answer
}

/**
 * Returns the sign that connections to this address are not sessions of Postgres; undefined if they are. A pooler
 * refuses settings, or loses them; two of its connections share one of the server's, or one changes between two.
 *
 * @throws the error of Postgres if it cannot be used.
 */
export const findPooler = async (databaseUrl: string): Promise<string | undefined> => {
  const [one, other] = [1, 2].map(() =>
    connect(databaseUrl, { max: 1, name: 'reach', statementTimeoutMs: PROBE_TIMEOUT_MS }),
  ) as [Sql, Sql]
  try {
    const answers: Answer[] = []
    for (const sql of [one, other, one, other]) answers.push(await probe(sql))
    const [first, second, third, fourth] = answers.map(({ pid }) => pid)
    if (answers.some(({ timeout }) => Number(timeout) !== PROBE_TIMEOUT_MS)) return 'it passes on no settings'
    if (first === second || first !== third || second !== fourth) return 'its connections are no sessions'
    return undefined
  } catch (error) {
    const code = errorCode(error)
    // a refused startup parameter; a prepared statement that another connection of the server has, or has not
    if (code === '08P01' || code === '26000' || code === '42P05') return (error as Error).message
    throw error
  } finally {
    await Promise.all([one, other].map((sql) => sql.end({ timeout: 0 })))
  }
}

/**
 * Whether two addresses lead to one database on one server: a lock taken through the one is visible through the other.
 */
export const isSameDatabase = async (databaseUrl: string, directUrl: string): Promise<boolean> => {
  const [pooled, direct] = [databaseUrl, directUrl].map((url) => connect(url, { max: 1, name: 'reach' })) as [Sql, Sql]
  const [high, low] = [randomInt(MAX_INTEGER), randomInt(MAX_INTEGER)]
  try {
    await direct`select pg_advisory_lock(${high}::integer, ${low}::integer)`
    const seen = await pooled`
      select from pg_locks
      where locktype = 'advisory' and classid::bigint = ${high} and objid::bigint = ${low}
        and database = (select oid from pg_database where datname = current_database())`
    return seen.length > 0
  } finally {
    await Promise.all([pooled, direct].map((sql) => sql.end({ timeout: 0 })))
  }
}
