import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../local/port.ts'
import { asRuntimeUser } from './database.ts'
import { TEST_DATA_KEY } from './keys.ts'
import { startTestProcess, type TestProcess } from './process.ts'

export const STAFF = { username: 'thandi', password: 'a long enough password' }

/** The SESSION_SECRET of all test nodes. */
export const SESSION_SECRET = 'a secret of the tests'

const PORT_ATTEMPTS = 3

export type TestStores = { databaseUrl: string; redisUrl: string }

/** One API node in a process of its own. */
export type TestNode = TestProcess & {
  /** Its address, which is also the one origin that it accepts. */
  url: string
  /** Calls it as a page of its own origin would. */
  call: (path: string, init?: RequestInit) => Promise<Response>
  /** The same with a JSON body, each time from another address unless the headers name one. */
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>
}

/**
 * The environment of an API process, which gets no more rights in the database than it needs; every secret is the same
 * on all nodes.
 */
export const nodeEnvironment = ({ databaseUrl, redisUrl }: TestStores, port: number): Record<string, string> => ({
  DATABASE_URL: asRuntimeUser(databaseUrl),
  REDIS_URL: redisUrl,
  PORT: String(port),
  NODES: '1',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SESSION_SECRET,
  DATA_KEY: TEST_DATA_KEY,
  TRUST_PROXY: '1',
  STAFF_USERNAME: STAFF.username,
  STAFF_PASSWORD: STAFF.password,
})

const launch = async (stores: TestStores, env: Record<string, string>, script: string) => {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    try {
      return { port, process: await startTestProcess(script, { ...nodeEnvironment(stores, port), ...env }) }
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !String(error).includes('EADDRINUSE')) throw error
    }
  }
}

let callers = 0
/** Another address for each call, as sent by a proxy: most tests are not about limits by address. */
const newAddress = () => {
  callers += 1
  return `100.64.${callers >> 8}.${callers & 255}`
}

/** Starts an API node on a free port. */
export const startTestNode = async (
  stores: TestStores,
  env: Record<string, string> = {},
  script = 'api/process/main.ts',
): Promise<TestNode> => {
  const { port, process } = await launch(stores, env, script)
  const url = `http://127.0.0.1:${port}`
  const call = (path: string, { headers, ...init }: RequestInit = {}) =>
    fetch(url + path, { redirect: 'manual', headers: { origin: url, ...headers }, ...init })
  return {
    ...process,
    url,
    call,
    post: (path, body, headers) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress(), ...headers },
        body: JSON.stringify(body),
      }),
  }
}

/** Starts the worker that maintains the views, for nodes that read them. */
export const startTestWorker = (
  { databaseUrl, redisUrl }: TestStores,
  env: Record<string, string> = {},
  script = 'worker/main.ts',
) =>
  startTestProcess(script, {
    DATABASE_URL: asRuntimeUser(databaseUrl),
    REDIS_URL: redisUrl,
    SESSION_SECRET,
    DATA_KEY: TEST_DATA_KEY,
    EMAIL_SERVICE_PER_MINUTE: '60', // tests that send several emails need not wait as a real service has one wait
    ...env,
  })

/** Signs in and returns the headers of a call by staff. */
export const signIn = async (node: TestNode): Promise<{ cookie: string }> => {
  const response = await node.post('/api/login', STAFF)
  if (response.status !== 204) throw new Error(`Signing in answered ${response.status}: ${await response.text()}`)
  return { cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 200
/** Grows the pause: immediate changes are seen at once, and slow ones cost few attempts. */
const PAUSE_GROWTH = 1.5

/** Tries again, after growing pauses, until `attempt` does not throw; throws its last error after `timeoutMs`. */
export const eventually = async <T>(attempt: () => Promise<T> | T, timeoutMs = 30_000): Promise<T> => {
  const deadline = performance.now() + timeoutMs
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(pauseMs)
    }
  }
}
