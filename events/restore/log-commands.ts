import { errorCode } from '../base/error-code.ts'
/** The commands of `npm run log`. */

import process from 'node:process'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { rewrapServerPasswords } from '../email/store/server-password.ts'
import { exportLedger, keyStores, readLedger } from '../erasure/ledger.ts'
import { rewrapImportKeys } from '../lead/store/imports.ts'
import { openAppender } from '../log/append.ts'
import type { ChainHead } from '../log/chain.ts'
import { migrate } from '../log/migrate.ts'
import { openKeys } from '../log/open-keys.ts'
import { headText, parseHead, verifyLog } from '../log/verify.ts'
import { databaseUrl, dataKey, ownerAddress, ownerVariables, parseEnvironment } from '../process/environment.ts'
import { progressBar } from '../process/progress-bar.ts'
import { assertDirect } from '../process/store-checks.ts'
import { replaceLostPushKeys, rewrapPushKeys } from '../staff/store/push-keys.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { rewrapWebhookSecrets } from '../webhook/store/webhooks.ts'
import { exportKeys, importKeys } from './key-file.ts'
import { exportLog, importLog } from './log-file.ts'
import { destroyErasedKeys } from './replayed-erasures.ts'
import { restoreLog } from './restore.ts'
import { rewrapKeys } from './rewrap.ts'

const USAGE = `Usage: npm run log -- COMMAND
  verify [--expect HASH@POSITION]...   check the chain of hashes, and heads that were noted earlier
  export [FILE], import FILE           the log, without its keys; into an empty log only
  keys export [FILE], keys import FILE the data keys, as they are wrapped
  ledger export [FILE], ledger import FILE
                                       who has been erased: ids only
  restore --ledger FILE [--expect HASH@POSITION]...
                                       make a restored backup ready to be served; --without-ledger where there is none,
                                       --keys-lost to erase all whose keys are missing
  rewrap                               wrap all data keys with the first key of DATA_KEY`

/** Longer than any statement here takes: a backup's tables are rewritten, and indexes made. */
const STATEMENT_TIMEOUT_MS = 24 * 60 * 60 * 1000
const POOL_CONNECTIONS = 2

/** The errors of Postgres for missing tables, columns and functions. */
const isUnmigrated = (error: unknown) => ['42P01', '42703', '42883'].includes(errorCode(error))

class UsageError extends Error {}

const variables = { ...ownerVariables, KEYS_DATABASE_URL: v.optional(databaseUrl) }

/** All is done as the owner of the tables, at Postgres itself. */
const readUrls = () => {
  const env = parseEnvironment(variables)
  return { ...ownerAddress(env), runtimeUrl: env.DATABASE_URL, keysUrl: env.KEYS_DATABASE_URL }
}

const withDatabase = async <T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> => {
  const sql = connect(url, { max: POOL_CONNECTIONS, name: 'log', statementTimeoutMs: STATEMENT_TIMEOUT_MS })
  return await work(sql).finally(() => sql.end({ timeout: 1 }))
}

const withStores = <T>(work: (sql: Sql, apart: Sql | undefined) => Promise<T>): Promise<T> => {
  const { url, keysUrl } = readUrls()
  return withDatabase(url, (sql) =>
    keysUrl ? withDatabase(keysUrl, (apart) => work(sql, apart)) : work(sql, undefined),
  )
}

