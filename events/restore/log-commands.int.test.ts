import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { destroyKeys } from '../keys/subject-keys.ts'
import { openAppender } from '../log/append.ts'
import { headText, verifyLog } from '../log/verify.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, withDatabase } from '../testing/database.ts'
import { newLead } from '../testing/fixtures/samples.ts'
import { TEST_DATA_KEY, TEST_KEYS } from '../testing/keys.ts'
import { runLogCommand } from './log-commands.ts'

const OTHER_KEY = Buffer.alloc(32, 'another').toString('base64')
const LEADS = 3

let folder: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
const file = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-cli-'))
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const log = openAppender(database.url, { keys: TEST_KEYS })
  for (let lead = 0; lead < LEADS; lead += 1) await log.append(newLead(randomUUID()))
  await log.close()
  await sql`insert into ring_keys (id) values (${TEST_KEYS.ring.active.id})`
})

afterAll(async () => {
  await sql.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Runs a command in this process, with this environment and none of our own variables. */
const run = async (args: string[], env: Record<string, string> = {}) => {
  for (const name of ['DATABASE_URL', 'MIGRATIONS_DATABASE_URL', 'KEYS_DATABASE_URL', 'DATA_KEY']) vi.stubEnv(name, '')
  for (const [name, value] of Object.entries({ DATABASE_URL: database.url, DATA_KEY: TEST_DATA_KEY, ...env }))
    vi.stubEnv(name, value)
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text
      return true
    }),
  )
  try {
    return { status: await runLogCommand(args), out: printed.stdout, err: printed.stderr }
  } finally {
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
  }
}

/** Runs a command that has to fail with one line. */
const refused = async (args: string[], env?: Record<string, string>) => {
  const { status, out, err } = await run(args, env)
  expect([status, out]).toEqual([1, ''])
  expect(err).toMatch(/^[^\n]+\n$/)
  return err.trimEnd()
}

test('verify prints the head, and accepts it as the expected one', async () => {
  const head = headText(await verifyLog(sql))
  const whole = { status: 0, out: `The log is whole: 3 events, the last is 3, head ${head}\n`, err: '' }
  expect(await run(['verify'])).toEqual(whole)
  expect(await run(['verify', '--expect', head])).toEqual(whole)
  expect(await refused(['verify', '--expect', `${'0'.repeat(64)}@2`])).toMatch(/^Event 2 .* the chain was rewritten$/)
  expect(await refused(['verify', '--expect', head.replace('@3', '@4')])).toMatch(/^The log ends at 3, before event 4/)
  expect(await refused(['verify', '--expect', 'yesterday'])).toMatch(/^--expect yesterday: expected HASH@POSITION/)
})

test('verify ends with status 1 if a row was changed, and names it', async () => {
  const [row] = await sql<{ data: string }[]>`select data::text as data from events where position = 2`
  await sql`update events set data = (data::jsonb || '{"isContract": true}')::json where position = 2`
  expect(await refused(['verify'])).toMatch(/^Event 2 \(LeadSubmitted in lead-[0-9a-f-]+\) was changed/)
  await sql`update events set data = ${row?.data ?? ''}::text::json where position = 2`
  expect((await run(['verify'])).status).toBe(0)
})

test('an export goes to a file, or to standard output without messages', async () => {
  const { out, err } = await run(['export'])
  expect(err).toMatch(/^Exported 3 events, head [0-9a-f]{64}@3\n$/)
  expect(await run(['export', file('log')])).toEqual({ status: 0, out: err, err: '' })
  expect(out).toBe(await readFile(file('log'), 'utf8'))
})

test('a log moves to another database, keys and erasures too, and is served after a restore', async () => {
  const erased = randomUUID()
  await destroyKeys(sql, TEST_KEYS, [erased])
  for (const args of [['export'], ['keys', 'export'], ['ledger', 'export']]) await run([...args, file(args[0] ?? '')])
  const target = await createTestDatabase()
  const keys = await createTestDatabase()
  const there = { DATABASE_URL: target.url, KEYS_DATABASE_URL: keys.url }
  const head = headText(await verifyLog(sql))
  expect((await run(['import', file('export')], there)).out).toBe(
    `Imported 3 events, head ${head}: import the keys, then run restore\n`,
  )
  expect(await refused(['import', file('export')], there)).toBe('The log holds 3 events: an import needs an empty one')
  expect((await run(['keys', 'import', file('keys')], there)).out).toBe('Imported 4 keys and tombstones\n')
  const restored = await run(['restore', '--ledger', file('ledger'), '--expect', head], there)
  expect(restored).toMatchObject({ status: 0, err: '' })
  expect(restored.out).toContain('No owner is left: make one with npm run staff -- add NAME --owner\n')
  expect((await run(['ledger', 'export'], there)).out).toContain(erased)
  const again = await run(['ledger', 'import', file('ledger')], there)
  expect(again.out).toBe('Applied 1 erasures, 0 of them new\n')
  await target.drop()
  await keys.drop()
})

