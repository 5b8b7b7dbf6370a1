import cluster from 'node:cluster'
import process from 'node:process'
import { EnvironmentError } from '../events/environment.ts'
import { KeyError } from '../events/log/key-ring.ts'
import { UnreachableError } from '../events/log/reach.ts'
import { runCluster } from './cluster.ts'
import { readConfig } from './config.ts'
import { prepare } from './prepare.ts'
import { PortError, runNode } from './run-node.ts'

try {
  const config = readConfig()
  if (cluster.isPrimary && (await prepare(config))) process.send?.({ type: 'staff-made' })
  if (cluster.isPrimary && config.nodes > 1) await runCluster(config)
  else await runNode(config)
} catch (error) {
  const isPlain = [EnvironmentError, KeyError, UnreachableError, PortError].some((type) => error instanceof type)
  process.stderr.write(`${error instanceof Error ? (isPlain ? error.message : error.stack) : error}\n`)
  process.exit(1)
}
