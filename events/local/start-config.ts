import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import * as v from 'valibot'
import {
  databaseUrl,
  ipAddress,
  parseEnvironment,
  port,
  redisUrl,
  webUrl,
  wholeNumber,
} from '../process/environment.ts'
import { reachedFromOutside } from '../staff/try-out.ts'

const variables = {
  PORT: v.optional(port, '3000'),
  NODES: v.optional(wholeNumber(1, 64), '2'),
  LISTEN_ADDRESS: v.optional(ipAddress),
  DATABASE_URL: v.optional(databaseUrl),
  MIGRATIONS_DATABASE_URL: v.optional(databaseUrl),
  REDIS_URL: v.optional(redisUrl),
  DATA_DIR: v.optional(v.string(), '.data'),
  PUBLIC_URL: v.optional(webUrl),
  STAFF_USERNAME: v.optional(v.string(), 'staff'),
  STAFF_PASSWORD: v.optional(v.string()),
  SESSION_SECRET: v.optional(v.string()),
  DATA_KEY: v.optional(v.string()),
}

/** The settings of `npm start` itself; the API and the worker validate the rest of the environment. */
export type StartConfig = ReturnType<typeof readStartConfig>

/** Throws an EnvironmentError with a line for each variable that cannot be used. */
export function readStartConfig(environment: NodeJS.ProcessEnv) {
  const env = parseEnvironment(variables, environment)
  return {
    port: env.PORT,
    nodes: env.NODES,
    /** Empty for all of this machine's addresses: this machine alone unless PUBLIC_URL says that others reach it. */
    listenAddress: env.LISTEN_ADDRESS ?? (reachedFromOutside({ PUBLIC_URL: env.PUBLIC_URL }) ? '' : '127.0.0.1'),
    databaseUrl: env.DATABASE_URL,
    migrationsUrl: env.MIGRATIONS_DATABASE_URL,
    redisUrl: env.REDIS_URL,
    dataDir: env.DATA_DIR,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    staff: { username: env.STAFF_USERNAME, password: env.STAFF_PASSWORD },
    sessionSecret: env.SESSION_SECRET,
    dataKey: env.DATA_KEY,
  }
}

/** A password that a person can type off the screen: 72 random bits. */
export function newPassword(): string {
  return randomBytes(9).toString('base64url')
}

/** Fails with one line if another program listens on the port. */
export function checkPort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program listens there' : `${error.code}`
      reject(new Error(`PORT: cannot use ${port} (${reason}): set another, as in PORT=${port + 1} npm start`))
    })
    server.listen(port, () => server.close(() => resolve()))
  })
}
