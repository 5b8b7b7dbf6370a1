import process from 'node:process'
import { TEST_DATA_KEY } from '../testing/keys.ts'
import { startTestProcess } from '../testing/process.ts'
import { freePort } from './port.ts'
import { buildWebIfStale } from './web-build.ts'

/** The account of staff at the nodes of a benchmark. */
export const STAFF = { username: 'staff', password: 'only for benchmarks' }

/** The one origin that the nodes of a benchmark accept. */
export const BENCH_ORIGIN = 'http://bench.example'

/** A node of a benchmark. `stop` stops it in order, and fails if it does not end with status 0. */
export type BenchNode = { url: string; pid: number; printed: () => string; stop: () => Promise<void> }

const variables = {
  DATABASE_URL: process.env.DATABASE_URL ?? '',
  REDIS_URL: process.env.REDIS_URL ?? '',
  SESSION_SECRET: 'only for benchmarks',
  DATA_KEY: TEST_DATA_KEY,
  PUBLIC_URL: BENCH_ORIGIN,
  LOG_LEVEL: 'error',
}

/** Starts one node on the stores of a benchmark. */
export const startBenchNode = async (env: Record<string, string> = {}): Promise<BenchNode> => {
  const port = await freePort()
  const own = { STAFF_USERNAME: STAFF.username, STAFF_PASSWORD: STAFF.password, PORT: String(port), NODES: '1' }
  const { pid, printed, stop } = await startTestProcess('api/process/main.ts', {
    ...variables,
    ...own,
    TRUST_PROXY: '1',
    ...env,
  })
  return { url: `http://127.0.0.1:${port}`, pid, printed, stop }
}

/** Starts a worker on the stores of a benchmark. */
export const startBenchWorker = () => startTestProcess('worker/main.ts', variables)

/** Starts two nodes on the stores of a benchmark, and a worker for their views. */
export const startBenchNodes = async (env: Record<string, string> = {}) => {
  await buildWebIfStale(process.cwd())
  const worker = await startBenchWorker()
  const nodes: [BenchNode, BenchNode] = [await startBenchNode(env), await startBenchNode(env)]
  return { nodes, worker, stop: () => Promise.all([worker, ...nodes].map((each) => each.stop())) }
}

/** Signs in as staff; returns the headers of their calls. */
export const signInToBench = async ({ url }: Pick<BenchNode, 'url'>) => {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: BENCH_ORIGIN },
    body: JSON.stringify(STAFF),
  })
  return { origin: BENCH_ORIGIN, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

let people = 0
/** The headers of a visitor at their own address. */
export const newVisitor = () => {
  people += 1
  return {
    origin: BENCH_ORIGIN,
    'x-forwarded-for': `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`,
  }
}
