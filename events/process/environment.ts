import process from 'node:process'
import * as v from 'valibot'
import { PlainError } from '../base/plain-error.ts'
import { type KeyRing, parseKeyRing } from '../keys/key-ring.ts'
import { isTryOutSecret, reachedFromOutside } from '../staff/try-out.ts'
import { throughPooler } from '../stores/postgres/pool.ts'
import { parseRedisUrl } from '../stores/redis/redis.ts'
import { COMMIT } from './code-version.ts'

const url = (protocols: string[], example: string) =>
  v.pipe(
    v.string(`expected an address such as ${example}`),
    v.check(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `expected an address such as ${example}`,
    ),
  )

/** A whole number within a range, written in decimal digits. */
export const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, `expected a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `expected a whole number from ${min} to ${max}`),
    v.maxValue(max, `expected a whole number from ${min} to ${max}`),
  )

export const databaseUrl = url(['postgres:', 'postgresql:'], 'postgres://user:password@localhost:5432/agency')

/** The variables with the addresses of Postgres for nodes and workers; see `databaseAddresses`. */
export const databaseVariables = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: v.optional(databaseUrl) }

/** The addresses for ordinary work and for work that needs a session; the same unless there is a pooler. */
export type DatabaseAddresses = { databaseUrl: string; directUrl: string }

/** If DATABASE_DIRECT_URL is set, DATABASE_URL is that of a pooler, which assigns one connection per transaction. */
export const databaseAddresses = (env: {
  DATABASE_URL: string
  DATABASE_DIRECT_URL?: string | undefined
}): DatabaseAddresses => {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = env
  const isPooled = DATABASE_URL !== DATABASE_DIRECT_URL
  return { databaseUrl: isPooled ? throughPooler(DATABASE_URL) : DATABASE_URL, directUrl: DATABASE_DIRECT_URL }
}

/** The variables with the addresses of Postgres for the owner of the tables. */
export const ownerVariables = { ...databaseVariables, MIGRATIONS_DATABASE_URL: v.optional(databaseUrl) }

/** The address that the owner of the tables connects to, for a session, and the variable that sets it. */
export const ownerAddress = (env: {
  DATABASE_URL: string
  DATABASE_DIRECT_URL?: string | undefined
  MIGRATIONS_DATABASE_URL?: string | undefined
}): { variable: string; url: string } => {
  const variables = ['MIGRATIONS_DATABASE_URL', 'DATABASE_DIRECT_URL'] as const
  const variable = variables.find((each) => env[each] !== undefined) ?? 'DATABASE_URL'
  return { variable, url: env[variable] ?? env.DATABASE_URL }
}

export const redisUrl = v.pipe(
  v.string('expected an address such as redis://localhost:6379'),
  v.check((text) => parseRedisUrl(text) !== undefined, 'expected an address such as redis://localhost:6379'),
)
export const webUrl = url(['http:', 'https:'], 'https://www.example.com')

/** A host, and credentials that decode: without, the first email would find it out. */
const isSmtpServer = (text: string) => {
  if (!/^smtps?:/.test(text) || !URL.canParse(text)) return true // said already
  const { hostname, username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
    return hostname !== ''
  } catch {
    return false
  }
}

export const smtpUrl = v.pipe(
  url(['smtp:', 'smtps:'], 'smtp://user:password@smtp.example.com:587'),
  v.check(isSmtpServer, 'expected a host, and user and password with % written as %25'),
)
const EXPECTED_KEY = 'expected 32 random bytes in base64, the same on all nodes and workers (openssl rand -base64 32)'

/** The keys that wrap the data keys, the active one first (events/keys/key-ring.ts). */
export const dataKey = v.pipe(
  v.string(EXPECTED_KEY),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const ring = parseKeyRing(dataset.value)
    if (ring) return ring
    addIssue({ message: EXPECTED_KEY })
    return NEVER
  }),
)

/** The variables with the place of the data keys and the ring that unwraps them. */
export const keyVariables = { DATA_KEY: dataKey, KEYS_DATABASE_URL: v.optional(databaseUrl) }

/**
 * The values of `keyVariables` as a configuration names them. `keysDatabaseUrl` is undefined if the keys are in the
 * log's database.
 */
export const keysConfig = (env: { DATA_KEY: KeyRing; KEYS_DATABASE_URL?: string | undefined }) => ({
  keyRing: env.DATA_KEY,
  keysDatabaseUrl: env.KEYS_DATABASE_URL,
})

/**
 * PUSH_TEST_ORIGINS: origins, separated by commas, that notifications, webhooks and the mail server of the settings may
 * be at, by HTTP and within the own network. For tests and development only, in which a receiver replaces the services.
 */
export const pushTestOrigins = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').flatMap((each) => each.trim() || [])),
  v.check(
    (origins) => origins.every((each) => URL.canParse(each) && new URL(each).origin === each),
    'expected origins such as http://127.0.0.1:4000',
  ),
)

export const port = wholeNumber(1, 65_535)
export const ipAddress = v.pipe(v.string(), v.ip('expected an IP address such as 127.0.0.1'))
/** The commit that runs. It reaches events by events/process/code-version.ts. */
export const codeCommit = v.optional(v.pipe(v.string(), v.regex(COMMIT, 'expected the hash of a commit')))
export const logLevel = v.optional(
  v.picklist(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'expected fatal, error, warn, info, debug, trace or silent',
  ),
  'info',
)

/** The environment cannot be used; the message has one line per variable at fault, with the expected value. */
export class EnvironmentError extends PlainError {
  override name = 'EnvironmentError'
}

/** Begins the fault of a variable whose value is a secret of the try-out, while other machines reach the site. */
export const tryOutSecretFault = (name: string): string => `${name} cannot be used: the value of the try-out is public`

/** One line per variable with a publicly known secret, if the site is reachable from other machines. */
const tryOutSecrets = (values: Record<string, string | undefined>, environment: NodeJS.ProcessEnv): string[] => {
  const outside = reachedFromOutside(environment)
  if (outside === undefined) return []
  return Object.entries(values).flatMap(([name, value]) =>
    value !== undefined && isTryOutSecret(value)
      ? [`${tryOutSecretFault(name)}, and ${outside} is ${environment[outside]}: set your own`]
      : [],
  )
}

/**
 * Reads the environment by schema. An empty variable counts as unset. Throws an EnvironmentError that names every bad
 * one, including a secret from `compose.yaml` if the site is reachable from other machines.
 */
export const parseEnvironment = <Entries extends v.ObjectEntries>(
  entries: Entries,
  environment: NodeJS.ProcessEnv = process.env,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> => {
  const values = Object.fromEntries(Object.keys(entries).map((name) => [name, environment[name] || undefined]))
  const result = v.safeParse(v.object(entries), values)
  const known = tryOutSecrets(values, environment)
  if (result.success && known.length === 0) return result.output
  const lines = (result.issues ?? []).map((issue) => {
    const name = String(issue.path?.[0]?.key)
    return values[name] === undefined
      ? `${name} is not set: ${issue.message}`
      : `${name} cannot be used: ${issue.message}`
  })
  throw new EnvironmentError([...lines, ...known].join('\n'))
}
