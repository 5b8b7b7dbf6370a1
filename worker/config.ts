import process from 'node:process'
import * as v from 'valibot'
import { databaseUrl, logLevel, parseEnvironment, port, redisUrl, webUrl } from '../events/environment.ts'

const variables = {
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  PORT: v.optional(port, '3000'),
  PUBLIC_URL: v.optional(webUrl),
  EMAIL_FORWARD_URL: v.optional(webUrl),
  AGENCY_EMAIL: v.optional(v.pipe(v.string(), v.email('expected an e-mail address')), 'hello@karoowebstudio.example'),
  LOG_LEVEL: logLevel,
}

/** Reads the environment (README: environment). Throws an EnvironmentError that names every variable it cannot use. */
export const readConfig = (environment: NodeJS.ProcessEnv = process.env) => {
  const env = parseEnvironment(variables, environment)
  return {
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    /** Where e-mail goes; undefined keeps it in the local outbox. */
    emailForwardUrl: env.EMAIL_FORWARD_URL,
    agencyEmail: env.AGENCY_EMAIL,
    logLevel: env.LOG_LEVEL,
  }
}

/** What a worker runs with. */
export type Config = ReturnType<typeof readConfig>