test('an import that is refused leaves nothing', async () => {
  await run(['export', file('whole')])
  const lines = (await readFile(file('whole'), 'utf8')).split('\n')
  await writeFile(file('cut'), lines.slice(0, 3).join('\n'))
  const target = await createTestDatabase()
  const there = { DATABASE_URL: target.url }
  expect(await refused(['import', file('cut')], there)).toMatch(/has no closing line: it was cut off after line 3$/)
  expect(await refused(['import', file('none')], there)).toMatch(/cannot be read \(ENOENT\)$/)
  expect((await run(['verify'], there)).out).toBe('The log is whole: it is empty\n')
  await target.drop()
})

test('DATA_KEY is changed in two steps', async () => {
  const target = await createTestDatabase()
  const there = (dataKey: string) => ({ DATABASE_URL: target.url, DATA_KEY: dataKey })
  await run(['keys', 'export', file('old-keys')])
  await run(['keys', 'import', file('old-keys')], there(TEST_DATA_KEY))
  expect(await refused(['rewrap'], there(OTHER_KEY))).toMatch(/^DATA_KEY cannot be used: .* add the older key behind/)
  const rewrapped = await run(['rewrap'], there(`${OTHER_KEY},${TEST_DATA_KEY}`))
  expect(rewrapped.out).toMatch(
    /^Wrapped 3 data keys with key \w{8}\nNothing needs key \w{8} any more: take it out of DATA_KEY\n$/,
  )
  expect((await run(['rewrap'], there(OTHER_KEY))).out).toMatch(/^Wrapped 0 data keys/)
  expect(await refused(['rewrap'], there(TEST_DATA_KEY))).toMatch(/^DATA_KEY cannot be used/)
  await target.drop()
})

test('a data key that does not fit is reported in one line', async () => {
  const target = await createTestDatabase()
  await run(['keys', 'export', file('keys')])
  const text = await readFile(file('keys'), 'utf8')
  await writeFile(file('wrong'), text.replace(/"wrapped":".{8}/, '"wrapped":"AAAAAAAA'))
  const there = { DATABASE_URL: target.url }
  expect(await refused(['keys', 'import', file('wrong')], there)).toMatch(
    /^The data key \S+ was not wrapped by key \w{8} of DATA_KEY/,
  )
  expect((await run(['keys', 'export'], there)).out).toContain('"count":0')
  await target.drop()
})

test('an unknown command prints the usage', async () => {
  for (const args of [
    [],
    ['check'],
    ['import'],
    ['keys'],
    ['restore'],
    ['restore', '--ledger', 'x', '--without-ledger'],
    ['export', 'a', 'b'],
    ['verify', '--all'],
  ]) {
    const { status, err } = await run(args)
    expect([args, status, err]).toEqual([args, 1, expect.stringContaining('Usage: npm run log -- COMMAND')])
  }
})

test('a database without a log, and a missing one, are reported in one line', async () => {
  const elsewhere = { DATABASE_URL: withDatabase(database.url, 'template1') }
  for (const args of [['verify'], ['export', file('none')], ['rewrap']]) {
    expect(await refused(args, elsewhere)).toBe(
      'The database has no log of this version of the code: run npm run migrate',
    )
  }
  expect(existsSync(file('none'))).toBe(false)
  expect(await refused(['verify'], { DATABASE_URL: '' })).toMatch(/^DATABASE_URL is not set/)
  await refused(['verify'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' })
})

describe.each([
  ['missing', '', /^DATA_KEY is not set: expected 32 random bytes in base64/],
  ['short', 'c2hvcnQ=', /^DATA_KEY cannot be used: expected 32 random bytes in base64/],
  [
    'another one than yesterday’s',
    OTHER_KEY,
    /^DATA_KEY cannot be used: data is encrypted by key \w{8}, and it holds \w{8}: add the older key/,
  ],
])('with a DATA_KEY that is %s', (_, dataKey, line) => {
  test.each(['restore --without-ledger', 'rewrap', 'keys import nothing'])('%s does nothing', async (command) => {
    expect(await refused(command.split(' '), { DATA_KEY: dataKey })).toMatch(line)
  })

  test('the keys stay as they were', async () => {
    expect(await sql`select id from ring_keys`).toEqual([{ id: TEST_KEYS.ring.active.id }])
    const [row] = await sql`select count(*) as count from subject_keys where ring_key = ${TEST_KEYS.ring.active.id}`
    expect(row?.count).toBe(LEADS)
  })
})
