import { tokenBucket } from './token-bucket.ts'

/** Part of a second's handshakes that may come at one moment; the others come one by one. */
const BURST_SHARE = 0.25

/** How many handshakes a node takes each second for as long as they come. */
export const steadyRate = (perSecond: number): number => perSecond * (1 - BURST_SHARE)

/**
 * Decides which handshakes a node takes: in any second at most `perSecond`. What is refused is refused before anybody is
 * asked who it is, so that a node to which all clients come back at once stays able to serve those it has; they come back
 * later each time (`events/backoff.ts`), and so spread out.
 */
export const openDoor = (perSecond: number): ((now: number) => boolean) =>
  tokenBucket({ burst: Math.max(1, perSecond * BURST_SHARE), perSecond: steadyRate(perSecond) })
