import { readConfig } from '../process/config.ts'
import { runWorker } from '../run-worker.ts'

// For tests: a worker that rewrites tables with data of erased people at once, and tidies all the time.

const ROUND_EVERY_MS = 250

await runWorker(readConfig(), { tablesEveryMs: ROUND_EVERY_MS, rewriteAfterMs: 0 })
