import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { migrate } from '../log/migrate.ts'
import { installedPostgres } from '../testing/services-kind.ts'
import { CLAIMS, REPORT_BENCHES } from './bench/claims.ts'
import { installPeers } from './bench/peers.ts'
import { isReported, openReport, printReported, type Report } from './bench/report.ts'
import type { Pace } from './bench/reported.ts'
import { startPostgres } from './postgres.ts'
import { openStores } from './stores.ts'
import { buildWebIfStale } from './web-build.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * `npm run bench -- [--report] [--quick] [--redraw] [NAME …]`. Names choose benchmarks by a part of their path or by a row
 * of the report (`chat-p99`); all run if none is given.
 * `--report` runs those that the report shows, and writes it; `--quick` takes seconds for each, and its figures do not
 * count; `--redraw` writes the report of the earlier measurements, and runs nothing.
 */
const { values: options, positionals: wanted } = parseArgs({
  options: { report: { type: 'boolean' }, quick: { type: 'boolean' }, redraw: { type: 'boolean' } },
  allowPositionals: true,
})
const PACE: Pace = options.quick ? 'quick' : options.report ? 'report' : 'full'

/** Finds the benchmarks, which are next to the code that they measure. */
async function findBenchmarks(): Promise<string[]> {
  const found: string[] = []
  const exclude = ['**/node_modules/**']
  for await (const file of glob('{api,events,web,worker}/**/*.bench.ts', { cwd: ROOT, exclude })) found.push(file)
  const known = options.report ? REPORT_BENCHES : found.sort()
  const isNamed = (file: string) =>
    wanted.some((name) => file.includes(name) || CLAIMS.some(({ id, bench }) => id === name && bench === file))
  const names = known.filter((file) => wanted.length === 0 || isNamed(file))
  if (names.length === 0) throw new Error(`No benchmark is named ${wanted.join(' or ')}: there are ${known.join(', ')}`)
  return names
}

function runBenchmark(
  file: string,
  { env, onMessage }: { env: NodeJS.ProcessEnv; onMessage: (message: unknown) => void },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, file)], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    })
    child.on('message', onMessage)
    child.once('error', reject)
    child.once('close', (status) => resolve(status ?? 1))
  })
}

/** The benchmarks of the log and of filling a view: they run on an older Postgres too, if one is installed. */
const ON_OLDER_POSTGRES = /events\/(log\/append|lead\/store\/(view|leads-intake))\.bench\.ts$/

/** Debian's; another one by TEST_POSTGRES_BIN. */
const OLDER_POSTGRES = installedPostgres ?? '/usr/lib/postgresql/15'

type Where = { ownerUrl: string; redisUrl: string; database: string; report: Report | undefined }

/** Runs a benchmark on its own migrated database. Returns whether it succeeded. */
async function runOn(file: string, { ownerUrl, redisUrl, database, report }: Where) {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} })
  await sql`create database ${sql(database)}`
  await sql.end()
  const url = new URL(ownerUrl)
  url.pathname = `/${database}`
  await migrate(url.href)
  process.stdout.write(`\n${file}\n`)
  const began = performance.now()
  const env = { DATABASE_URL: url.href, REDIS_URL: redisUrl, BENCH_PACE: PACE }
  const onMessage = (message: unknown) => {
    if (!isReported(message)) return
    printReported(message)
    report?.add(message)
  }
  const status = await runBenchmark(file, { env, onMessage })
  process.stdout.write(`  took ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  report?.write()
  return status === 0
}

/** The version of a server, such as 18.4. */
async function versionOf(ownerUrl: string): Promise<string> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} })
  const [server] = await sql<{ version: string }[]>`select split_part(version(), ' ', 2) as version`
  await sql.end()
  return server?.version ?? ''
}

/** Runs the benchmarks, all on one Postgres and one Redis that live only as long; some on an older Postgres too. */
async function runBenchmarks(): Promise<number> {
  const files = await findBenchmarks()
  await installPeers()
  // the nodes of some need the pages
  await buildWebIfStale(ROOT)
  const folders = [mkdtempSync(join(tmpdir(), 'bench-')), mkdtempSync(join(tmpdir(), 'bench-'))] as const
  chmodSync(folders[1], 0o755) // an installed Postgres, which runs as another user, is given the folder's path
  const stores = await openStores({ dataDir: folders[0], print: (line) => process.stdout.write(`${line}\n`) })
  const hasOlder =
    PACE === 'full' &&
    existsSync(join(OLDER_POSTGRES, 'bin', 'postgres')) &&
    files.some((file) => ON_OLDER_POSTGRES.test(file))
  const older = hasOlder ? await startPostgres({ dataDir: folders[1], installed: OLDER_POSTGRES }) : undefined
  const ownerUrl = stores.migrationsUrl ?? stores.databaseUrl
  const servers = [ownerUrl, ...(older ? [older.url] : [])]
  const { redisUrl } = stores
  let failed = 0
  try {
    const report = options.report
      ? openReport({ isQuick: PACE === 'quick', postgres: await versionOf(ownerUrl) })
      : undefined
    for (const [index, file] of files.entries()) {
      for (const ownerUrl of ON_OLDER_POSTGRES.test(file) ? servers : servers.slice(0, 1)) {
        if (!(await runOn(file, { ownerUrl, redisUrl, database: `bench_${index}`, report }))) failed += 1
      }
    }
  } finally {
    await Promise.all([stores.stop(), older?.stop()])
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  return failed === 0 ? 0 : 1
}

/** Writes the report of the earlier measurements. */
async function redraw(): Promise<number> {
  openReport({ isQuick: false, postgres: '' }).write()
  return 0
}

;(options.redraw ? redraw() : runBenchmarks()).then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  },
)
