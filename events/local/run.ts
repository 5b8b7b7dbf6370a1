import { spawn } from 'node:child_process'
import { keptDataKey, openDataDir } from './data-dir.ts'
import { readStartConfig } from './start-config.ts'
import { findOrOpenStores } from './stores.ts'

const [script, ...args] = process.argv.slice(2)

async function run(): Promise<number> {
  if (script === undefined) throw new Error('Usage: node events/local/run.ts SCRIPT ARGUMENTS…')
  const config = readStartConfig(process.env)
  const given = config.databaseUrl !== undefined && config.redisUrl !== undefined && config.dataKey !== undefined
  const dataDir = given ? config.dataDir : openDataDir(config.dataDir)
  const stores = await findOrOpenStores({ ...config, dataDir, say: (line) => process.stderr.write(`${line}\n`) })
  try {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: 'inherit',
      env: {
        ...process.env,
        DATABASE_URL: stores.databaseUrl,
        REDIS_URL: stores.redisUrl,
        DATA_KEY: config.dataKey ?? keptDataKey(dataDir),
      },
    })
    // The terminal sends Ctrl-C to both of us: the script decides what it means, and we wait for it.
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