/** Checks DATA_KEY against the key store before anything is done. */
const withKeys = async <T>(work: (opened: { url: string; sql: Sql }) => Promise<T>): Promise<T> => {
  const { url, keysUrl } = readUrls()
  const { DATA_KEY } = parseEnvironment({ ...variables, DATA_KEY: dataKey })
  const timeouts = { statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  const keys = await openKeys({ databaseUrl: url, keysDatabaseUrl: keysUrl, keyRing: DATA_KEY, ...timeouts })
  const sql = connect(url, { max: POOL_CONNECTIONS, name: 'log', statementTimeoutMs: STATEMENT_TIMEOUT_MS, keys })
  return await work({ url, sql }).finally(() => Promise.all([sql.end({ timeout: 1 }), keys.apart?.end({ timeout: 1 })]))
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** If the export goes to standard output, messages go to standard error. */
const printerFor = (file: string | undefined, line: string) =>
  file === undefined ? process.stderr.write(`${line}\n`) : print(line)

const expectedHeads = (heads: string[]): Map<number, string> =>
  new Map(
    heads.map((text) => {
      const head = parseHead(text)
      if (!head) throw new UsageError(`--expect ${text}: expected HASH@POSITION, as verify prints it`)
      return head
    }),
  )

const wholeLine = (head: ChainHead) =>
  head.position === 0
    ? 'The log is whole: it is empty'
    : `The log is whole: ${head.position} events, the last is ${head.position}, head ${headText(head)}`

const verify = (heads: string[]) =>
  withDatabase(readUrls().url, async (sql) => {
    const bar = progressBar('verify', 'events')
    const head = await verifyLog(sql, { expected: expectedHeads(heads), onProgress: bar.draw }).finally(bar.clear)
    print(wholeLine(head))
  })

const exportTo = (file: string | undefined) =>
  withDatabase(readUrls().url, async (sql) => {
    const bar = progressBar('export', 'events')
    const head = await exportLog(sql, file, { onProgress: bar.draw }).finally(bar.clear)
    printerFor(file, `Exported ${head.position} events, head ${headText(head)}`)
  })

const importFrom = (file: string) =>
  withDatabase(readUrls().url, async (sql) => {
    const bar = progressBar('import', 'events')
    const head = await importLog(sql, file, { onProgress: bar.count }).finally(bar.clear)
    print(`Imported ${head.position} events, head ${headText(head)}: import the keys, then run restore`)
  })

const exportKeysTo = (file: string | undefined) =>
  withStores(async (sql, apart) => {
    const bar = progressBar('keys export', 'keys')
    const count = await exportKeys(apart ?? sql, file, { onProgress: bar.count }).finally(bar.clear)
    printerFor(file, `Exported ${count} keys and tombstones`)
  })

const importKeysFrom = (file: string) =>
  withKeys(async ({ sql }) => {
    const bar = progressBar('keys import', 'keys')
    const { keys } = sql
    if (!keys) throw new Error('The keys are not open')
    const onProgress = bar.count
    const count = await importKeys(keys.apart ?? sql, file, { ring: keys.ring, onProgress }).finally(bar.clear)
    print(`Imported ${count} keys and tombstones`)
  })

const exportLedgerTo = (file: string | undefined) =>
  withStores(async (sql, apart) => {
    const count = await exportLedger(keyStores(sql, apart), file)
    printerFor(file, `Exported ${count} erasures`)
  })

const importLedgerFrom = (file: string) =>
  withStores(async (sql, apart) => {
    const ledger = await readLedger(file)
    let count = 0
    for (const store of keyStores(sql, apart)) count = Math.max(count, await destroyErasedKeys(store, ledger))
    print(
      `Applied ${ledger.length} erasures, ${count} of them new${count > 0 ? ': run restore, or views still show them' : ''}`,
    )
  })

/**
 * A dump brings no rights of users on the database itself, and may be older than this code: so it is migrated first.
 */
const migrateRestored = async () => {
  const { variable, url, runtimeUrl } = readUrls()
  await assertDirect(variable, url)
  await migrate(url, { runtimeUrl, print: (line) => process.stderr.write(`${line}\n`) })
}

const restore = async (file: string | undefined, heads: string[], areKeysLost: boolean) => {
  const expected = expectedHeads(heads)
  const ledger = file === undefined ? [] : await readLedger(file)
  parseEnvironment({ ...variables, DATA_KEY: dataKey })
  await migrateRestored()
  await withKeys(async ({ url, sql }) => {
    const { keys } = sql
    if (!keys) throw new Error('The keys are not open')
    const openLog = () => openAppender(url, { keys })
    const bar = progressBar('verify', 'events')
    const restored = await restoreLog(
      { sql, keys, openLog },
      { ledger, expected, areKeysLost, onProgress: bar.draw },
    ).finally(bar.clear)
    print(wholeLine(restored.head))
    print(
      `Erased are ${restored.erased} data subjects; ${restored.lost} leads and chats of theirs were in the backup as if not`,
    )
    print(
      'All staff sessions and API tokens have ended, and webhooks are paused: owners create new tokens and resume webhooks in the settings',
    )
    print(
      restored.owners > 0
        ? `Owners that are left: ${restored.owners}`
        : 'No owner is left: make one with npm run staff -- add NAME --owner',
    )
    print('Nodes and workers may start: they have a new epoch, and fill the views from the log')
  })
}

const rewrap = () =>
  withKeys(async ({ sql }) => {
    const { keys } = sql
    if (!keys) throw new Error('The keys are not open')
    // before the message that nothing needs an older key
    if (await replaceLostPushKeys(sql, keys)) print('No DATA_KEY opened the keys of notifications: there are new ones')
    await rewrapPushKeys(sql, keys.ring)
    await rewrapImportKeys(sql, keys.ring)
    for (const host of await rewrapWebhookSecrets(sql, keys.ring))
      print(`No DATA_KEY opens a secret of the webhook to ${host}: an owner makes a new one in the settings`)
    if (await rewrapServerPasswords(sql, keys.ring))
      print('No DATA_KEY opens the password of the mail server: an owner enters it again in the settings')
    const bar = progressBar('rewrap', 'keys')
    const { wrapped, removed } = await rewrapKeys(keys.apart ?? sql, keys.ring, { onProgress: bar.draw }).finally(
      bar.clear,
    )
    print(`Wrapped ${wrapped} data keys with key ${keys.ring.active.id}`)
    if (removed.length > 0) print(`Nothing needs key ${removed.join(', ')} any more: take it out of DATA_KEY`)
  })

const OPTIONS = {
  expect: { type: 'string', multiple: true },
  ledger: { type: 'string' },
  'without-ledger': { type: 'boolean' },
  'keys-lost': { type: 'boolean' },
} as const

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? `${cause.message}\n${USAGE}` : USAGE, { cause })
  }
}

