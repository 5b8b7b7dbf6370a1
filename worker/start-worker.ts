import process from 'node:process'
import { KeyError } from '../events/keys/key-ring.ts'
import { SchemaError } from '../events/log/schema.ts'
import { EnvironmentError } from '../events/process/environment.ts'
import { PortError } from '../events/process/listen.ts'
import { UnreachableError } from '../events/process/store-checks.ts'
import { RestoredError } from '../events/restore/log-binding.ts'
import { readConfig } from './process/config.ts'
import { runWorker } from './run-worker.ts'

/** Starts a worker as its environment configures it. Ends the process if it cannot start. */
export const startWorker = async (): Promise<void> => {
  try {
    await runWorker(readConfig())
  } catch (error) {
    const plain = [EnvironmentError, KeyError, RestoredError, UnreachableError, SchemaError, PortError]
    const isPlain = plain.some((type) => error instanceof type)
    process.stderr.write(`${error instanceof Error ? (isPlain ? error.message : error.stack) : error}\n`)
    process.exit(1)
  }
}
