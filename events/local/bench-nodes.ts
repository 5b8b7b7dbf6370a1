import process from 'node:process'
import { freePort } from './port.ts'
import { TEST_DATA_KEY } from './test-keys.ts'
import { startTestProcess, type TestProcess } from './test-process.ts'

const STAFF = { username: 'staff', password: 'only for benchmarks' }

/** The one origin that the nodes of a benchmark accept. */
export const BENCH_ORIGIN = 'http://bench.example'

/** A node of a benchmark; `restart` is a deployment of it: it stops in order and starts again on its port. */
export type BenchNode = { url: string; pid: () => number; restart: () => Promise<void>; stop: () => Promise<void> }

const variables = {
  DATABASE_URL: process.env.DATABASE_URL ?? '',
  REDIS_URL: process.env.REDIS_URL ?? '',
  SESSION_SECRET: 'only for benchmarks',
  DATA_KEY: TEST_DATA_KEY,
  PUBLIC_URL: BENCH_ORIGIN,
  LOG_LEVEL: 'error',
}

const startNode = async (): Promise<BenchNode> => {
  const port = await freePort()
  const staff = { STAFF_USERNAME: STAFF.username, STAFF_PASSWORD: STAFF.password }
  const start = () =>
    startTestProcess('api/main.ts', { ...variables, ...staff, PORT: String(port), NODES: '1', TRUST_PROXY: '1' })
  let running: TestProcess = await start()
  return {
    url: `http://127.0.0.1:${port}`,
    pid: () => running.pid,
    restart: async () => {
      await running.stop()
      running = await start()
    },
    stop: () => running.stop(),
  }
}

/** Starts two nodes on the stores of a benchmark, and a worker for their views. */
export const startBenchNodes = async () => {
  const worker = await startTestProcess('worker/main.ts', variables)
  const nodes: [BenchNode, BenchNode] = [await startNode(), await startNode()]
  return { nodes, stop: () => Promise.all([worker, ...nodes].map((each) => each.stop())) }
}

/** Signs in as staff; answers the headers of a call by them. */
export const signInToBench = async ({ url }: Pick<BenchNode, 'url'>) => {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: BENCH_ORIGIN },
    body: JSON.stringify(STAFF),
  })
  return { origin: BENCH_ORIGIN, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

let people = 0
/** The headers of somebody at an address of their own. */
export const somebody = () => {
  people += 1
  return {
    origin: BENCH_ORIGIN,
    'x-forwarded-for': `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`,
  }
}
