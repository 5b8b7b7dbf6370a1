import process from 'node:process'
import * as v from 'valibot'
import { emailAddress } from '../../events/base/text.ts'
import { sessionSecret, withLinksSecret } from '../../events/keys/signing-keys.ts'
import {
  codeCommit,
  databaseAddresses,
  databaseVariables,
  EnvironmentError,
  ipAddress,
  keysConfig,
  keyVariables,
  logLevel,
  parseEnvironment,
  port,
  pushTestOrigins,
  redisUrl,
  webUrl,
  wholeNumber,
} from '../../events/process/environment.ts'
import { PRIVATE_NETWORKS, trustedProxies } from '../../events/process/proxies.ts'
import { reachedFromOutside } from '../../events/staff/try-out.ts'
import { acceptPassword, GuessablePasswordError, type KnownNames } from '../staff/accepted-password.ts'

/** The name of the first account if STAFF_USERNAME is not set. */
export const FIRST_USERNAME = 'staff'

const text = (fallback: string) => v.optional(v.pipe(v.string(), v.maxLength(200)), fallback)

/** AGENCY_NAME, the name in the pages. */
export const agencyName = text('Karoo Web Studio')

const variables = {
  PORT: v.optional(port, '3000'),
  NODES: v.optional(wholeNumber(1, 64), '2'),
  LISTEN_ADDRESS: v.optional(ipAddress),
  ...databaseVariables,
  ...keyVariables,
  REDIS_URL: redisUrl,
  PUBLIC_URL: v.optional(webUrl),
  HANDSHAKES_PER_SECOND: v.optional(wholeNumber(1, 100_000), '2000'),
  TRUST_PROXY: v.optional(wholeNumber(0, 10), '0'),
  TRUSTED_PROXIES: v.optional(trustedProxies, PRIVATE_NETWORKS),
  STAFF_USERNAME: v.optional(
    v.pipe(v.string(), v.regex(/^\S{1,100}$/, 'expected 1 to 100 characters without spaces')),
    FIRST_USERNAME,
  ),
  STAFF_CONFIRMATION_SECONDS: v.optional(wholeNumber(1, 86_400), '600'),
  STAFF_PASSWORD: v.optional(v.pipe(v.string(), v.minLength(8, 'expected at least 8 characters'))),
  SESSION_SECRET: sessionSecret,
  LINKS_SECRET: v.optional(sessionSecret),
  AGENCY_NAME: agencyName,
  AGENCY_EMAIL: v.optional(emailAddress('expected an email address'), 'hello@karoowebstudio.example'),
  AGENCY_PHONE: text('+27 21 555 0142'),
  AGENCY_WHATSAPP: text('+27 82 555 0142'),
  // the worker's, which checks them: a node only needs to know whether there is one
  EMAIL_FORWARD_URL: v.optional(v.string()),
  SMTP_URL: v.optional(v.string()),
  EMAIL_FROM: v.optional(v.string()),
  PUSH_TEST_ORIGINS: pushTestOrigins,
  ANALYTICS_ID: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,40}$/, 'expected an id such as G-ABC123'))),
  LOG_LEVEL: logLevel,
  CODE_COMMIT: codeCommit,
}

const IN_THE_CLEAR =
  'PUBLIC_URL is http: passwords, sessions and what visitors write cross the network in the clear. Set an https address'

/** The addresses under which browsers may reach this machine when no PUBLIC_URL is given. */
const loopbackOrigins = (port: number) =>
  ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin)

/**
 * Refuses a default that others could exploit: with several proxies, behind an address that other machines reach, every
 * host in a private network would be believed, and could write any address into X-Forwarded-For.
 */
const assertProxiesAreNamed = (hops: number, { TRUSTED_PROXIES, PUBLISHED_ADDRESS }: NodeJS.ProcessEnv) => {
  if (hops < 2 || TRUSTED_PROXIES || reachedFromOutside({ PUBLISHED_ADDRESS }) === undefined) return
  throw new EnvironmentError(
    `TRUSTED_PROXIES is not set: with TRUST_PROXY=${hops}, and ${PUBLISHED_ADDRESS} to listen on, expected the addresses of the proxies before this machine`,
  )
}

