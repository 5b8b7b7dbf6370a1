import process from 'node:process'
import { PlainError } from '../base/plain-error.ts'

/** Starts a process. Ends it with the reason if it cannot start. */
export const startOrExit = async (start: () => Promise<void>): Promise<void> => {
  try {
    await start()
  } catch (error) {
    const reason = error instanceof Error && !(error instanceof PlainError) ? error.stack : error
    process.stderr.write(`${reason instanceof Error ? reason.message : reason}\n`)
    process.exit(1)
  }
}
