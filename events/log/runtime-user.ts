import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { errorCode } from '../base/error-code.ts'
import { connect, type Sql } from '../stores/connection.ts'
import { CONNECTION_LIMITS } from '../stores/postgres/pool.ts'

/** The role with the rights of nodes and workers, and no others: see migrations/roles.sql. It cannot log in itself. */
export const RUNTIME_ROLE = 'agency_runtime'

const SCRAM_ITERATIONS = 4_096
const SALT_BYTES = 16

/** The verifier of a password, as Postgres stores it: the password itself must not show in the server's log. */
const verifierOf = (password: string) => {
  const salt = randomBytes(SALT_BYTES)
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256')
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  const server = keyOf('Server Key').toString('base64')
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`
}

/** The user and the password of an address. */
const credentialsOf = (databaseUrl: string) => {
  const { username, password } = new URL(databaseUrl)
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** Asked at the owner's address: the runtime's may be that of a pooler. */
const canLogIn = async (ownerUrl: string, runtimeUrl: string) => {
  const url = new URL(ownerUrl)
  const { username, password } = new URL(runtimeUrl)
  Object.assign(url, { username, password })
  const sql = connect(url.href, { max: 1, name: 'migrate' })
  try {
    await sql`select 1`
    return true
  } catch (error) {
    if (/^28/.test(errorCode(error))) return false
    throw error
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * The settings of each of the user's sessions, also through a pooler, which passes on none. All that it creates belongs
 * to the group.
 */
const SETTINGS = [...CONNECTION_LIMITS.map(([name, ms]) => `${name}=${ms}`), `role=${RUNTIME_ROLE}`]

/** Gives a user the settings that it lacks. */
const ensureSettings = async (sql: Sql, name: string) => {
  const [user] = await sql<{ settings: string[] | null }[]>`
    select rolconfig as settings from pg_roles where rolname = ${name}`
  for (const setting of SETTINGS.filter((wanted) => !user?.settings?.includes(wanted))) {
    const [parameter = '', value = ''] = setting.split('=')
    await sql`alter role ${sql(name)} set ${sql(parameter)} = ${sql.unsafe(`'${value}'`)}`
  }
}

/**
 * Creates the user of `runtimeUrl` if it is missing, updates its password to that of the address, and gives it the role
 * of nodes and workers. Does nothing if both addresses name one user.
 */
export const ensureRuntimeUser = async (
  sql: Sql,
  { ownerUrl, runtimeUrl }: { ownerUrl: string; runtimeUrl: string },
): Promise<void> => {
  const { name, password } = credentialsOf(runtimeUrl)
  if (name === '' || name === credentialsOf(ownerUrl).name) return
  const existing = await sql`select from pg_roles where rolname = ${name}`
  const secret = password === '' ? '' : `password '${verifierOf(password)}'`
  if (existing.length === 0) await sql`create role ${sql(name)} login ${sql.unsafe(secret)}`
  else if (password !== '' && !(await canLogIn(ownerUrl, runtimeUrl))) {
    await sql`alter role ${sql(name)} login ${sql.unsafe(secret)}`
  }
  const [membership] = await sql<{ held: boolean }[]>`select pg_has_role(${name}, ${RUNTIME_ROLE}, 'member') as held`
  if (!membership?.held) await sql`grant ${sql(RUNTIME_ROLE)} to ${sql(name)}`
  await ensureSettings(sql, name)
}
