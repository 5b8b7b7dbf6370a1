import process from 'node:process'
import * as v from 'valibot'
import { databaseUrl, ownerAddress, ownerVariables, parseEnvironment } from '../environment.ts'
import { migrate, migrateKeys } from './migrate.ts'
import { assertDirect } from './reach.ts'

try {
  const config = parseEnvironment({ ...ownerVariables, KEYS_DATABASE_URL: v.optional(databaseUrl) })
  const { variable, url } = ownerAddress(config)
  const say = (line: string) => process.stderr.write(`${line}\n`)
  await assertDirect(variable, url)
  await migrate(url, { runtimeUrl: config.DATABASE_URL, say })
  if (config.KEYS_DATABASE_URL !== undefined) {
    await assertDirect('KEYS_DATABASE_URL', config.KEYS_DATABASE_URL)
    await migrateKeys(config.KEYS_DATABASE_URL, { say })
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
