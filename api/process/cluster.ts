import cluster, { type Worker } from 'node:cluster'
import { createServer } from 'node:net'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../events/process/listen.ts'
import { onShutdown } from '../../events/process/shutdown.ts'
import type { Config } from '../node/config.ts'

const SHUTDOWN_DEADLINE_MS = 9_500
const RESTART_PAUSE_MS = 1_000

const hasExited = (worker: Worker) =>
  worker.isDead() ? Promise.resolve() : new Promise<void>((resolve) => worker.once('exit', () => resolve()))

/** Checked before any node is started: each of them would report for itself that the port is taken. */
const assertPortIsFree = async ({ port, listenAddress }: Config) => {
  const server = createServer()
  await listen(server, port, { address: listenAddress })
  await new Promise((resolve) => server.close(resolve))
}

/**
 * Runs the configured number of nodes on one port; a node that dies is started again. Notifies the parent when all
 * listen.
 *
 * @throws PortError if the port is taken
 */
export const runCluster = async (config: Config): Promise<void> => {
  await assertPortIsFree(config)
  let isStopping = false

  const fork = () => {
    const worker = cluster.fork()
    worker.once('exit', async (code, signal) => {
      if (isStopping) return
      process.stderr.write(`An API node ended (${signal ?? `exit status ${code}`}): starting another\n`)
      await delay(RESTART_PAUSE_MS)
      if (!isStopping) fork()
    })
    return worker
  }

  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

  onShutdown(SHUTDOWN_DEADLINE_MS, async () => {
    isStopping = true
    const ending = workers().map(hasExited)
    for (const worker of workers()) worker.process.kill('SIGTERM')
    await Promise.all(ending)
  })

  const first = Array.from({ length: config.nodes }, fork)
  await Promise.all(
    first.map(
      (worker) =>
        new Promise<void>((resolve, reject) => {
          worker.once('listening', () => resolve())
          worker.once('exit', (code) => reject(new Error(`An API node ended with status ${code} before it listened`)))
        }),
    ),
  )
  process.send?.({ type: 'ready' })
}
