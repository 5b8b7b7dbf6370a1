import cluster from 'node:cluster'
import process from 'node:process'
import pino from 'pino'
import { startOrExit } from '../../events/process/start-or-exit.ts'
import { assertBuilt } from '../http/page.ts'
import { readConfig } from '../node/config.ts'
import { runCluster } from './cluster.ts'
import { prepare } from './prepare.ts'
import { runNode } from './run-node.ts'

/**
 * Starts the API by its environment: one node, or a process for each of several. Ends the process if it cannot start.
 */
export const runApi = (): Promise<void> =>
  startOrExit(async () => {
    const config = readConfig()
    const logger = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }))
    if (cluster.isPrimary) await assertBuilt()
    if (cluster.isPrimary && (await prepare(config, logger))) process.send?.({ type: 'staff-made' })
    if (cluster.isPrimary && config.nodes > 1) await runCluster(config)
    else await runNode(config)
  })
