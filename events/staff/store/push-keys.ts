import webPush from 'web-push'
import { KeyError, type KeyRing, openSecret, rewrap, sealSecret, type WrappedKey } from '../../keys/key-ring.ts'
import type { SubjectKeys } from '../../keys/subject-keys.ts'
import { inTransaction, type Sql } from '../../stores/connection.ts'

/** Names the private key to DATA_KEY's cipher: nothing else that it encrypts opens as this. */
const NAME = 'push private key'

/** The keys by which this site identifies itself to push services (VAPID, RFC 8292), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string }

type Row = WrappedKey & { publicKey: string }

const readRow = async (sql: Sql) => {
  const [row] = await sql<Row[]>`select public_key as "publicKey", wrapped, ring_key as "ringKey" from push_keys`
  return row
}

const makeRow = (ring: KeyRing): Row => {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return { publicKey, ...sealSecret(ring, NAME, Buffer.from(privateKey, 'base64url')) }
}

const readOrMake = async (sql: Sql, ring: KeyRing): Promise<Row> => {
  const known = await readRow(sql)
  if (known) return known
  const made = makeRow(ring)
  await sql`
    insert into push_keys (public_key, wrapped, ring_key) values (${made.publicKey}, ${made.wrapped}, ${made.ringKey})
    on conflict do nothing`
  return (await readRow(sql)) ?? made
}

/** The public key, which browsers subscribe with; both keys are made if there are none yet. */
export const readPublicPushKey = async (sql: Sql, ring: KeyRing): Promise<string> =>
  (await readOrMake(sql, ring)).publicKey

const open = (ring: KeyRing, row: Row): PushKeys => ({
  publicKey: row.publicKey,
  privateKey: openSecret(ring, NAME, row).toString('base64url'),
})

/**
 * Both keys, the same for all nodes and workers; made if there are none yet. Throws a KeyError for another DATA_KEY.
 */
export const readPushKeys = async (sql: Sql, ring: KeyRing): Promise<PushKeys> =>
  open(ring, await readOrMake(sql, ring))

/** Whether another process has this key of DATA_KEY, as during its rotation: a key wrapped with it is not lost. */
const isInUse = async (sql: Sql, apart: SubjectKeys['apart'], ring: KeyRing, { ringKey }: Row) =>
  !ring.byId.has(ringKey) && (await (apart ?? sql)`select 1 from ring_keys where id = ${ringKey}`).length > 0

/**
 * Makes new keys if no key opens the private one any longer: a backup from before a change of DATA_KEY was restored.
 * Services refuse subscriptions made with the old ones, so those are removed; their pages subscribe again. Returns
 * whether it did so.
 */
export const replaceLostPushKeys = async (
  sql: Sql,
  { ring, apart }: Pick<SubjectKeys, 'ring' | 'apart'>,
): Promise<boolean> => {
  const row = await readRow(sql)
  if (!row) return false
  try {
    open(ring, row)
    return false
  } catch (error) {
    if (!(error instanceof KeyError) || (await isInUse(sql, apart, ring, row))) throw error
  }
  const { publicKey, wrapped, ringKey } = makeRow(ring)
  return await inTransaction(sql, async (tx) => {
    const replaced = await tx`
      update push_keys set public_key = ${publicKey}, wrapped = ${wrapped}, ring_key = ${ringKey}
      where wrapped = ${row.wrapped} returning 1`
    if (replaced.length === 0) return false
    await tx`delete from push_subscriptions`
    return true
  })
}

/** Encrypts the private key by the active key of DATA_KEY. */
export const rewrapPushKeys = async (sql: Sql, ring: KeyRing): Promise<void> => {
  const row = await readRow(sql)
  if (!row || row.ringKey === ring.active.id) return
  const { wrapped, ringKey } = rewrap(ring, NAME, row)
  await sql`update push_keys set wrapped = ${wrapped}, ring_key = ${ringKey} where wrapped = ${row.wrapped}`
}
