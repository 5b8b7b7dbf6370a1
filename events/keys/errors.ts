/**
 * Why the log refused a request, or could not answer:
 * - `wrong_version`: the stream is not at the expected version; `currentVersion` is where it is
 * - `guard_failed`: a stream that the request relies on is not at its version; `currentVersion` is where it is
 * - `erased`: the request is about a person who has been erased
 * - `event_id_reused`: an event with this id is stored with another payload
 * - `invalid_event`: the event does not fit its own schema
 * - `log_full`: too much is waiting already; nothing was stored
 * - `log_unavailable`: Postgres gave no answer in time. It may have been stored: repeat with the same ids
 */
export type LogErrorCode =
  | 'wrong_version'
  | 'guard_failed'
  | 'erased'
  | 'event_id_reused'
  | 'invalid_event'
  | 'log_full'
  | 'log_unavailable'

export class LogError extends Error {
  override name = 'LogError'
  readonly code: LogErrorCode
  readonly currentVersion: number | undefined

  constructor(code: LogErrorCode, message: string, options: { cause?: unknown; currentVersion?: number } = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.currentVersion = options.currentVersion
  }
}

/** The log has a hole, comes from another history, or holds what this code does not know: the consumer stops there. */
export class LogIntegrityError extends Error {
  override name = 'LogIntegrityError'
}

/**
 * The data keys' own database gives no answer. What is personal can be neither read nor written about somebody new until it
 * does; nobody counts as erased for that.
 */
export class KeyStoreError extends Error {
  override name = 'KeyStoreError'

  constructor(cause: unknown) {
    super('The database of the data keys (KEYS_DATABASE_URL) gives no answer', { cause })
  }
}