type Values = ReturnType<typeof parse>['values']

/** A command: the options that it takes, whether it takes the name of a file, and its work. */
type Command = { options?: readonly (keyof Values)[] } & (
  | { file: 'none'; work: (values: Values) => Promise<void> }
  | { file: 'optional'; work: (file: string | undefined) => Promise<void> }
  | { file: 'required'; work: (file: string) => Promise<void> }
)

const COMMANDS: Readonly<Record<string, Command>> = {
  verify: { options: ['expect'], file: 'none', work: ({ expect = [] }) => verify(expect) },
  export: { file: 'optional', work: exportTo },
  import: { file: 'required', work: importFrom },
  'keys export': { file: 'optional', work: exportKeysTo },
  'keys import': { file: 'required', work: importKeysFrom },
  'ledger export': { file: 'optional', work: exportLedgerTo },
  'ledger import': { file: 'required', work: importLedgerFrom },
  rewrap: { file: 'none', work: rewrap },
  restore: {
    options: ['ledger', 'without-ledger', 'expect', 'keys-lost'],
    file: 'none',
    work: ({ ledger, expect = [], ...values }) => {
      if ((ledger === undefined) !== (values['without-ledger'] === true)) throw new UsageError(USAGE)
      return restore(ledger, expect, values['keys-lost'] === true)
    },
  },
}

const run = async (args: string[]): Promise<void> => {
  const { values, positionals } = parse(args)
  const words = positionals[0] === 'keys' || positionals[0] === 'ledger' ? 2 : 1
  const command = COMMANDS[positionals.slice(0, words).join(' ')]
  const [file, ...rest] = positionals.slice(words)
  const options: readonly string[] = command?.options ?? []
  const isUnknown = Object.keys(values).some((option) => !options.includes(option))
  if (!command || isUnknown || rest.length > 0) throw new UsageError(USAGE)
  if (command.file === 'none' && file === undefined) return await command.work(values)
  if (command.file === 'optional') return await command.work(file)
  if (command.file === 'required' && file) return await command.work(file)
  throw new UsageError(USAGE)
}

/** Runs a command of `npm run log`, with the environment of this process. Returns its status: 1 if it failed. */
export const runLogCommand = async (args: string[]): Promise<number> => {
  try {
    await run(args)
    return 0
  } catch (error) {
    const message = isUnmigrated(error)
      ? 'The database has no log of this version of the code: run npm run migrate'
      : undefined
    process.stderr.write(`${message ?? (error instanceof Error ? error.message : error)}\n`)
    return 1
  }
}
