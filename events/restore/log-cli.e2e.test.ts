import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAppender } from '../log/append.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { runTestCli } from '../testing/cli.ts'
import { createTestDatabase, testRedisUrl } from '../testing/database.ts'
import { newLead } from '../testing/fixtures/samples.ts'
import { TEST_DATA_KEY, TEST_KEYS } from '../testing/keys.ts'
import { runTestProcess } from '../testing/process.ts'

// log-commands.int.test.ts tests the effects of each command.

const OTHER_KEY = Buffer.alloc(32, 'another').toString('base64')

let folder: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-cli-'))
  database = await createTestDatabase()
  sql = connect(database.url, { max: 1, name: 'test' })
  const log = openAppender(database.url, { keys: TEST_KEYS })
  await log.append(newLead(randomUUID()))
  await log.close()
  await sql`insert into ring_keys (id) values (${TEST_KEYS.ring.active.id})`
})

afterAll(async () => {
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

const run = (args: string[], env: Record<string, string> = {}) =>
  runTestCli('events/restore/log.cli.ts', args, { DATABASE_URL: database.url, DATA_KEY: TEST_DATA_KEY, ...env })

test('a command ends with status 0 and its result, or with status 1 and one line', async () => {
  const whole = await run(['verify'])
  expect(whole).toEqual({ status: 0, out: expect.stringMatching(/^The log is whole: 1 events, .*\n$/), err: '' })
  const { status, out, err } = await run(['verify', '--expect', 'yesterday'])
  expect([status, out]).toEqual([1, ''])
  expect(err).toMatch(/^--expect yesterday: expected HASH@POSITION[^\n]+\n$/)
})

test('an export moves to another database, which nothing serves before a restore', async () => {
  const target = await createTestDatabase()
  const file = join(folder, 'log')
  expect(await run(['export', file])).toMatchObject({ status: 0, err: '' })
  expect((await run(['export'])).err).toMatch(/^Exported 1 events, head [0-9a-f]{64}@1\n$/)
  expect((await run(['import', file], { DATABASE_URL: target.url })).status).toBe(0)
  const env = { DATABASE_URL: target.runtimeUrl, REDIS_URL: await testRedisUrl(), DATA_KEY: TEST_DATA_KEY }
  expect((await runTestProcess('worker/main.ts', env)).printed).toMatch(/^DATABASE_URL: this log was restored/)
  await target.drop()
})

test.each(['api/process/main.ts', 'worker/main.ts'])(
  '%s does not start with another DATA_KEY than that of the log',
  async (script) => {
    const env = {
      DATABASE_URL: database.runtimeUrl,
      REDIS_URL: await testRedisUrl(),
      SESSION_SECRET: 'a secret of the tests',
      NODES: '1',
      PORT: '1',
    }
    const { status, printed } = await runTestProcess(script, { ...env, DATA_KEY: OTHER_KEY })
    expect(status).toBe(1)
    expect(printed).toMatch(
      /^DATA_KEY cannot be used: data is encrypted by key \w{8}, and it holds \w{8}: add the older key/,
    )
    expect(printed.trimEnd()).not.toContain('\n')
  },
)
