/**
 * `npm run migrate`, a separate step. Run it before nodes and workers of a new version; those wait for it for 30
 * seconds and then refuse to start. It waits for a locked table for two seconds at a time, to hold up the site for no
 * longer, and tries again. After a rollback, older code continues with the newer schema and logs that.
 *
 * Two users. Nodes and workers log in as a user who can append to the log but change nothing in it
 * (migrations/roles.sql). The owner of the tables migrates. With both addresses, DATABASE_URL and
 * MIGRATIONS_DATABASE_URL, this command creates the first user if it is missing and keeps its password up to date; the
 * owner needs the right to create roles for that. With one address everything works, and each start warns that only
 * discipline protects the log.
 *
 * A pooler such as PgBouncer in transaction mode may be in front of Postgres. Give its address as DATABASE_URL, and
 * that of Postgres itself as DATABASE_DIRECT_URL, for work that needs a session (migrations, rebuilds). Time-outs then
 * come from the settings that this command gives the user of DATABASE_URL. A pooler in the wrong place is refused at
 * start.
 */

import process from 'node:process'
import * as v from 'valibot'
import { databaseUrl, ownerAddress, ownerVariables, parseEnvironment } from '../process/environment.ts'
import { assertDirect } from '../process/store-checks.ts'
import { migrate, migrateKeys } from './migrate.ts'

try {
  const config = parseEnvironment({ ...ownerVariables, KEYS_DATABASE_URL: v.optional(databaseUrl) })
  const { variable, url } = ownerAddress(config)
  const print = (line: string) => process.stderr.write(`${line}\n`)
  await assertDirect(variable, url)
  await migrate(url, { runtimeUrl: config.DATABASE_URL, print })
  if (config.KEYS_DATABASE_URL !== undefined) {
    await assertDirect('KEYS_DATABASE_URL', config.KEYS_DATABASE_URL)
    await migrateKeys(config.KEYS_DATABASE_URL, { print })
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
