import process from 'node:process'
import {
  databaseAddresses,
  databaseVariables,
  keysConfig,
  keyVariables,
  parseEnvironment,
} from '../events/environment.ts'
import { connect, type Sql } from '../events/log/connection.ts'
import { type Consumer, readConsumers, standsStill } from '../events/log/consumers.ts'
import { openKeys } from '../events/log/open-keys.ts'
import { checkSchema } from '../events/log/schema.ts'
import { type RebuildProgress, rebuildProjection } from '../events/projections/rebuild.ts'
import { removeLeftovers } from '../events/projections/retired.ts'
import { PROJECTIONS } from '../events/projections/views.ts'

const USAGE = `Usage: npm run projections -- status | rebuild [${PROJECTIONS.map(({ name }) => name).join(' | ')}]`
const BAR_CHARACTERS = 30
const DRAW_EVERY_MS = 100

const say = (line: string) => process.stdout.write(`${line}\n`)

const stateOf = (consumer: Consumer) => {
  if (!consumer.isCurrent) return 'another version is in use: removed once nobody has kept it for 12 hours'
  if (consumer.haltReason !== null) return `halted: ${consumer.haltReason}`
  if (!consumer.isOfThisLog) return 'halted: of another history of the log, rebuild'
  const since = consumer.waitingSince?.toISOString()
  if (!consumer.isFilled) return 'not filled yet: a worker fills it'
  if (standsStill(consumer)) return `not moving, with an event waiting since ${since}: does a worker run?`
  return consumer.lag > 0 ? `behind, with an event waiting since ${since}` : 'up to date'
}

/** Shows where each consumer of the log stands. Answers whether all go on. */
const showStatus = async (sql: Sql) => {
  const { head, consumers } = await readConsumers(sql, PROJECTIONS)
  const width = Math.max(...consumers.map(({ name }) => name.length), 'consumer'.length)
  const row = (name: string, [version, position, lag]: (string | number)[], state: string) =>
    say(
      `${name.padEnd(width)}  ${String(version).padStart(7)}  ${String(position).padStart(10)}  ${String(lag).padStart(8)}  ${state}`,
    )
  row('consumer', ['version', 'position', 'lag'], 'state')
  for (const consumer of consumers) {
    const { name, version, position, lag } = consumer
    row(name, [version, position, lag], stateOf(consumer))
  }
  say(`The log is at ${head}.`)
  return !consumers.some(standsStill)
}

/** Draws on a terminal, at most ten times a second; elsewhere only the last line counts. */
const progressBar = (name: string) => {
  let lastDrawn = 0
  return ({ position, head }: RebuildProgress) => {
    const now = performance.now()
    if (!process.stdout.isTTY || (now - lastDrawn < DRAW_EVERY_MS && position < head)) return
    lastDrawn = now
    const share = head === 0 ? 1 : position / head
    const bar = '█'.repeat(Math.round(share * BAR_CHARACTERS)).padEnd(BAR_CHARACTERS, '░')
    process.stdout.write(`\r${name}  ${bar}  ${position} of ${head} events`)
  }
}

const rebuild = async (databaseUrl: string, sql: Sql, name: string | undefined) => {
  const wanted = PROJECTIONS.filter((projection) => name === undefined || projection.name === name)
  if (wanted.length === 0) throw new Error(USAGE)
  for (const projection of wanted) {
    const begin = performance.now()
    const position = await rebuildProjection({ databaseUrl, keys: sql.keys }, projection, {
      onProgress: progressBar(projection.name),
    })
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    say(
      `${process.stdout.isTTY ? '\r\x1b[K' : ''}${projection.name} ${projection.version}: rebuilt from ${position} events in ${seconds} s`,
    )
  }
  await removeLeftovers(sql)
}

const openWithKeys = async (databaseUrl: string) => {
  const keys = await openKeys({ databaseUrl, ...keysConfig(parseEnvironment(keyVariables)) })
  return connect(databaseUrl, { max: 1, name: 'projections', keys })
}

/** Only a rebuild reads what is personal. */
const run = async ([command, name, ...rest]: string[]) => {
  const { databaseUrl, directUrl } = databaseAddresses(parseEnvironment(databaseVariables))
  const isStatus = command === 'status' && name === undefined
  for (const warning of await checkSchema(databaseUrl)) process.stderr.write(`${warning}\n`)
  if (!isStatus && (command !== 'rebuild' || rest.length > 0)) throw new Error(USAGE)
  const sql = isStatus ? connect(databaseUrl, { max: 1, name: 'projections' }) : await openWithKeys(databaseUrl)
  try {
    if (!isStatus) await rebuild(directUrl, sql, name)
    else if (!(await showStatus(sql))) process.exitCode = 1
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
