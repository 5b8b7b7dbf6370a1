/**
 * Restoring a backup (api/backup/dump.sh). Stop all nodes and workers. Restore the dump into an empty database:
 *
 *     pg_restore --dbname=… agency.dump
 *     npm run log -- keys import keys.jsonl
 *     npm run log -- restore --ledger ledger.jsonl
 *
 * The last command migrates and checks the chain, erases again all people in the ledger, removes the views, which
 * workers then fill again, works out from the log which emails went out, to send only open ones, and gives the log a
 * new epoch, so nothing in Redis from before counts. If it is interrupted, run it again. See
 * events/decisions/08-restore-by-epoch.md.
 *
 * All sessions of staff end, and all tokens of programs, which may have been revoked since the backup: owners create
 * new ones. Webhooks are paused, as they may have been removed since: owners resume them (/admin-settings). Accounts
 * that were removed since stay removed, by the ledger. Passwords, second factors, recovery codes and roles are those of
 * the backup: repeat later changes. If no owner is left the command says so, and how to create one. If DATA_KEY was
 * changed since, and nothing opens the keys of notifications, workers create new ones (push-keys.ts).
 *
 * Until it is done nodes and workers refuse to start (log-binding.ts): a dump knows which database it was taken from, Redis
 * knows how far the log had come, and a separate key store knows the erasures. One case cannot be recognised: a
 * snapshot of the disk is put back in place, Redis is empty, and the keys are in the log's database. Run the command
 * then too. A move to another server by a dump is a restore as well, and so is an upgrade by `pg_upgrade`.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { DISPATCH } from '../consumers/acting-consumers.ts'
import { catchUpDeliveries } from '../email/store/restored-deliveries.ts'
import { eraseDeliveries, eraseDeliveriesTo } from '../erasure/erased-deliveries.ts'
import type { ErasedSubject } from '../erasure/erased-subjects.ts'
import { allErased, keyStores } from '../erasure/ledger.ts'
import { clearAccounts } from '../erasure/removed-accounts.ts'
import type { SubjectKeys } from '../keys/subject-keys.ts'
import type { Appender } from '../log/append.ts'
import type { ChainHead } from '../log/chain.ts'
import { prepareCheckpoint, readPosition, resetCheckpoint } from '../log/checkpoints.ts'
import type { Queryable } from '../log/decode.ts'
import { readHead } from '../log/read.ts'
import { type ExpectedHeads, type Progress, verifyLog } from '../log/verify.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'
import type { Database } from '../stores/postgres/pool.ts'
import { eraseAgain, streamsOfSubject } from './erase-again.ts'
import { bindLog, markLogUnbound } from './log-binding.ts'
import { assertKeysAreThere, findKeyless } from './missing-keys.ts'
import { destroyErasedKeys } from './replayed-erasures.ts'

/** The processes that must not run while a log is made ready, by the names of their connections. */
const SERVING = ['api', 'worker', 'append']

/** How long a connection that was closed may still be listed. */
const DISCONNECT_TIMEOUT_MS = 2_000
const POLL_MS = 50

/** Connected processes prevent a restore; the message is one line with advice. */
export class InUseError extends Error {
  override name = 'InUseError'
}

const servingProcesses = async (sql: Queryable): Promise<string> => {
  const rows = await sql<{ name: string; count: number }[]>`
    select application_name as name, count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name in ${sql(SERVING)}
    group by application_name order by application_name`
  return rows.map(({ name, count }) => `${count} of ${name}`).join(', ')
}

/** Throws an InUseError if API nodes or workers are connected, and do not go within 2 seconds. */
export const assertNotServed = async (sql: Queryable): Promise<void> => {
  const deadline = performance.now() + DISCONNECT_TIMEOUT_MS
  for (let serving = await servingProcesses(sql); serving !== ''; serving = await servingProcesses(sql)) {
    if (performance.now() > deadline) {
      throw new InUseError(`API nodes or workers are connected to this database (${serving}): stop them first`)
    }
    await delay(POLL_MS)
  }
}

/**
 * Closes the log: no process may begin to serve it from here on. A process that began at this very moment is detected
 * before anything has changed. Returns the log's former home. Throws an InUseError if API nodes or workers are
 * connected.
 */
export const closeLog = async (sql: Sql): Promise<string | null> => {
  await assertNotServed(sql)
  const home = await markLogUnbound(sql)
  try {
    await assertNotServed(sql)
  } catch (error) {
    await bindLog(sql, home)
    throw error
  }
  return home
}

/** Every consumer begins again at the beginning, but for the dispatcher: all up to `position` is in `deliveries`. */
const resetCheckpoints = async (tx: Queryable, { epoch, position }: { epoch: string; position: number }) => {
  await tx`delete from checkpoint_positions`
  await tx`delete from checkpoints`
  await prepareCheckpoint(tx, DISPATCH, { isFilled: true })
  await resetCheckpoint(tx, DISPATCH, { epoch, position })
}

