import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { migrate } from '../log/migrate.ts'
import { startPostgres } from './postgres.ts'
import { openStores } from './stores.ts'
import { installedPostgres } from './test-services-kind.ts'
import { buildWebIfStale } from './web-build.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The names of benchmarks that were asked for; all where none was. */
const wanted = process.argv.slice(2)

/** The benchmarks stand beside what they measure. */
async function findBenchmarks(): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('{api,events,web,worker}/**/*.bench.ts', { cwd: ROOT })) found.push(file)
  const names = found.sort().filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
  if (names.length === 0) throw new Error(`No benchmark is named ${wanted.join(' or ')}: there are ${found.join(', ')}`)
  return names
}

function runBenchmark(file: string, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, file)], { stdio: 'inherit', env: { ...process.env, ...env } })
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
}

/** The benchmarks of the log and of filling a view: they run on an older Postgres too, where one is installed. */
const ON_OLDER_POSTGRES = /events\/(log\/append|projections\/leads(-intake)?)\.bench\.ts$/

/** Debian's; another one by TEST_POSTGRES_BIN. */
const OLDER_POSTGRES = installedPostgres ?? '/usr/lib/postgresql/15'

/** Runs a benchmark on a migrated database of its own. Answers whether it went well. */
async function runOn(ownerUrl: string, redisUrl: string, { file, database }: { file: string; database: string }) {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} })
  await sql`create database ${sql(database)}`
  await sql.end()
  const url = new URL(ownerUrl)
  url.pathname = `/${database}`
  await migrate(url.href)
  process.stdout.write(`\n${file}\n`)
  return (await runBenchmark(file, { DATABASE_URL: url.href, REDIS_URL: redisUrl })) === 0
}

/** Runs the benchmarks, all on one Postgres and one Redis that live only as long; some on an older Postgres too. */
async function runBenchmarks(): Promise<number> {
  const files = await findBenchmarks()
  // the nodes of some need the pages
  await buildWebIfStale(ROOT)
  const folders = [mkdtempSync(join(tmpdir(), 'bench-')), mkdtempSync(join(tmpdir(), 'bench-'))] as const
  chmodSync(folders[1], 0o755) // an installed Postgres, which runs as another user, is given the folder's path
  const stores = await openStores({ dataDir: folders[0], say: (line) => process.stdout.write(`${line}\n`) })
  const hasOlder =
    existsSync(join(OLDER_POSTGRES, 'bin', 'postgres')) && files.some((file) => ON_OLDER_POSTGRES.test(file))
  const older = hasOlder ? await startPostgres({ dataDir: folders[1], installed: OLDER_POSTGRES }) : undefined
  const servers = [{ url: stores.migrationsUrl ?? stores.databaseUrl }, ...(older ? [{ url: older.url }] : [])]
  let failed = 0
  try {
    for (const [index, file] of files.entries()) {
      for (const { url } of ON_OLDER_POSTGRES.test(file) ? servers : servers.slice(0, 1)) {
        if (!(await runOn(url, stores.redisUrl, { file, database: `bench_${index}` }))) failed += 1
      }
    }
  } finally {
    await Promise.all([stores.stop(), older?.stop()])
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  return failed === 0 ? 0 : 1
}

runBenchmarks().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  },
)
