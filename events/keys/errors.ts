/**
 * The reasons why the log refused or failed a request:
 * - `wrong_version`: the stream is not at the expected version; `currentVersion` is its version
 * - `guard_failed`: a stream that the request relies on is not at its version; `currentVersion` is its version
 * - `erased`: the request is about a person who has been erased
 * - `event_id_reused`: an event with this id is stored with another payload
 * - `invalid_event`: the event does not fit its own schema
 * - `log_full`: too many requests are waiting; nothing was stored
 * - `log_unavailable`: Postgres did not respond in time. The events may have been stored: repeat with the same ids
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

/**
 * The log has a hole, comes from another history, or holds events that this code does not know: the consumer stops
 * there.
 */
export class LogIntegrityError extends Error {
  override name = 'LogIntegrityError'
}

/**
 * The separate database of keys does not respond. Until it does, personal data can be neither read nor written about
 * new people; no one counts as erased because of it.
 */
export class KeyStoreError extends Error {
  override name = 'KeyStoreError'

  constructor(cause: unknown) {
    super('The database of the data keys (KEYS_DATABASE_URL) gives no answer', { cause })
  }
}
