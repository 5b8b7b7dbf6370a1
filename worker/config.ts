import process from 'node:process'
import * as v from 'valibot'
import {
  codeCommit,
  databaseAddresses,
  databaseVariables,
  keysConfig,
  keyVariables,
  logLevel,
  parseEnvironment,
  port,
  redisUrl,
  smtpUrl,
  webUrl,
  wholeNumber,
} from '../events/environment.ts'
import { sessionSecret } from '../events/log/secret-keys.ts'

const address = v.pipe(v.string(), v.email('expected an e-mail address'))

const variables = {
  ...databaseVariables,
  ...keyVariables,
  REDIS_URL: redisUrl,
  PORT: v.optional(port, '3000'),
  PUBLIC_URL: v.optional(webUrl),
  SESSION_SECRET: v.optional(sessionSecret),
  EMAIL_FORWARD_URL: v.optional(webUrl),
  SMTP_URL: v.optional(smtpUrl),
  EMAIL_FROM: v.optional(address),
  AGENCY_EMAIL: v.optional(address, 'hello@karoowebstudio.example'),
  AGENCY_NAME: v.optional(v.pipe(v.string(), v.maxLength(200)), 'Karoo Web Studio'),
  WORKER_PORT: v.optional(wholeNumber(0, 65_535), '0'),
  LOG_LEVEL: logLevel,
  CODE_COMMIT: codeCommit,
}

/** Reads the environment (README: environment). Throws an EnvironmentError that names every variable it cannot use. */
export const readConfig = (environment: NodeJS.ProcessEnv = process.env) => {
  const env = parseEnvironment(variables, environment)
  return {
    ...databaseAddresses(env),
    ...keysConfig(env),
    redisUrl: env.REDIS_URL,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    /** Makes the links that resume a chat; undefined where e-mails go without. */
    secretKeys: env.SESSION_SECRET,
    /** The form-to-e-mail service, for the agency's e-mail first. */
    emailForwardUrl: env.EMAIL_FORWARD_URL,
    /** The SMTP server, for visitors' e-mail first. With neither, all stays in the local outbox. */
    smtpUrl: env.SMTP_URL,
    emailFrom: env.EMAIL_FROM ?? env.AGENCY_EMAIL,
    agencyEmail: env.AGENCY_EMAIL,
    agencyName: env.AGENCY_NAME,
    /** Where metrics and health are served; 0: nowhere, so that workers of one machine need no ports. */
    port: env.WORKER_PORT,
    logLevel: env.LOG_LEVEL,
  }
}

/** What a worker runs with. */
export type Config = ReturnType<typeof readConfig>
