import { LogIntegrityError, type Queryable, readHead } from './read.ts'

/** A consumer of the log: its name and its version. Each version has its own checkpoint. */
export type ConsumerKey = { name: string; version: number }

/** A consumer's position, and the log's head. */
export type Checkpoint = {
  position: number
  /** Whether the checkpoint was made in this history of the log; false after a restored backup. */
  isSameEpoch: boolean
  /** The epoch of the log now. */
  epoch: string
  head: number
  /** False while the tables of a view are not filled. */
  isFilled: boolean
}

/** How many old positions one statement removes. */
const DELETE_BATCH_ROWS = 1_000

/** Makes a consumer's checkpoint at the beginning of the log, unless it has one. A view is filled later. */
export const prepareCheckpoint = async (
  sql: Queryable,
  { name, version }: ConsumerKey,
  { isFilled }: { isFilled: boolean },
): Promise<void> => {
  const { epoch } = await readHead(sql)
  await sql`
    with made as (
      insert into checkpoints (consumer, version, epoch, filled_at)
      values (${name}, ${version}, ${epoch}, ${isFilled ? sql`now()` : null})
      on conflict do nothing returning consumer, version
    )
    insert into checkpoint_positions (consumer, version, position) select consumer, version, 0 from made`
}

/**
 * Makes the checkpoint of a consumer that acts on events, unless it has one: at the position of the version before it,
 * or, as after a rollback to a version that has never run here, of the newest one. Without other versions it begins
 * with the log.
 */
export const prepareActingConsumer = async (sql: Queryable, { name, version }: ConsumerKey): Promise<void> => {
  const { epoch } = await readHead(sql)
  await sql`
    with made as (
      insert into checkpoints (consumer, version, epoch, filled_at) values (${name}, ${version}, ${epoch}, now())
      on conflict do nothing returning consumer, version
    ), other as (
      select p.position from checkpoints c cross join lateral checkpoint_position(c.consumer, c.version) p
      where c.consumer = ${name} and c.version <> ${version} and c.epoch = ${epoch}
      order by c.version < ${version} desc, c.version desc limit 1
    )
    insert into checkpoint_positions (consumer, version, position)
    select consumer, version, coalesce((select position from other), 0) from made`
}

/** Returns a consumer's checkpoint; undefined if it has none. */
export const readCheckpoint = async (
  sql: Queryable,
  { name, version }: ConsumerKey,
): Promise<Checkpoint | undefined> => {
  const [own] = await sql<{ position: number; epoch: string; isFilled: boolean }[]>`
    select p.position, c.epoch, c.filled_at is not null as "isFilled"
    from checkpoints c cross join lateral checkpoint_position(c.consumer, c.version) p
    where c.consumer = ${name} and c.version = ${version}`
  if (!own) return undefined
  // read after the position: the other way round another worker could seem to be past the head
  const { epoch, position: head } = await readHead(sql)
  return { position: own.position, isSameEpoch: own.epoch === epoch, epoch, head, isFilled: own.isFilled }
}

/**
 * Locks a consumer's checkpoint until the transaction ends, and reads it. Undefined if it has none or another worker
 * holds the lock. It is read after the lock, in separate statements: a statement does not see commits that happened
 * while it waited.
 */
export const lockCheckpoint = async (tx: Queryable, key: ConsumerKey): Promise<Checkpoint | undefined> => {
  const locked = await tx`
    select 1 from checkpoints where consumer = ${key.name} and version = ${key.version} for update skip locked`
  return locked.length === 0 ? undefined : await readCheckpoint(tx, key)
}

/** Returns the position that a consumer has reached; 0 if it has no checkpoint. */
export const readPosition = async (sql: Queryable, { name, version }: ConsumerKey): Promise<number> => {
  const [row] = await sql<{ position: number }[]>`select position from checkpoint_position(${name}, ${version})`
  return row?.position ?? 0
}

/** A consumer's checkpoint when it began, and the position up to which it has taken in all events. */
type Advance = { from: Checkpoint; to: number }

