import { randomUUID } from 'node:crypto'
import { KeyError, type KeyRing, openSecret, rewrap, sealSecret, type WrappedKey } from '../../keys/key-ring.ts'
import type { Queryable } from '../../log/read.ts'

/** Names a password to DATA_KEY's cipher: nothing else that it encrypts opens as this. */
const nameOf = (id: string) => `password of the mail server ${id}`

type Row = WrappedKey & { id: string }

const open = (ring: KeyRing, row: Row): string | undefined => {
  try {
    return openSecret(ring, nameOf(row.id), row).toString('utf8')
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}

/** A password of the mail server; undefined if it is lost, or no key of DATA_KEY opens it. */
export const readServerPassword = async (sql: Queryable, ring: KeyRing, id: string): Promise<string | undefined> => {
  const [row] = await sql<Row[]>`select id, wrapped, ring_key as "ringKey" from server_passwords where id = ${id}`
  return row && open(ring, row)
}

/** Stores a password, encrypted, and returns its id. It is in use once a change of the settings names it. */
export const addServerPassword = async (sql: Queryable, ring: KeyRing, password: string): Promise<string> => {
  const id = randomUUID()
  const { wrapped, ringKey } = sealSecret(ring, nameOf(id), Buffer.from(password))
  await sql`insert into server_passwords (id, wrapped, ring_key) values (${id}, ${wrapped}, ${ringKey})`
  return id
}

/** The moment before a change of the server begins, by the clock of Postgres. */
export const serverPasswordClock = async (sql: Queryable): Promise<Date> => {
  const [row] = await sql<[{ now: Date }]>`select clock_timestamp() as now`
  return row.now
}

/**
 * Deletes the passwords from before a saved change that the settings no longer name. A newer one belongs to a change
 * that is being saved; an older one whose change is not saved yet will be refused, as it has not seen this one.
 */
export const deleteOldServerPasswords = async (
  sql: Queryable,
  { currentId, before }: { currentId: string | null; before: Date },
): Promise<void> => {
  await sql`
    delete from server_passwords where id is distinct from ${currentId}::uuid and made_at < ${before}`
}

/** Encrypts the passwords by the active key of DATA_KEY. Returns whether there was one that no key opens: it stays. */
export const rewrapServerPasswords = async (sql: Queryable, ring: KeyRing): Promise<boolean> => {
  const rows = await sql<Row[]>`
    select id, wrapped, ring_key as "ringKey" from server_passwords where ring_key <> ${ring.active.id}`
  const known = rows.filter((row) => open(ring, row) !== undefined)
  for (const row of known) {
    const { wrapped, ringKey } = rewrap(ring, nameOf(row.id), row)
    await sql`update server_passwords set wrapped = ${wrapped}, ring_key = ${ringKey} where id = ${row.id}`
  }
  return known.length < rows.length
}
