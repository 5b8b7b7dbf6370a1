/** Where the chat floats, whatever its size. The button for WhatsApp stands above it, from 84 px up. */
export const corner = { position: 'fixed', zIndex: 50, right: 16, bottom: 16 } as const
