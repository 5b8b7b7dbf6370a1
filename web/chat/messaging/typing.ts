const REPEAT_MS = 2_000
const IDLE_MS = 3_000

/** How long a typing signal of the other side lasts without a new one. */
export const TYPING_HOLDS_MS = 6_000

/** Sends the other side a typing signal: at most every 2 s during typing, and once at its end. */
export const typingSignal = (notify: (isTyping: boolean) => void) => {
  let sentAt = 0
  let idle: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(idle)
    if (sentAt) notify(false)
    sentAt = 0
  }
  const typed = () => {
    clearTimeout(idle)
    idle = setTimeout(stop, IDLE_MS)
    if (Date.now() - sentAt < REPEAT_MS) return
    sentAt = Date.now()
    notify(true)
  }
  return { typed, stop }
}
