import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { openStores } from './stores.ts'

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

/** Runs each benchmark on a database of its own, all on one Postgres and one Redis that live only as long. */
async function runBenchmarks(): Promise<number> {
  const files = await findBenchmarks()
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
  const stores = await openStores({ dataDir, say: (line) => process.stdout.write(`${line}\n`) })
  const ownerUrl = stores.migrationsUrl ?? stores.databaseUrl
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} })
  let failed = 0
  try {
    for (const [index, file] of files.entries()) {
      const name = `bench_${index}`
      await sql`create database ${sql(name)}`
      const url = new URL(ownerUrl)
      url.pathname = `/${name}`
      process.stdout.write(`\n${file}\n`)
      if ((await runBenchmark(file, { DATABASE_URL: url.href, REDIS_URL: stores.redisUrl })) !== 0) failed += 1
    }
  } finally {
    await sql.end()
    await stores.stop()
    rmSync(dataDir, { recursive: true, force: true })
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
