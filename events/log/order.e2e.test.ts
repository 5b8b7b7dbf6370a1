import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase } from '../testing/database.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { orderViolations, type Placed, watchLog } from '../testing/order-checker.ts'
import { readHead, readLog } from './read.ts'

const WRITER = fileURLToPath(new URL('../testing/writer.cli.ts', import.meta.url))
/** Each runs 4 callers on 2 appenders and 2 raw writers: 24 writers in all. */
const WRITER_PROCESSES = 4
const READ_LIMIT = 500

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 4, name: 'order', keys: TEST_KEYS })
})

afterAll(async () => {
  await sql.end()
  await database.drop()
})

const startWriter = async (name: string) => {
  const child = fork(WRITER, [database.url, name])
  const exited = once(child, 'exit')
  await Promise.race([
    once(child, 'message'),
    exited.then(([status]) => {
      throw new Error(`${name} ended before it was ready (status ${status})`)
    }),
  ])
  return {
    write: async (): Promise<Placed[]> => {
      let acknowledged: Placed[] | undefined
      child.once('message', (message) => {
        acknowledged = message as Placed[]
      })
      child.send('go')
      const [status] = await exited
      if (status !== 0 || !acknowledged) throw new Error(`${name} failed (status ${status})`)
      return acknowledged
    },
  }
}

test('a live reader gets the events of many writers once, in order and without a hole', async () => {
  const writers = await Promise.all(
    Array.from({ length: WRITER_PROCESSES }, (_, index) => startWriter(`writer ${index + 1}`)),
  )
  let isOver = false
  const watching = watchLog(
    (position) => readLog(sql, position, READ_LIMIT),
    () => isOver,
  )
  const writing = Promise.all(writers.map(({ write }) => write())).finally(() => {
    isOver = true
  })
  const [seen, acknowledged] = await Promise.all([watching, writing])

  expect(orderViolations(seen, acknowledged.flat())).toEqual([])
  expect(seen.length).toBeGreaterThan(1_000)
  expect(await readHead(sql)).toMatchObject({ position: seen.length })
})

test('control: the checker catches a reader of a plain sequence, which skips events that commit late', async () => {
  await sql`create table plain (position bigserial primary key, id text, stream text, version integer)`
  const insert = async (tx: Pick<Sql, 'unsafe'>, stream: string) => {
    const [row] = await tx.unsafe<Placed[]>(
      `insert into plain (id, stream, version) values (gen_random_uuid(), '${stream}', 1) returning id, stream, position, version`,
    )
    if (!row) throw new Error('nothing was inserted')
    return row
  }
  const tx = await sql.reserve()
  await tx`begin`
  const late = await insert(tx, 'late')
  const early = await insert(sql, 'early')

  let isOver = false
  const seen = await watchLog(
    async (position) => {
      const rows = await sql<Placed[]>`
        select id, stream, position, version from plain where position > ${position} order by position`
      if (rows.length > 0 && !isOver) {
        await tx`commit`
        isOver = true
      }
      return rows
    },
    () => isOver,
  )
  tx.release()

  expect(seen).toEqual([early])
  expect(await sql`select from plain`).toHaveLength(2)
  expect(orderViolations(seen, [late, early])).toContain(`missed: event ${late.id} at ${late.position}`)
})
