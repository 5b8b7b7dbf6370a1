import { KeyStoreError, LogIntegrityError } from '../../events/log/errors.ts'
import { KeyError } from '../../events/log/key-ring.ts'

/** What does not pass by itself: the log, or a key, has to be put right, or newer code has to come. */
export const isForGood = (error: unknown): error is LogIntegrityError | KeyError =>
  error instanceof LogIntegrityError || error instanceof KeyError

/** An error without what may be personal: a database's message can quote a value. */
export const reasonOf = (error: unknown): string => {
  if (isForGood(error) || error instanceof KeyStoreError) return error.message
  const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : ''
  return `${error instanceof Error ? error.name : typeof error}${code}`
}
