import process from 'node:process'
import { databaseUrl, parseEnvironment } from '../environment.ts'
import { migrate } from './migrate.ts'

try {
  const config = parseEnvironment({ DATABASE_URL: databaseUrl })
  await migrate(config.DATABASE_URL)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
