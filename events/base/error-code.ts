/** The code of an error, such as ECONNRESET or one of Postgres's; empty if it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && error.code !== undefined ? String(error.code) : ''
