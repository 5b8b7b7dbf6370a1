/**
 * The place where the chat floats, whatever its size. The button for WhatsApp is above it, from 84 px up; a small
 * window's bar is below.
 */
export const cornerPosition = { position: 'fixed', zIndex: 50, right: 16, bottom: 'calc(var(--bar) + 1rem)' } as const
