import process from 'node:process'
import * as v from 'valibot'
import { emailAddress } from '../../events/base/text.ts'
import { sessionSecret, withLinksSecret } from '../../events/keys/signing-keys.ts'
import {
  codeCommit,
  databaseAddresses,
  databaseVariables,
  keysConfig,
  keyVariables,
  logLevel,
  parseEnvironment,
  port,
  pushTestOrigins,
  redisUrl,
  smtpUrl,
  webUrl,
  wholeNumber,
} from '../../events/process/environment.ts'

const address = emailAddress('expected an email address')

/**
 * Free form-to-email services take 20 to 30 a minute from one form or address (limits of Formspree, Formtorch,
 * FormTo).
 */
const SERVICE_PER_MINUTE = 20
/** They refuse bursts. */
const SERVICE_CONCURRENCY = 1
/**
 * Exchange Online takes 30 a minute on 3 connections from one mailbox (SMTP AUTH client submission): the least of the
 * large ones.
 */
const SMTP_PER_MINUTE = 30
const SMTP_CONCURRENCY = 3
const MAX_PER_MINUTE = 6_000
const MAX_CONCURRENCY = 50

const perMinute = (byDefault: number) => v.optional(wholeNumber(1, MAX_PER_MINUTE), String(byDefault))
const concurrency = (byDefault: number) => v.optional(wholeNumber(1, MAX_CONCURRENCY), String(byDefault))

const variables = {
  ...databaseVariables,
  ...keyVariables,
  REDIS_URL: redisUrl,
  PORT: v.optional(port, '3000'),
  PUBLIC_URL: v.optional(webUrl),
  SESSION_SECRET: v.optional(sessionSecret),
  LINKS_SECRET: v.optional(sessionSecret),
  EMAIL_FORWARD_URL: v.optional(webUrl),
  SMTP_URL: v.optional(smtpUrl),
  EMAIL_FROM: v.optional(address),
  EMAIL_SERVICE_PER_MINUTE: perMinute(SERVICE_PER_MINUTE),
  EMAIL_SERVICE_CONCURRENCY: concurrency(SERVICE_CONCURRENCY),
  EMAIL_SMTP_PER_MINUTE: perMinute(SMTP_PER_MINUTE),
  EMAIL_SMTP_CONCURRENCY: concurrency(SMTP_CONCURRENCY),
  AGENCY_EMAIL: v.optional(address, 'hello@karoowebstudio.example'),
  AGENCY_NAME: v.optional(v.pipe(v.string(), v.maxLength(200)), 'Karoo Web Studio'),
  PUSH_TEST_ORIGINS: pushTestOrigins,
  WORKER_PORT: v.optional(wholeNumber(0, 65_535), '0'),
  LOG_LEVEL: logLevel,
  CODE_COMMIT: codeCommit,
}

/** Reads the environment (api/OPERATIONS.md: Configuration). Throws an EnvironmentError that names every variable it cannot use. */
export const readConfig = (environment: NodeJS.ProcessEnv = process.env) => {
  const env = parseEnvironment(variables, environment)
  return {
    ...databaseAddresses(env),
    ...keysConfig(env),
    redisUrl: env.REDIS_URL,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    /** Makes the links that resume a chat; undefined if emails have none. */
    signingKeys: env.SESSION_SECRET && withLinksSecret(env.SESSION_SECRET, env.LINKS_SECRET),
    /** The form-to-email service, for the agency's email first. */
    emailForwardUrl: env.EMAIL_FORWARD_URL,
    /** The SMTP server, for visitors' email first; without it that of the settings. With none, all stays in the outbox. */
    smtpUrl: env.SMTP_URL,
    /** How much goes out by each of them: begun by all workers together in a minute, and sent at once. */
    emailLanes: {
      service: { perMinute: env.EMAIL_SERVICE_PER_MINUTE, concurrency: env.EMAIL_SERVICE_CONCURRENCY },
      smtp: { perMinute: env.EMAIL_SMTP_PER_MINUTE, concurrency: env.EMAIL_SMTP_CONCURRENCY },
    },
    /** The sender of what goes by SMTP, before that of the settings and the agency's address. */
    emailFrom: env.EMAIL_FROM,
    agencyEmail: env.AGENCY_EMAIL,
    agencyName: env.AGENCY_NAME,
    pushTestOrigins: env.PUSH_TEST_ORIGINS,
    /** The port of metrics and health; 0: none, so that workers of one machine need no ports. */
    port: env.WORKER_PORT,
    logLevel: env.LOG_LEVEL,
  }
}

/** The configuration of a worker. */
export type Config = ReturnType<typeof readConfig>
