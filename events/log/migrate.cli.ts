import process from 'node:process'
import * as v from 'valibot'
import { databaseUrl, databaseVariables, parseEnvironment } from '../environment.ts'
import { migrate } from './migrate.ts'
import { assertDirect } from './reach.ts'

try {
  const config = parseEnvironment({ ...databaseVariables, MIGRATIONS_DATABASE_URL: v.optional(databaseUrl) })
  const variable = ['MIGRATIONS_DATABASE_URL', 'DATABASE_DIRECT_URL'] as const
  const name = variable.find((each) => config[each] !== undefined) ?? 'DATABASE_URL'
  const ownerUrl = config[name] ?? config.DATABASE_URL
  await assertDirect(name, ownerUrl)
  await migrate(ownerUrl, {
    runtimeUrl: config.DATABASE_URL,
    say: (line) => process.stderr.write(`${line}\n`),
  })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