/** Checks the password of the first account. Throws an EnvironmentError if it can be guessed. */
const firstPassword = (password: string, names: KnownNames) => {
  try {
    return acceptPassword(password, names)
  } catch (error) {
    if (!(error instanceof GuessablePasswordError)) throw error
    throw new EnvironmentError(
      'STAFF_PASSWORD cannot be used: expected none of the most common passwords, nor the name of the account or the agency',
    )
  }
}

/** Reads the environment (api/OPERATIONS.md: Configuration). Throws an EnvironmentError that names every variable it cannot use. */
export const readConfig = (environment: NodeJS.ProcessEnv = process.env) => {
  const env = parseEnvironment(variables, environment)
  assertProxiesAreNamed(env.TRUST_PROXY, environment)
  const { STAFF_USERNAME: username, STAFF_PASSWORD: password, AGENCY_NAME } = env
  // empty values mean that there is none
  const hasEmailSettings = environment.EMAIL_FORWARD_URL !== undefined || environment.SMTP_URL !== undefined
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  const outside = reachedFromOutside(environment)
  return {
    port: env.PORT,
    nodes: env.NODES,
    /** The one address that the node listens on; undefined for all of this machine's. */
    listenAddress: env.LISTEN_ADDRESS,
    ...databaseAddresses(env),
    ...keysConfig(env),
    redisUrl: env.REDIS_URL,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    /** The variable that makes the site reachable from outside this machine; undefined in a try-out. */
    outside,
    /** Permitted but inadvisable settings. */
    warnings: outside !== undefined && publicUrl.startsWith('http:') ? [IN_THE_CLEAR] : [],
    /** Origins whose pages may call this API; compared with the Origin header, never with the request's own address. */
    allowedOrigins: new Set(env.PUBLIC_URL ? [new URL(publicUrl).origin] : loopbackOrigins(env.PORT)),
    /** The maximum number of sockets that this node admits in any second. */
    handshakesPerSecond: env.HANDSHAKES_PER_SECOND,
    /** The number of proxies in front that are believed, and their addresses (api/admission/client-address.ts). */
    trustedHops: env.TRUST_PROXY,
    isProxy: env.TRUSTED_PROXIES,
    firstStaff: {
      username,
      password: password === undefined ? undefined : firstPassword(password, { username, agencyName: AGENCY_NAME }),
    },
    /** How long a confirmation by the password lasts (api/staff/confirmation.ts). */
    confirmationSeconds: env.STAFF_CONFIRMATION_SECONDS,
    signingKeys: withLinksSecret(env.SESSION_SECRET, env.LINKS_SECRET),
    agency: {
      name: AGENCY_NAME,
      email: env.AGENCY_EMAIL,
      phone: env.AGENCY_PHONE,
      whatsapp: env.AGENCY_WHATSAPP,
    },
    /**
     * Whether variables let email be sent at all, and reach people besides the agency; undefined if only the worker has
     * them. The mail server of the settings counts too (api/email/ways.ts).
     */
    sendsEmail: hasEmailSettings ? Boolean(env.EMAIL_FORWARD_URL || env.SMTP_URL) : undefined,
    reachesPeople: hasEmailSettings ? Boolean(env.SMTP_URL) : undefined,
    /** The environment names the mail server, and so wins over the settings. */
    hasServerVariable: env.SMTP_URL !== undefined,
    emailFrom: env.EMAIL_FROM,
    forwardsEmail: env.EMAIL_FORWARD_URL !== undefined,
    pushTestOrigins: env.PUSH_TEST_ORIGINS,
    analyticsId: env.ANALYTICS_ID,
    logLevel: env.LOG_LEVEL,
  }
}

/** The configuration of one API node. */
export type Config = ReturnType<typeof readConfig>
