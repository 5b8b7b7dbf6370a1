const REPEAT_MS = 2_000
const IDLE_MS = 3_000

/** How long a hint that the other side is typing holds without a new one. */
export const TYPING_HOLDS_MS = 6_000

/** Tells the other side that someone types: at most every 2 s while they do, and once when they stop. */
export const typingNotice = (tell: (isTyping: boolean) => void) => {
  let toldAt = 0
  let idle: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(idle)
    if (toldAt) tell(false)
    toldAt = 0
  }
  const typed = () => {
    clearTimeout(idle)
    idle = setTimeout(stop, IDLE_MS)
    if (Date.now() - toldAt < REPEAT_MS) return
    toldAt = Date.now()
    tell(true)
  }
  return { typed, stop }
}
