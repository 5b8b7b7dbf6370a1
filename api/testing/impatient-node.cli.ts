import { readConfig } from '../node/config.ts'
import { runNode } from '../process/run-node.ts'

// For tests: a node that ends soon if Postgres responds to other nodes, but not to it.

const UNWELL_MS = 9_000

await runNode(readConfig(), { silentMs: UNWELL_MS })
