/** The two sides of a chat. */
export const SENDERS = ['visitor', 'admin'] as const

export type Party = (typeof SENDERS)[number]

/** The causes that end a chat. `idle`: no one wrote for long. */
export const ENDERS = [...SENDERS, 'idle'] as const
