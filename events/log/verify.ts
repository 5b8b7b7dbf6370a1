/**
 * Proof that the log was not changed. Each event's hash covers the event and the hash before it. `npm run log --
 * verify` computes all of them again and names the first event that was changed, removed or inserted. It prints the
 * head as HASH@POSITION. Note it outside this system from time to time: `verify --expect HASH@POSITION` then shows that
 * the chain was neither rewritten as a whole nor cut off at its end. Erasures leave the chain whole. In containers:
 * `docker compose run --rm log verify`.
 */

import { LogIntegrityError } from '../keys/errors.ts'
import { CHAIN_START, type ChainHead, hashOf, type StoredRow, storedColumns } from './chain.ts'
import type { Queryable } from './decode.ts'

const BATCH_EVENTS = 1_000

/** The log was changed: the message names the first event that does not fit. */
export class ChainError extends LogIntegrityError {
  override name = 'ChainError'
}

/** Heads that were noted earlier, as hexadecimal hashes by position. */
export type ExpectedHeads = ReadonlyMap<number, string>

/** How far a command has come, in events or in keys. */
export type Progress = (progress: { position: number; head: number }) => void

type CheckedRow = StoredRow & { isInOrder: boolean }

const named = ({ position, type, stream }: StoredRow) => `Event ${position} (${type} in ${stream})`

const checked = (head: ChainHead, row: CheckedRow, expected: ExpectedHeads): ChainHead => {
  if (row.position !== head.position + 1) {
    throw new ChainError(`Event ${head.position + 1} is missing: ${named(row)} comes next`)
  }
  const hash = hashOf(head.hash, row)
  if (!hash.equals(row.hash)) {
    throw new ChainError(
      `${named(row)} was changed: it does not fit its hash, or the event before it was changed together with its own`,
    )
  }
  if (!row.isInOrder) {
    throw new ChainError(
      `${named(row)} has version ${row.version} of its stream, and version ${row.version - 1} is not before it`,
    )
  }
  const wanted = expected.get(row.position)
  if (wanted !== undefined && wanted !== hash.toString('hex')) {
    throw new ChainError(
      `${named(row)} has the hash ${hash.toString('hex')}, not the expected one: the chain was rewritten`,
    )
  }
  return { position: row.position, hash }
}

/**
 * Checks the events after a head, at most `limit`, and returns the new head: each continues the chain of hashes, and has
 * the next version of its stream. Throws a ChainError for the first that does not.
 */
export const verifyNext = async (
  sql: Queryable,
  head: ChainHead,
  expected: ExpectedHeads = new Map(),
  limit = BATCH_EVENTS,
): Promise<ChainHead> => {
  const rows = await sql<CheckedRow[]>`
    select ${storedColumns(sql)},
      e.version = 1 or coalesce((
        select p.position < e.position from public.events p where p.stream = e.stream and p.version = e.version - 1
      ), false) as "isInOrder"
    from public.events e where e.position > ${head.position} order by e.position limit ${limit}`
  return rows.reduce((reached, row) => checked(reached, row, expected), head)
}

/** The number of events that are checked on each side of one. */
const AROUND_EVENTS = 50

/**
 * Checks the events around a position against the chain of hashes. Throws a ChainError that names the first one that was
 * changed, removed or inserted there. Returns the last that was checked. A chain that was rewritten as a whole shows by
 * noted heads alone (`verifyLog`).
 */
export const verifyAround = async (sql: Queryable, position: number): Promise<ChainHead> => {
  const from = Math.max(0, position - AROUND_EVENTS - 1)
  const [before] = await sql<{ hash: Buffer }[]>`select hash from public.events where position = ${from}`
  if (from > 0 && !before) throw new ChainError(`Event ${from} is missing`)
  const head = before ? { position: from, hash: before.hash } : CHAIN_START
  const reached = await verifyNext(sql, head, undefined, position + AROUND_EVENTS - from)
  if (reached.position < position) throw new ChainError(`Event ${position} is missing`)
  return reached
}

/** The last position that any reader of this history of the log has been at, or that an email was asked for at. */
const readUpTo = async (sql: Queryable): Promise<number> => {
  const [row] = await sql<{ position: number }[]>`
    select greatest(
      (
        select max(p.position) from public.checkpoint_positions p
        join public.checkpoints c using (consumer, version) join public.log_epoch l on l.epoch = c.epoch
      ),
      (select max(event_position) from public.deliveries),
      0
    ) as position`
  return row?.position ?? 0
}

/**
 * Checks all events that are in the log now, by hashes that are computed here. Holds one batch at a time, and no
 * snapshot. Returns the head. Throws a ChainError that names the first event that was changed, removed or inserted. A
 * removed end of the log shows by the positions that consumers have read, and by noted heads (`expected`).
 */
export const verifyLog = async (
  sql: Queryable,
  { expected, onProgress = () => {} }: { expected?: ExpectedHeads | undefined; onProgress?: Progress } = {},
): Promise<ChainHead> => {
  const [bounds] = await sql<{ first: number | null; last: number | null }[]>`
    select min(position) as first, max(position) as last from public.events`
  const last = bounds?.last ?? 0
  const read = await readUpTo(sql)
  if (read > last) {
    throw new ChainError(`Event ${last + 1} is missing: the log ends at ${last}, and ${read} has been read`)
  }
  if ((bounds?.first ?? 1) < 1) throw new ChainError(`Event ${bounds?.first} was inserted: positions begin at 1`)
  const beyond = [...(expected?.keys() ?? [])].find((position) => position > last)
  if (beyond !== undefined) {
    throw new ChainError(
      `The log ends at ${last}, before event ${beyond}, whose hash was expected: its end was removed`,
    )
  }
  let head = CHAIN_START
  while (head.position < last) {
    head = await verifyNext(sql, head, expected)
    onProgress({ position: Math.min(head.position, last), head: last })
  }
  return head
}

/** A head as operators note it: `HASH@POSITION`. */
export const headText = ({ position, hash }: ChainHead): string => `${hash.toString('hex')}@${position}`

/** Parses the text of `headText`; undefined if it is invalid. */
export const parseHead = (text: string): [position: number, hash: string] | undefined => {
  const [, hash, position] = /^([0-9a-f]{64})@([1-9][0-9]{0,14})$/i.exec(text) ?? []
  return hash && position ? [Number(position), hash.toLowerCase()] : undefined
}
