import process from 'node:process'
import { databaseUrl, parseEnvironment } from '../environment.ts'
import { migrate } from './migrate.ts'

const config = parseEnvironment({ DATABASE_URL: databaseUrl })
try {
  await migrate(config.DATABASE_URL)
} catch (error) {
  process.stderr.write(`Migration failed: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
