import cluster from 'node:cluster'
import process from 'node:process'
import pino from 'pino'
import { KeyError } from '../../events/keys/key-ring.ts'
import { SchemaError } from '../../events/log/schema.ts'
import { EnvironmentError } from '../../events/process/environment.ts'
import { PortError } from '../../events/process/listen.ts'
import { UnreachableError } from '../../events/process/store-checks.ts'
import { RestoredError } from '../../events/restore/log-binding.ts'
import { assertBuilt, UnbuiltError } from '../http/page.ts'
import { readConfig } from '../node/config.ts'
import { runCluster } from './cluster.ts'
import { prepare } from './prepare.ts'
import { runNode } from './run-node.ts'

/**
 * Starts the API by its environment: one node, or a process for each of several. Ends the process if it cannot start.
 */
export const runApi = async (): Promise<void> => {
  try {
    const config = readConfig()
    const logger = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }))
    if (cluster.isPrimary) await assertBuilt()
    if (cluster.isPrimary && (await prepare(config, logger))) process.send?.({ type: 'staff-made' })
    if (cluster.isPrimary && config.nodes > 1) await runCluster(config)
    else await runNode(config)
  } catch (error) {
    const plain = [EnvironmentError, KeyError, RestoredError, UnreachableError, SchemaError, PortError, UnbuiltError]
    const isPlain = plain.some((type) => error instanceof type)
    process.stderr.write(`${error instanceof Error ? (isPlain ? error.message : error.stack) : error}\n`)
    process.exit(1)
  }
}
