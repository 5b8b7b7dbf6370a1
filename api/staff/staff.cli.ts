import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import * as v from 'valibot'
import { NO_KEYS } from '../../events/keys/subject-keys.ts'
import { openAppender } from '../../events/log/append.ts'
import { readHead } from '../../events/log/read.ts'
import { assertSchema } from '../../events/log/schema.ts'
import { runWith, systemContext } from '../../events/process/context.ts'
import {
  databaseAddresses,
  databaseVariables,
  parseEnvironment,
  port,
  redisUrl,
  webUrl,
} from '../../events/process/environment.ts'
import { staffSignInLinkMade } from '../../events/staff/account-history.ts'
import { newPassword, STAFF_ROLES, type StaffRole, username } from '../../events/staff/staff.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { redisPrefix } from '../../events/stores/redis/prefix.ts'
import { connectRedis, type RedisClient } from '../../events/stores/redis/redis.ts'
import { agencyName } from '../node/config.ts'
import { type AcceptedPassword, acceptPassword, GuessablePasswordError } from './accepted-password.ts'
import { addStaff, changeAccount, findStaff, listAccounts, removeAccount, type StaffAccount } from './account.ts'
import { SESSIONS_CHANNEL } from './session.ts'
import { makeSignInLink } from './sign-in-link.ts'
import { openTrail, type Trail } from './trail.ts'
import { turnOff } from './two-factor.ts'

const USAGE =
  'Usage: npm run staff -- add NAME [--owner] | list | passwd NAME | link NAME | two-factor-off NAME | role NAME owner|agent | remove NAME'
const GENERATED_PASSWORD_BYTES = 12
const REDIS_TIMEOUT_MS = 2_000

const print = (line: string) => process.stdout.write(`${line}\n`)

const silence = new Writable({ write: (_chunk, _encoding, done) => done() })

/** A line from a pipe, or typed without being shown; the end of the input is an empty line. */
const readSecret = async (prompt: string) => {
  const { stdin } = process
  if (stdin.isTTY) process.stdout.write(prompt)
  const lines = createInterface({ input: stdin, output: silence, terminal: stdin.isTTY })
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  if (stdin.isTTY) process.stdout.write('\n')
  return line
}

/** A password from the terminal or a pipe; an empty line asks for a generated one, which is then shown. */
const askPassword = async (username: string): Promise<AcceptedPassword> => {
  const { AGENCY_NAME } = parseEnvironment({ AGENCY_NAME: agencyName })
  const names = { username, agencyName: AGENCY_NAME }
  const typed = await readSecret('Password (not shown; empty: generate one): ')
  if (typed === '') {
    const generated = randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url')
    print(`Password: ${generated}`)
    return acceptPassword(generated, names)
  }
  const result = v.safeParse(newPassword, typed)
  if (!result.success) throw new Error(`Password: ${result.issues[0].message}`)
  try {
    return acceptPassword(typed, names)
  } catch (error) {
    if (error instanceof GuessablePasswordError) throw new Error(`Password: ${error.message}`)
    throw error
  }
}

const list = async (sql: Sql) => {
  for (const account of await listAccounts(sql)) {
    print(`${account.username}  ${account.role}  since ${account.createdAt.slice(0, 'yyyy-mm-dd'.length)}`)
  }
}

const add = async (sql: Sql, trail: Trail, { name, role }: { name: string; role: StaffRole }) => {
  if (await findStaff(sql, name)) throw new Error(`There is an account ${name} already`)
  const password = await askPassword(name)
  const made = await addStaff(sql, { username: name, displayName: name, password, role }, trail)
  if (made === undefined) throw new Error(`There is an account ${name} already`)
  print(`Added ${name}, ${role === 'owner' ? 'an owner' : 'an agent'}`)
}

