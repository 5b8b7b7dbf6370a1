import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../local/port.ts'
import { type LocalService, startPostgres } from '../local/postgres.ts'
import { type Appender, openAppender } from '../log/append.ts'
import { FlushMode } from '../log/flush-mode.ts'
import { migrate } from '../log/migrate.ts'
import { readLog } from '../log/read.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { makeTestFolder } from './folders.ts'
import { TEST_KEYS } from './keys.ts'
import { numberedRequest } from './numbered-requests.ts'
import { installedPostgres } from './services-kind.ts'

const ROUND_TIMEOUT_MS = 12_000
/**
 * One writer per way of waiting for the disk (FlushMode), one that stores its many callers in halves, one that changes
 * often, and one as in production.
 */
const WRITERS = [
  { callers: 4, flushMode: { isJoined: () => false, flushed: () => {} } },
  { callers: 4, flushMode: { isJoined: () => true, flushed: () => {} } },
  { callers: 70, flushMode: { isJoined: () => true, flushed: () => {} } },
  { callers: 4, flushMode: { isJoined: (now: number) => Math.floor(now / 20) % 2 === 0, flushed: () => {} } },
  { callers: 4, flushMode: new FlushMode() },
]
/** After this many responses and events read, Postgres is killed. */
const EVENTS_PER_ROUND = 300
/** A reader soon notices that the dead server does not respond. */
const STATEMENT_TIMEOUT_MS = 1_000
const WAIT = { timeout: 30_000, interval: 5 }
/** Only writes that a client waits for go to the disk: nothing does by itself within a round. */
const SETTINGS = ['wal_writer_delay=10s', 'checkpoint_timeout=1h', 'bgwriter_delay=10s']

/** Notes the acknowledged or read events: by id with their positions. Repeated notes have to agree. */
const openNotes = () => {
  const positions = new Map<string, number>()
  const contradictions: string[] = []
  return {
    positions,
    contradictions,
    note: (events: { id: string; position: number }[]) => {
      for (const { id, position } of events) {
        const before = positions.get(id) ?? position
        if (before !== position) contradictions.push(`${id} was at ${before} and is at ${position}`)
        positions.set(id, position)
      }
    },
  }
}

/** Appends one request after the other until `isOver`; a request without a response is repeated with the same ids. */
const write = async (
  name: string,
  appender: Appender,
  { note }: ReturnType<typeof openNotes>,
  isOver: () => boolean,
) => {
  for (let number = 0; !isOver(); ) {
    const appended = await appender.append(numberedRequest(name, number)).catch(() => undefined)
    if (!appended) continue
    note(appended.events)
    number += 1
  }
}

/** Reads on as a consumer does. */
const watch = async (sql: Sql, { note }: ReturnType<typeof openNotes>, isOver: () => boolean) => {
  for (let last = 0; !isOver(); ) {
    const events = await readLog(sql, last, 1_000).catch(() => [])
    note(events)
    last = events.at(-1)?.position ?? last
  }
}

/** Tests that acknowledged and read events are there after this many times of `kill -9` of a separate Postgres. */
export const testKills = (rounds: number) => {
  const dataDir = makeTestFolder()
  const port = freePort()
  const start = async () =>
    startPostgres({ dataDir, port: await port, installed: installedPostgres, settings: SETTINGS })

  let postgres: LocalService | undefined

  afterAll(async () => {
    await postgres?.stop()
    rmSync(dataDir, { recursive: true })
  })

  const kill = async ({ ended }: LocalService) => {
    const [pid] = readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await ended
  }

  test(`${rounds} times kill -9 of Postgres lose nothing that was acknowledged or read`, {
    timeout: rounds * ROUND_TIMEOUT_MS,
  }, async () => {
    let server = await start()
    postgres = server
    await migrate(server.url)
    const [acknowledged, seen] = [openNotes(), openNotes()]
    let isOver = false
    const open = (statementTimeoutMs: number) =>
      connect(server.url, { max: 1, name: 'reader', statementTimeoutMs, keys: TEST_KEYS })
    const sql = open(STATEMENT_TIMEOUT_MS)
    const appenders = WRITERS.map(({ flushMode }) => openAppender(server.url, { keys: TEST_KEYS, flushMode }))
    const writing = WRITERS.flatMap(({ callers }, writer) =>
      Array.from({ length: callers }, (_, caller) =>
        write(`${writer}-${caller}`, appenders[writer] as Appender, acknowledged, () => isOver),
      ),
    )
    const watching = watch(sql, seen, () => isOver)
    const hasGrown = async () => {
      const wanted = [acknowledged, seen].map(({ positions }) => positions.size + EVENTS_PER_ROUND)
      await vi.waitFor(() => {
        expect(acknowledged.positions.size).toBeGreaterThan(wanted[0] ?? 0)
        expect(seen.positions.size).toBeGreaterThan(wanted[1] ?? 0)
      }, WAIT)
    }
    for (let round = 0; round < rounds; round += 1) {
      await hasGrown()
      await kill(server)
      server = await vi.waitFor(start, WAIT) // the processes of the dead server may still be ending
      postgres = server
    }
    await hasGrown()
    isOver = true
    await Promise.all([...writing, watching])
    await Promise.all([...appenders.map((appender) => appender.close()), sql.end()])
    const last = open(WAIT.timeout)
    const rows = await last<{ id: string; position: number }[]>`select id, position from events`
    const stored = new Map(rows.map(({ id, position }) => [id, position]))
    await last.end()
    for (const { positions, contradictions } of [acknowledged, seen]) {
      expect(contradictions).toEqual([])
      expect([...positions].filter(([id, position]) => stored.get(id) !== position)).toEqual([])
    }
  })
}
