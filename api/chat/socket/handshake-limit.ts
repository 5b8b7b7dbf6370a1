import { siteOf } from '../../admission/client-address.ts'
import { limitEach, tokenBucket } from './token-bucket.ts'

/** The share of one second's handshakes that may arrive at once. The others must be spread out. */
const BURST_SHARE = 0.25
/** The part of the burst reserved for staff, at least one: staff can connect whatever strangers do. */
const STAFF_SHARE = 0.05
/** One for a visitor, and one that is reserved for staff. */
const LEAST_BURST = 2
/** Part of the handshakes that one address, or all addresses of an IPv6 /48, may take. */
const ADDRESS_SHARE = 0.5
/** The limit for one signed cookie: enough for a console and its other tabs, and for all of them to reconnect once. */
const OF_COOKIE = { burst: 20, perSecond: 1 }

/** The number of handshakes that a node accepts per second over time. */
export const steadyRate = (perSecond: number): number => perSecond * (1 - BURST_SHARE)

/**
 * A client that connects: `cookie` is a staff cookie with a valid signature, whether or not its session is still valid.
 */
type Comer = { address: string; cookie?: string | undefined }

/**
 * Whether a handshake is accepted. `over` is too many from one address, and `untilMs` when there is room for it again.
 */
type Verdict = { kind: 'enter' } | { kind: 'busy' } | { kind: 'over'; untilMs: number }

/**
 * Decides which handshakes a node accepts: at most `perSecond` in any second. Others are refused before any query is
 * made, so that a node to which all clients reconnect at once can still serve those it has; they retry later each time
 * (`events/base/backoff.ts`), and so spread out. One address gets half of the handshakes at most, and none once it is
 * over its limit; a part is reserved for clients with a staff cookie. All of it is in the memory of the node. Times are
 * in milliseconds.
 */
export const openHandshakeLimit = (perSecond: number) => {
  const burst = Math.max(LEAST_BURST, perSecond * BURST_SHARE)
  const reservedForStaff = Math.max(1, burst * STAFF_SHARE)
  const rate = { burst, perSecond: steadyRate(perSecond) }
  const mayEnter = tokenBucket(rate)
  const ofAddress = limitEach({ burst: Math.max(1, burst * ADDRESS_SHARE), perSecond: rate.perSecond * ADDRESS_SHARE })
  const ofCookie = limitEach(OF_COOKIE)
  /** The addresses that are over their limit, in the order in which that was found. */
  const shut = new Map<string, number>()

  return {
    ask: ({ address, cookie }: Comer, now: number): Verdict => {
      if (cookie !== undefined && ofCookie.mayPass(cookie, now)) return { kind: mayEnter(now) ? 'enter' : 'busy' }
      const untilMs = shut.get(address) ?? 0
      if (untilMs > now) return { kind: 'over', untilMs }
      if (!ofAddress.mayPass(siteOf(address) ?? address, now)) return { kind: 'busy' }
      return { kind: mayEnter(now, { keep: reservedForStaff }) ? 'enter' : 'busy' }
    },
    /** Refuses an address that is over its limit until then. */
    shut: (address: string, now: number, untilMs: number): void => {
      shut.delete(address)
      for (const [other, otherUntilMs] of shut) {
        if (otherUntilMs > now) break
        shut.delete(other)
      }
      shut.set(address, untilMs)
    },
  }
}
