/** The two sides of a chat. */
export const SENDERS = ['visitor', 'admin'] as const

/** What ends a chat. `idle`: nobody had written for long. */
export const ENDERS = [...SENDERS, 'idle'] as const
