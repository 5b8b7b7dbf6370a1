import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { openAppender } from '../log/append.ts'
import { placesInWhole, type WholeRow } from '../log/batch-answer.ts'
import { batchText, linesOf } from '../log/batch-text.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { messageEvent } from './fixtures/samples.ts'
import { TEST_KEYS } from './keys.ts'
import type { Placed } from './order-checker.ts'

// A process of writers, for the order checker: `writer.cli.ts <database url> <name>`. It sends 'ready', writes on 'go',
// sends its acknowledged events and ends.

const APPENDERS = 2
const CALLERS_PER_APPENDER = 2
const REQUESTS_PER_CALLER = 50
const RAW_WRITERS = 2
const TRANSACTIONS_PER_RAW_WRITER = 25
const ROLLBACK_SHARE = 0.6
const MAX_PAUSE_MS = 3
const SHARED_STREAMS = 3

const [databaseUrl = '', name = ''] = process.argv.slice(2)
const acknowledged: Placed[] = []

const roll = (sides: number) => Math.floor(Math.random() * sides)
const messages = (count: number) => Array.from({ length: count }, () => messageEvent('hello'))

/** Appends through the queue, by turns to shared streams and, with an expected version, to one of its own. */
const call = async (appender: ReturnType<typeof openAppender>, ownStream: string) => {
  let ownVersion = 0
  for (let request = 0; request < REQUESTS_PER_CALLER; request++) {
    const isOwn = roll(2) === 0
    const stream = isOwn ? ownStream : `shared-${roll(SHARED_STREAMS)}`
    const events = messages(1 + roll(3))
    const expectedVersion = isOwn ? ownVersion : 'any'
    const appended = await appender.append({ stream, expectedVersion, events })
    if (isOwn) ownVersion += events.length
    acknowledged.push(...appended.events.map(({ id, position, version }) => ({ id, stream, position, version })))
    if (roll(4) === 0) await delay(roll(MAX_PAUSE_MS))
  }
}

/** Takes the head's lock, holds it for a while, and releases it by a rollback more often than by a commit. */
const lockAndPerhapsCommit = async (sql: Sql) => {
  for (let transaction = 0; transaction < TRANSACTIONS_PER_RAW_WRITER; transaction++) {
    const stream = `shared-${roll(SHARED_STREAMS)}`
    const events = messages(1 + roll(2))
    const request = { stream, expectedVersion: 'any' as const, events }
    const lines = linesOf(request, { keys: TEST_KEYS, proposed: new Map(), metadata: '{}' })
    await sql`begin`
    const [row] = await sql<WholeRow[]>`select * from append_events(${batchText([{ request, lines }])}, '')`
    if (row?.outcome !== 'whole') throw new Error(`The batch was judged: ${row?.outcome}`)
    const [placed] = placesInWhole([{ request }], row)
    await delay(roll(MAX_PAUSE_MS))
    if (Math.random() < ROLLBACK_SHARE) {
      await sql`rollback`
    } else {
      await sql`commit`
      acknowledged.push(
        ...(placed?.events ?? []).map(({ id, position, version }) => ({ id, stream, position, version })),
      )
    }
    await delay(roll(MAX_PAUSE_MS))
  }
}

const appenders = Array.from({ length: APPENDERS }, () => openAppender(databaseUrl, { keys: TEST_KEYS }))
const pools = Array.from({ length: RAW_WRITERS }, () => connect(databaseUrl, { max: 1, name }))
await Promise.all(pools.map((sql) => sql`select 1`))
// the subject's key is loaded from here on
await Promise.all(appenders.map((appender) => call(appender, `own-${randomUUID()}`)))
process.send?.('ready')
await once(process, 'message')

await Promise.all([
  ...appenders.flatMap((appender) =>
    Array.from({ length: CALLERS_PER_APPENDER }, () => call(appender, `own-${randomUUID()}`)),
  ),
  ...pools.map(lockAndPerhapsCommit),
])
await Promise.all([...appenders.map((appender) => appender.close()), ...pools.map((sql) => sql.end())])
process.send?.(acknowledged, () => process.disconnect())
