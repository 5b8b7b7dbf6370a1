/**
 * Removing an account of staff. Its password, sessions and devices, recovery codes, address, photo and views go at
 * once. Within half a minute a worker destroys the data keys that encrypt the secrets of its second factor and the
 * addresses of its password links and alerts in the log, as for an erased person (key-eraser.ts), and removes what
 * email services responded about those. The name stays, to show who did what in the past. The account's own id gets a
 * tombstone as well, which is in the ledger of erasures, so a restored backup brings no removed account back.
 */

import { KeyError } from '../keys/key-ring.ts'
import { destroyKeys } from '../keys/subject-keys.ts'
import { leadAlertStreams } from '../lead/email/alert.ts'
import type { Queryable } from '../log/decode.ts'
import { readHead } from '../log/read.ts'
import { deleteExportsOf } from '../privacy/store/exports.ts'
import { ACCOUNTS_STREAM } from '../staff/account-history.ts'
import { passwordLinkStreams } from '../staff/password-link.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'
import { webhookAlertStreams } from '../webhook/alert.ts'
import { noteTableRewrites } from './due-rewrites.ts'
import { eraseDeliveriesTo } from './erased-deliveries.ts'
import { keyStores } from './ledger.ts'

/** Removes accounts with all their data outside the log, except their names. Repeating it changes nothing. */
export const clearAccounts = async (tx: Queryable, ids: readonly string[]): Promise<void> => {
  await tx`
    update staff set removed_at = coalesce(removed_at, now()), password_hash = '', alert_email = null, totp_event = null,
      photo = null, photo_tag = null
    where id = any(${ids}::uuid[])`
  await tx`delete from staff_sessions where staff_id = any(${ids}::uuid[])`
  await tx`delete from push_subscriptions where staff_id = any(${ids}::uuid[])`
  await tx`delete from staff_recovery_codes where staff_id = any(${ids}::uuid[])`
  await tx`delete from staff_views where staff_id = any(${ids}::uuid[])`
}

/**
 * A data subject whose key is destroyed with an account: each secret, link and alert of it in the log has its own key.
 */
type Subject = { accountId: string; subjectId: string }

/**
 * Returns the data subjects of some accounts in the log: each secret, each link and each alert has its own key. The
 * cost grows with the log, unless `after` excludes most of it.
 */
const findSubjects = async (sql: Sql, ids: readonly string[], after = 0): Promise<Subject[]> => {
  if (ids.length === 0) return []
  const columns = sql`data ->> 'accountId' as "accountId", subject_id as "subjectId"`
  const ofAccounts = sql`data ->> 'accountId' = any(${ids}::text[])`
  const kinds = [
    sql`stream = ${ACCOUNTS_STREAM} and personal is not null`,
    sql`stream like ${`${passwordLinkStreams.prefix}%`} and personal is not null`,
    sql`stream like ${`${leadAlertStreams.prefix}%`} and subject_id = id`,
    sql`stream like ${`${webhookAlertStreams.prefix}%`} and personal is not null`,
  ]
  // for the whole log the index of streams finds each kind; events since then are read once
  if (after === 0) {
    const [first, ...others] = kinds.map((kind) => sql`select ${columns} from events where ${kind} and ${ofAccounts}`)
    return await sql<Subject[]>`${others.reduce((found, other) => sql`${found} union ${other}`, first ?? sql``)}`
  }
  return await sql<Subject[]>`
    select distinct ${columns} from (
      select id, stream, data, subject_id, personal from events where position > ${after} order by position offset 0
    ) events
    where (${kinds.reduce((any, kind) => sql`${any} or ${kind}`, sql`false`)}) and ${ofAccounts}`
}

/** The removed accounts that hold no key in the log, up to a position. */
export type LookedThrough = { ids: ReadonlySet<string>; position: number }

const NOTHING_YET: LookedThrough = { ids: new Set(), position: 0 }

/** Returns the removed accounts that still have a key in either store. Each key is checked once. */
const findUnerased = async (
  sql: Sql,
  keys: NonNullable<Sql['keys']>,
  looked: LookedThrough,
): Promise<{ ids: string[]; subjects: Subject[]; looked: LookedThrough }> => {
  const removed = await sql<{ id: string }[]>`select id from staff where removed_at is not null`
  if (removed.length === 0) return { ids: [], subjects: [], looked }
  const { position } = await readHead(sql)
  const ids = removed.map(({ id }) => id)
  const [known, others] = [ids.filter((id) => looked.ids.has(id)), ids.filter((id) => !looked.ids.has(id))]
  const subjects = [
    ...(position > looked.position ? await findSubjects(sql, known, looked.position) : []),
    ...(await findSubjects(sql, others)),
  ]
  const unerased = new Set<string>()
  const accountIds = subjects.map(({ accountId }) => accountId)
  const subjectIds = subjects.map(({ subjectId }) => subjectId)
  for (const store of keyStores(sql, keys.apart)) {
    const rows = await store<{ id: string }[]>`
      select s.id from unnest(${ids}::uuid[]) as s (id)
      where not exists (select from subject_keys k where k.subject_id = s.id and k.destroyed_at is not null)
      union select s.id from unnest(${accountIds}::uuid[], ${subjectIds}::uuid[]) as s (id, subject_id)
      join subject_keys k using (subject_id) where k.destroyed_at is null`
    for (const { id } of rows) unerased.add(id)
  }
  return {
    ids: [...unerased],
    subjects: subjects.filter(({ accountId }) => unerased.has(accountId)),
    looked: { ids: new Set(ids), position },
  }
}

/**
 * Erases what is left of removed accounts, their keys last, so a step that is interrupted is done again. Returns what
 * the next step need not search, for its `looked`.
 */
export const eraseRemovedAccounts = async (sql: Sql, looked = NOTHING_YET): Promise<LookedThrough> => {
  const { keys } = sql
  if (!keys) throw new KeyError('To erase accounts takes a connection with keys')
  const found = await findUnerased(sql, keys, looked)
  const { ids, subjects } = found
  if (ids.length === 0) return found.looked
  await inTransaction(sql, async (tx) => {
    await clearAccounts(tx, ids)
    await eraseDeliveriesTo(tx, ids)
    await deleteExportsOf(tx, ids)
    await noteTableRewrites(tx)
  })
  await destroyKeys(sql, keys, [...subjects.map(({ subjectId }) => subjectId), ...ids])
  return found.looked
}

/** Opens an eraser that is called repeatedly: it searches the log once per account, and then only its new events. */
export const openAccountEraser = (sql: Sql): (() => Promise<void>) => {
  let looked = NOTHING_YET
  return async () => {
    looked = await eraseRemovedAccounts(sql, looked)
  }
}
