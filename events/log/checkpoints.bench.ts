import process from 'node:process'
import { median, printTable } from '../local/figures.ts'
import { connect, inTransaction } from '../stores/connection.ts'
import { advanceCheckpoint, type Checkpoint, lockCheckpoint, prepareCheckpoint } from './checkpoints.ts'
import { migrate } from './migrate.ts'
import type { Queryable } from './read.ts'

/**
 * The cost of advancing a checkpoint 5,000 times while a backup holds its snapshot open: the last hundreds compared
 * with the first. The peer is one row per consumer that every step updates.
 */

const ADVANCES = 5_000
const COMPARED = 500
const MOST_RATIO = 1.5
const READER = { name: 'reader', version: 1 }

const databaseUrl = process.env.DATABASE_URL ?? ''
await migrate(databaseUrl)
const setup = connect(databaseUrl, { max: 1, name: 'bench' })
// without flushes, which would hide the measured cost
await setup.unsafe(`alter database ${new URL(databaseUrl).pathname.slice(1)} set synchronous_commit = off`)
await setup.end()
const sql = connect(databaseUrl, { max: 2, name: 'bench' })
await prepareCheckpoint(sql, READER, { isFilled: true })
await sql`create table updated (consumer text primary key, position bigint not null)`
await sql`insert into updated values ('reader', 0)`

const ours = async (tx: Queryable, to: number) => {
  const from = (await lockCheckpoint(tx, READER)) as Checkpoint
  await advanceCheckpoint(tx, READER, { from, to })
}
const peer = async (tx: Queryable, to: number) => {
  await tx`select 1 from updated where consumer = 'reader' for update skip locked`
  await tx`select position from updated where consumer = 'reader'`
  await tx`update updated set position = ${to} where consumer = 'reader'`
}

const backup = await sql.reserve()
await backup`begin transaction isolation level repeatable read`
await backup`select count(*) from events`
const rows: string[][] = []
for (const [name, advance, wanted] of [
  ['positions that are only added', ours, `at most ${MOST_RATIO}`],
  ['one row, updated', peer, ''],
] as const) {
  const samples: number[] = []
  for (let to = 1; to <= ADVANCES; to += 1) {
    const begin = performance.now()
    await inTransaction(sql, (tx) => advance(tx, to))
    samples.push(performance.now() - begin)
  }
  const [first, last] = [samples.slice(0, COMPARED), samples.slice(-COMPARED)].map(median) as [number, number]
  rows.push([name, first.toFixed(2), last.toFixed(2), (last / first).toFixed(2), wanted])
}
await backup`rollback`
backup.release()
printTable(['an advance under a snapshot, ms', `first ${COMPARED}`, `last ${COMPARED}`, 'ratio', 'wanted'], rows)
await sql.end()
