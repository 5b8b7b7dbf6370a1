import { readConfig } from './config.ts'
import { runWorker } from './run-worker.ts'

// For tests: a worker whose consumers of the log give up soon.

const PATIENCE_MS = 4_000

await runWorker(readConfig(), { patienceMs: PATIENCE_MS })
