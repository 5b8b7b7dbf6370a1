import process from 'node:process'
import { rebuildProjection } from '../events/consumers/rebuild.ts'
import { CONSUMERS, PROJECTIONS } from '../events/consumers/registry.ts'
import { type Consumer, isBehind, readConsumers } from '../events/log/consumer-lag.ts'
import { openKeys } from '../events/log/open-keys.ts'
import { checkSchema } from '../events/log/schema.ts'
import {
  databaseAddresses,
  databaseVariables,
  keysConfig,
  keyVariables,
  parseEnvironment,
} from '../events/process/environment.ts'
import { progressBar } from '../events/process/progress-bar.ts'
import type { Projection } from '../events/projections/projection.ts'
import { removeUnusedTables } from '../events/projections/unused-tables.ts'
import { connect, type Sql } from '../events/stores/connection.ts'

const USAGE = `Usage: npm run projections -- status | rebuild [${PROJECTIONS.map(({ name }) => name).join(' | ')}]`

/** The dependencies of a rebuild. */
type Stores = { directUrl: string; sql: Sql }

const print = (line: string) => process.stdout.write(`${line}\n`)

const stateOf = (consumer: Consumer) => {
  if (!consumer.isCurrent) return 'another version is in use: removed after 12 hours without use'
  if (consumer.haltReason !== null) return `paused: ${consumer.haltReason}`
  if (!consumer.isSameLog) return 'paused: of another history of the log, rebuild'
  const since = consumer.waitingSince?.toISOString()
  if (!consumer.isFilled) return 'not filled yet: a worker fills it'
  if (isBehind(consumer)) return `behind, with an event waiting since ${since}: does a worker run?`
  return consumer.lag > 0 ? `catching up, with an event waiting since ${since}` : 'up to date'
}

/** Shows the position of each consumer of the log. Returns whether none is stalled. */
const showStatus = async (sql: Sql) => {
  const { head, consumers } = await readConsumers(sql, CONSUMERS)
  const width = Math.max(...consumers.map(({ name }) => name.length), 'consumer'.length)
  const row = (name: string, [version, position, lag]: (string | number)[], state: string) =>
    print(
      `${name.padEnd(width)}  ${String(version).padStart(7)}  ${String(position).padStart(10)}  ${String(lag).padStart(8)}  ${state}`,
    )
  row('consumer', ['version', 'position', 'lag'], 'state')
  for (const consumer of consumers) {
    const { name, version, position, lag } = consumer
    row(name, [version, position, lag], stateOf(consumer))
  }
  print(`The log is at ${head}.`)
  return !consumers.some(isBehind)
}

const rebuildView = async ({ directUrl, sql }: Stores, projection: Projection) => {
  const { draw, clear } = progressBar(projection.name, 'events')
  try {
    return await rebuildProjection({ databaseUrl: directUrl, keys: sql.keys }, projection, { onProgress: draw })
  } finally {
    clear()
  }
}

const rebuild = async (stores: Stores, name: string | undefined) => {
  const wanted = PROJECTIONS.filter((projection) => name === undefined || projection.name === name)
  if (wanted.length === 0) throw new Error(USAGE)
  for (const projection of wanted) {
    const begin = performance.now()
    const position = await rebuildView(stores, projection)
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    print(`${projection.name} ${projection.version}: rebuilt from ${position} events in ${seconds} s`)
  }
  await removeUnusedTables(stores.sql)
}

const openWithKeys = async (databaseUrl: string) => {
  const keys = await openKeys({ databaseUrl, ...keysConfig(parseEnvironment(keyVariables)) })
  return connect(databaseUrl, { max: 1, name: 'projections', keys })
}

/** Only a rebuild reads personal data. */
const run = async ([command, name, ...rest]: string[]) => {
  const { databaseUrl, directUrl } = databaseAddresses(parseEnvironment(databaseVariables))
  const isStatus = command === 'status' && name === undefined
  for (const warning of await checkSchema(databaseUrl)) process.stderr.write(`${warning}\n`)
  if (!isStatus && (command !== 'rebuild' || rest.length > 0)) throw new Error(USAGE)
  const sql = isStatus ? connect(databaseUrl, { max: 1, name: 'projections' }) : await openWithKeys(databaseUrl)
  try {
    if (isStatus) {
      if (!(await showStatus(sql))) process.exitCode = 1
      return
    }
    await rebuild({ directUrl, sql }, name)
  } finally {
    await Promise.all([sql, sql.keys?.apart].map((pool) => pool?.end({ timeout: 1 })))
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
