import process from 'node:process'
import { readConfig } from '../process/config.ts'
import { runWorker } from '../run-worker.ts'

// For tests: a worker whose consumers of the log give up after PATIENCE_MS.

await runWorker(readConfig(), { exitAfterMs: Number(process.env.PATIENCE_MS) })