const advanceVersions = async (
  tx: Queryable,
  { name, first, last }: { name: string; first: number; last: number },
  { from, to }: Advance,
): Promise<void> => {
  await tx`
    insert into checkpoint_positions (consumer, version, position)
    select consumer, version, ${to}::bigint from checkpoints
    where consumer = ${name} and version between ${first} and ${last} and epoch = ${from.epoch}
    on conflict do nothing`
}

/**
 * Stores how far a consumer has read. Writes nothing if the checkpoint has been reset or removed since, or another
 * process has already come as far.
 */
export const advanceCheckpoint = (tx: Queryable, { name, version }: ConsumerKey, advance: Advance): Promise<void> =>
  advanceVersions(tx, { name, first: version, last: version }, advance)

/**
 * The same for a consumer that acts on events, and for its earlier versions, whose types this one handles too. After a
 * rollback an earlier version begins here, and repeats nothing.
 */
export const advanceActingConsumer = (tx: Queryable, { name, version }: ConsumerKey, advance: Advance): Promise<void> =>
  advanceVersions(tx, { name, first: 0, last: version }, advance)

/** Sets a checkpoint to any position of the log's current history, also back. The caller holds its lock. */
export const resetCheckpoint = async (
  tx: Queryable,
  { name, version }: ConsumerKey,
  { epoch, position }: { epoch: string; position: number },
): Promise<void> => {
  await tx`delete from checkpoint_positions where consumer = ${name} and version = ${version}`
  await tx`insert into checkpoint_positions (consumer, version, position) values (${name}, ${version}, ${position})`
  await tx`
    update checkpoints set epoch = ${epoch}, filled_at = now(), halted_position = null, halt_reason = null
    where consumer = ${name} and version = ${version}`
}

/** Removes a consumer's checkpoint. The caller holds its lock. */
export const removeCheckpoint = async (tx: Queryable, { name, version }: ConsumerKey): Promise<void> => {
  await tx`delete from checkpoint_positions where consumer = ${name} and version = ${version}`
  await tx`delete from checkpoints where consumer = ${name} and version = ${version}`
}

/** Throws LogIntegrityError if a checkpoint cannot belong to this log: a backup has been restored. */
export const assertSameHistory = (
  { name, version }: ConsumerKey,
  { isSameEpoch, position, head }: Pick<Checkpoint, 'isSameEpoch' | 'position' | 'head'>,
): void => {
  if (isSameEpoch && position <= head) return
  throw new LogIntegrityError(
    `The checkpoint of ${name} in version ${version} (${position}) is not of this log (at ${head}): after a restored backup, rebuild`,
  )
}

/**
 * Removes the outdated positions of consumers, in small statements. The caller retains `deletedUpTo` between calls: the
 * position up to which those of each consumer are removed already. Under a long snapshot the removed rows stay in the
 * index, and a call does not walk them again.
 */
export const deleteOldPositions = async (
  sql: Queryable,
  deletedUpTo: Map<string, number> = new Map(),
): Promise<void> => {
  const consumers = await sql<{ name: string; version: number; position: number }[]>`
    select c.consumer as name, c.version, p.position
    from checkpoints c cross join lateral checkpoint_position(c.consumer, c.version) p`
  for (const { name, version, position } of consumers) {
    const key = `${name} ${version}`
    const known = deletedUpTo.get(key) ?? -1
    let after = known < position ? known : -1
    for (;;) {
      const removed = await sql<{ position: number }[]>`
        delete from checkpoint_positions
        where consumer = ${name} and version = ${version} and position > ${after} and position in (
          select position from checkpoint_positions
          where consumer = ${name} and version = ${version} and position > ${after} and position < ${position}
          order by position limit ${DELETE_BATCH_ROWS}
        ) returning position`
      after = removed.reduce((last, row) => Math.max(last, row.position), after)
      if (removed.length < DELETE_BATCH_ROWS) break
    }
    deletedUpTo.set(key, after)
  }
}