/** Runs work with a Redis that responds soon or fails. */
const withRedis = async (url: string, work: (redis: RedisClient) => Promise<unknown>) => {
  const redis = connectRedis(url, {
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_TIMEOUT_MS,
    lazyConnect: true,
  })
  redis.on('error', () => {})
  try {
    await work(redis)
  } finally {
    redis.disconnect()
  }
}

/**
 * Prints a link for a staff member on a new device while strangers use up the account's attempts: it makes the device
 * count as known, for an hour and once.
 */
const link = async (sql: Sql, { id, username: name }: StaffAccount, trail: Trail) => {
  const { REDIS_URL, PUBLIC_URL, PORT } = parseEnvironment({
    REDIS_URL: redisUrl,
    PUBLIC_URL: v.optional(webUrl),
    PORT: v.optional(port, '3000'),
  })
  const { epoch } = await readHead(sql)
  await withRedis(REDIS_URL, async (redis) => {
    await redis.ping() // no entry of a link that cannot be stored
    await trail.note(staffSignInLinkMade({ accountId: id, by: trail.by, from: trail.from }))
    const token = await makeSignInLink(redis, redisPrefix(epoch), id)
    print(`${name} can sign in on a new device within an hour, with the password, at`)
    print(`${PUBLIC_URL?.replace(/\/+$/, '') ?? `http://localhost:${PORT}`}/login#link=${token}`)
  })
}

const parseRole = (text: string | undefined) => {
  if (v.is(v.picklist(STAFF_ROLES), text)) return text
  throw new Error(USAGE)
}

const run = async (sql: Sql, trail: Trail, [command, name, option, ...rest]: string[]) => {
  if (rest.length > 0) throw new Error(USAGE)
  if (command === 'list' && name === undefined) return await list(sql)
  if (name === undefined) throw new Error(USAGE)
  if (!v.is(username, name)) throw new Error('A username has 1 to 100 characters and no spaces')
  if (command === 'add') {
    if (option !== undefined && option !== '--owner') throw new Error(USAGE)
    return await add(sql, trail, { name, role: option ? 'owner' : 'agent' })
  }
  if (option !== undefined && command !== 'role') throw new Error(USAGE)
  const account = await findStaff(sql, name)
  if (!account) throw new Error(`There is no account ${name}`)
  switch (command) {
    case 'passwd':
      await changeAccount(sql, account.id, { password: await askPassword(account.username) }, trail)
      return print(`Changed the password of ${name}; its sessions end`)
    case 'link':
      return await link(sql, account, trail)
    case 'two-factor-off':
      await turnOff(sql, account.id, trail)
      return print(`${name} signs in with the password alone now`)
    case 'role': {
      const role = parseRole(option)
      await changeAccount(sql, account.id, { role }, trail)
      return print(`${name} is ${role === 'owner' ? 'an owner' : 'an agent'} now`)
    }
    case 'remove':
      await removeAccount(sql, account.id, trail)
      return print(`Removed ${name}; its sessions end`)
    default:
      throw new Error(USAGE)
  }
}

/**
 * Notifies the nodes that sessions may have ended, if Redis is configured and reachable; they check within seconds in
 * any case.
 */
const notifyNodes = async (sql: Sql, url: string) => {
  const { epoch } = await readHead(sql)
  await withRedis(url, (redis) => redis.publish(redisPrefix(epoch) + SESSIONS_CHANNEL, '').catch(() => {}))
}

try {
  const config = parseEnvironment({ ...databaseVariables, REDIS_URL: v.optional(redisUrl) })
  const { databaseUrl } = databaseAddresses(config)
  const sql = connect(databaseUrl, { max: 1, name: 'staff' })
  const log = openAppender(databaseUrl, { keys: NO_KEYS })
  try {
    await assertSchema(sql)
    const trail = openTrail(log, { by: null, from: null })
    await runWith(systemContext('staff command'), () => run(sql, trail, process.argv.slice(2)))
    if (config.REDIS_URL) await notifyNodes(sql, config.REDIS_URL)
  } finally {
    await Promise.all([log.close(), sql.end({ timeout: 1 })])
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
