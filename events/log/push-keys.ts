import webPush from 'web-push'
import type { Sql } from './connection.ts'
import { type KeyRing, openSecret, rewrap, sealSecret, type WrappedKey } from './key-ring.ts'

/** Names the private key to DATA_KEY's cipher: nothing else that it encrypts opens as this. */
const NAME = 'push private key'

/** The keys by which this site names itself to push services (VAPID, RFC 8292), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string }

type Row = WrappedKey & { publicKey: string }

const readRow = async (sql: Sql) => {
  const [row] = await sql<Row[]>`select public_key as "publicKey", wrapped, ring_key as "ringKey" from push_keys`
  return row
}

const readOrMake = async (sql: Sql, ring: KeyRing): Promise<Row> => {
  const known = await readRow(sql)
  if (known) return known
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  const { wrapped, ringKey } = sealSecret(ring, NAME, Buffer.from(privateKey, 'base64url'))
  await sql`
    insert into push_keys (public_key, wrapped, ring_key) values (${publicKey}, ${wrapped}, ${ringKey})
    on conflict do nothing`
  return (await readRow(sql)) ?? { publicKey, wrapped, ringKey }
}

/** The public key, which browsers subscribe with; made with the private one where there is none yet. */
export const readPublicPushKey = async (sql: Sql, ring: KeyRing): Promise<string> =>
  (await readOrMake(sql, ring)).publicKey

/** Both keys, the same for all nodes and workers; made where there are none yet. Throws a KeyError for another DATA_KEY. */
export const readPushKeys = async (sql: Sql, ring: KeyRing): Promise<PushKeys> => {
  const row = await readOrMake(sql, ring)
  return { publicKey: row.publicKey, privateKey: openSecret(ring, NAME, row).toString('base64url') }
}

/** Encrypts the private key by the active key of DATA_KEY. */
export const rewrapPushKeys = async (sql: Sql, ring: KeyRing): Promise<void> => {
  const row = await readRow(sql)
  if (!row || row.ringKey === ring.active.id) return
  const { wrapped, ringKey } = rewrap(ring, NAME, row)
  await sql`update push_keys set wrapped = ${wrapped}, ring_key = ${ringKey} where wrapped = ${row.wrapped}`
}
