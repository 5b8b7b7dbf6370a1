/** The two sides of a chat. */
export const SENDERS = ['visitor', 'admin'] as const

/** The causes that end a chat. `idle`: no one wrote for long. */
export const ENDERS = [...SENDERS, 'idle'] as const
