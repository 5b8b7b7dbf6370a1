import type { SubjectKeys } from '../keys/subject-keys.ts'
import { type Durable, openDurable } from './postgres/durable.ts'
import { isLost, openPool, type Pool, type PoolOptions, type Reserved } from './postgres/pool.ts'

/** The keys that open the personal part of events that are read; undefined on connections that read none. */
type WithKeys = { readonly keys: SubjectKeys | undefined }

/** A connection of a pool, in a transaction, which waits for no disk: it has not ended. */
export type Transaction = Reserved & WithKeys & { readonly durable?: undefined }

/** A pool of connections to the log's database. `durable` waits for the disk. */
export type Sql = Pool<Transaction> & WithKeys & { readonly durable: Durable }

type ConnectOptions = PoolOptions & {
  keys?: SubjectKeys | undefined
  /** That of another pool of the same process. */
  durable?: Durable
}

/** Opens a pool of connections to the log's database. */
export const connect = (databaseUrl: string, { keys, durable, ...options }: ConnectOptions): Sql => {
  const pool = openPool(databaseUrl, options)
  const { reserve } = pool
  return Object.assign(pool, {
    keys,
    durable: durable ?? openDurable(pool),
    reserve: async () => Object.assign(await reserve(), { keys, durable: undefined }),
  })
}

/**
 * Runs `work` in a transaction on a connection of its own: `sql.begin` on a shared pool can let unrelated queries in
 * (postgres.js issues 1189, 823, 1210). Commits when `work` resolves, rolls back when it throws.
 */
export const inTransaction = async <T, Taken extends Reserved>(pool: Pool<Taken>, work: (tx: Taken) => Promise<T>) => {
  const tx = await pool.reserve()
  try {
    await tx`begin`
    const result = await work(tx)
    await tx`commit`
    tx.release()
    return result
  } catch (error) {
    const isOver = isLost(error) || (await tx`rollback`.then(() => false, isLost))
    if (isOver) tx.abandon()
    else tx.release()
    throw error
  }
}
