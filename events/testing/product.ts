import { afterAll } from 'vitest'
import { connect, type Sql } from '../stores/connection.ts'
import { createTestDatabase, type TestDatabase, testRedisUrl } from './database.ts'
import { TEST_KEYS } from './keys.ts'
import { startTestNode, startTestWorker, type TestNode, type TestStores } from './node.ts'
import type { TestProcess } from './process.ts'

type Environment = Record<string, string>

type Nodes = { 1: [TestNode]; 2: [TestNode, TestNode] }

/** The parts of the product that a test starts. */
export type ProductOptions<Count extends keyof Nodes> = {
  /** How many API nodes run; one by default. */
  nodes?: Count
  /** `has run`: it ran for a moment, so that the tables of the views are there, and do not change. */
  worker?: 'runs' | 'has run' | 'never'
  /** More environment of nodes and worker, of the nodes alone, of the worker alone. */
  env?: Environment
  nodeEnv?: Environment
  workerEnv?: Environment
}

/** The product on stores of its own. */
export type TestProduct<Count extends keyof Nodes = 1> = {
  database: TestDatabase
  stores: TestStores
  /** Two connections to the database as its owner, with the keys to read personal data. */
  sql: Sql
  /** The first node. */
  node: TestNode
  nodes: Nodes[Count]
  /** Starts another node, which ends with the rest. */
  startNode: (env?: Environment) => Promise<TestNode>
  /** Throws if there has never been one. */
  readonly worker: TestProcess
  /** Starts another worker, which ends with the rest. */
  startWorker: () => Promise<TestProcess>
  /** Stops the processes that a test has left running; fails if one does not end with status 0. */
  stop: () => Promise<void>
}

/** Opens the product: a database and a key space of its own, nodes and a worker. */
export const openTestProduct = async <Count extends keyof Nodes = 1>({
  nodes: count,
  worker: working = 'runs',
  env = {},
  nodeEnv = {},
  workerEnv = {},
}: ProductOptions<Count> = {}): Promise<TestProduct<Count>> => {
  const database = await createTestDatabase()
  const stores: TestStores = { databaseUrl: database.url, redisUrl: await testRedisUrl() }
  const sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const running = new Set<TestProcess>()
  const keep = <Started extends TestProcess>(started: Started): Started => {
    running.add(started)
    started.ended.then(() => running.delete(started))
    return started
  }
  const startNode = async (more: Environment = {}) => keep(await startTestNode(stores, { ...env, ...nodeEnv, ...more }))
  const startWorker = async () => keep(await startTestWorker(stores, { ...env, ...workerEnv }))

  const ran = working === 'has run' ? await startWorker() : undefined
  await ran?.stop()
  const [nodes, worker] = await Promise.all([
    Promise.all(Array.from({ length: count ?? 1 }, () => startNode())) as Promise<Nodes[Count]>,
    working === 'runs' ? startWorker() : ran,
  ])
  return {
    database,
    stores,
    sql,
    node: nodes[0],
    nodes,
    startNode,
    get worker() {
      if (!worker) throw new Error('This product was started without a worker')
      return worker
    },
    startWorker,
    stop: async () => {
      await Promise.all([...running].map((process) => process.stop()))
      await sql.end()
      await database.drop()
    },
  }
}

/** Starts the product for a test file, and stops it after its tests: `const { node, sql } = await startProduct()`. */
export const startProduct = async <Count extends keyof Nodes = 1>(
  options?: ProductOptions<Count>,
): Promise<TestProduct<Count>> => {
  const product = await openTestProduct(options)
  afterAll(product.stop)
  return product
}
