// Runs one of the product's commands on the stores of npm start; they are started if they do not run. With --postgres
// first the command runs without Redis.
import { spawn } from 'node:child_process'
import { openDataDir, readOrMakeDataKey } from './data-dir.ts'
import { readStartConfig } from './start-config.ts'
import { findOrOpenStores, storesEnvironment } from './stores.ts'

const needsRedis = process.argv[2] !== '--postgres'
const [script, ...args] = process.argv.slice(needsRedis ? 2 : 3)

async function run(): Promise<number> {
  if (script === undefined) throw new Error('Usage: node events/local/run.ts SCRIPT ARGUMENTS…')
  const config = readStartConfig(process.env)
  const redisUrl = config.redisUrl ?? (needsRedis ? undefined : '')
  const isConfigured = config.databaseUrl !== undefined && redisUrl !== undefined && config.dataKey !== undefined
  const dataDir = isConfigured ? config.dataDir : openDataDir(config.dataDir)
  const print = (line: string) => process.stderr.write(`${line}\n`)
  const stores = await findOrOpenStores({ ...config, dataDir, redisUrl, print })
  try {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: 'inherit',
      env: {
        ...process.env,
        ...storesEnvironment(stores),
        DATA_KEY: config.dataKey ?? readOrMakeDataKey(dataDir),
      },
    })
    // The terminal sends Ctrl-C to both of us: the script decides its meaning, and we wait for it.
    process.on('SIGINT', () => {})
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (status) => resolve(status ?? 1))
    })
  } finally {
    await stores.stop()
  }
}

run().then(
  (status) => process.exit(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  },
)