const dropViews = async (tx: Queryable) => {
  const schemas = await tx<{ name: string }[]>`select nspname as name from pg_namespace where nspname like 'view\\_%'`
  for (const { name } of schemas) await tx`drop schema ${tx(name)} cascade`
}

/** Begins a new history of the log, without data of erased people, in one transaction. */
const beginHistory = (sql: Sql, erased: readonly ErasedSubject[], lost: ReadonlySet<string>) =>
  inTransaction(sql, async (tx) => {
    await tx`update log_epoch set epoch = gen_random_uuid()`
    const { epoch, position } = await readHead(tx)
    await dropViews(tx)
    await catchUpDeliveries(tx, { after: Math.min(await readPosition(tx, DISPATCH), position), upTo: position })
    await eraseDeliveries(
      tx,
      erased.flatMap(({ subjectId }) => streamsOfSubject(subjectId)),
    )
    // a session of the backup may have been ended since, along with a password or a second factor that others knew
    await tx`delete from staff_sessions`
    await tx`
      update api_tokens set expires_at = now(), ended_by_restore = true
      where revoked_at is null and (expires_at is null or expires_at > now())`
    await tx`
      update webhooks set paused_at = now(), paused_by_restore = true, failing_since = null
      where removed_at is null and paused_at is null`
    // subjects who lost a key are not removed accounts
    const removed = erased.flatMap(({ subjectId }) => (lost.has(subjectId) ? [] : [subjectId]))
    await clearAccounts(tx, removed)
    await eraseDeliveriesTo(tx, removed)
    await resetCheckpoints(tx, { epoch, position })
  })

/** A row that was changed leaves its old version in the table's file. */
const rewriteTables = async (sql: Sql, stores: Database[]) => {
  for (const store of stores) await store`select rewrite_subject_keys('-infinity')`
  await sql`select rewrite_deliveries('-infinity')`
  await sql`vacuum (full, analyze) chat_pages, chat_files, lead_imports, lead_import_keys, lead_import_erasures`
  await sql`delete from rewrites`
}

/**
 * The number of accounts that may change settings and accounts: those who became owners since the backup no longer
 * count.
 */
const countOwners = async (sql: Sql): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from staff where role = 'owner' and removed_at is null`
  return row?.count ?? 0
}

/** The results of a restore, and the number of owners left. */
export type Restored = { head: ChainHead; erased: number; lost: number; owners: number }

/**
 * Makes a log from a backup ready to be served: checks the chain of hashes, applies the ledger (also in a separate
 * database of keys), gives the log a new epoch, removes the views, removes the remaining data of erased people from the
 * deliveries, notes what is still to be sent, ends all sessions of staff and all tokens of programs, and pauses
 * webhooks. Until all that is done no node and no worker starts; after an interruption run it again. `sql` is the
 * owner's, without time-outs, and opened with the keys. With `areKeysLost` people whose keys are missing count as
 * erased.
 *
 * @throws an InUseError while nodes or workers are connected, a ChainError if the log was changed, a MissingKeysError
 *   if keys are missing: nothing is done.
 */
export const restoreLog = async (
  { sql, keys, openLog }: { sql: Sql; keys: SubjectKeys; openLog: () => Appender },
  {
    ledger,
    expected,
    areKeysLost = false,
    onProgress,
  }: { ledger: readonly ErasedSubject[]; expected?: ExpectedHeads; areKeysLost?: boolean; onProgress?: Progress },
): Promise<Restored> => {
  await assertNotServed(sql)
  const head = await verifyLog(sql, { expected, ...(onProgress && { onProgress }) })
  const stores = keyStores(sql, keys.apart)
  const inLedger = new Set(ledger.map(({ subjectId }) => subjectId))
  const keyless = (await findKeyless(sql, keys.apart)).filter((id) => !inLedger.has(id))
  if (!areKeysLost) assertKeysAreThere(keyless)
  await closeLog(sql)
  const erasedAt = new Date().toISOString()
  const lostKeys = keyless.map((subjectId) => ({ subjectId, erasedAt }))
  for (const store of stores) await destroyErasedKeys(store, [...ledger, ...lostKeys])
  const erased = await allErased(stores)
  for (const store of stores) await destroyErasedKeys(store, erased)
  await beginHistory(sql, erased, new Set(keyless))
  const log = openLog()
  const lost = await eraseAgain(sql, log, erased).finally(() => log.close())
  await rewriteTables(sql, stores)
  await bindLog(sql)
  return { head, erased: erased.length, lost, owners: await countOwners(sql) }
}
