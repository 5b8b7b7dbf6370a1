/**
 * Lets through `perSecond` in the long run, and up to `burst` at once. The function that it answers takes the time in
 * milliseconds and says whether one more may pass.
 */
export const tokenBucket = ({ burst, perSecond }: { burst: number; perSecond: number }) => {
  let tokens = burst
  let last = 0
  return (now: number): boolean => {
    tokens = Math.min(burst, tokens + ((now - last) / 1000) * perSecond)
    last = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
