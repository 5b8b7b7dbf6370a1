/**
 * The pauses between tries: `firstMs` after the first failure, `growth` times as long after each further one, at most
 * `longestMs`. The part `random` of each (0 to 1) is by chance: those that failed together must not retry together.
 */
export type Backoff = {
  readonly firstMs: number
  readonly growth: number
  readonly longestMs: number
  readonly random: number
}

/** The pause after this many failures in a row, in milliseconds; `chance` is 0 to 1. */
export const backoffMs = (
  { firstMs, growth, longestMs, random }: Backoff,
  failures: number,
  chance = Math.random(),
): number => Math.min(longestMs, firstMs * growth ** (failures - 1)) * (1 - random * (1 - chance))

const OF_CLIENTS: Backoff = { firstMs: 1_000, growth: 3, longestMs: 20_000, random: 1 }

/** The pause of a visitor's or staff member's page before its next try, after this many failures besides the first. */
export const growingDelay = (failures: number): number => backoffMs(OF_CLIENTS, failures + 1)
