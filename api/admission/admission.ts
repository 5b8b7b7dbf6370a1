import { HOUR_S, MINUTE_S } from '../../events/base/time.ts'
import type { RedisClient } from '../../events/stores/redis/redis.ts'
import { siteOf } from './client-address.ts'
import {
  DIMENSIONS,
  type Dimension,
  LIMITS,
  type Limit,
  type LimitName,
  NETWORKS_OF_SITE,
  type Rate,
  SLOTS,
  type Slot,
  type SlotName,
} from './limits.ts'
import { type Meter, openMeter } from './meter.ts'
import { sharedCounts } from './shared-count.ts'

/** The caller's address, session and account, if they are known. Only the dimensions of a limit are counted. */
export type CallerKeys = { readonly [D in Dimension]?: string | undefined }

/** The names of all limits: `frames` are counted on arrival. */
type Limited = LimitName | SlotName | 'frames'

/**
 * Thrown if a limit is exceeded. `message` is for the person; `retryAfterS` is the seconds until there is room again.
 */
export class OverLimitError extends Error {
  override name = 'OverLimitError'
  readonly code = 'over_limit'
  readonly limit: Limited
  readonly retryAfterS: number

  constructor(limit: Limited, sentence: string, retryAfterS: number) {
    super(`${sentence} Please try again in ${inWords(retryAfterS)}.`)
    this.limit = limit
    this.retryAfterS = retryAfterS
  }
}

/** A wait of at least two of the larger unit is given in that unit. */
const SECONDS_UP_TO = 2 * MINUTE_S
const MINUTES_UP_TO = 2 * HOUR_S

const inUnits = (seconds: number): [count: number, unit: string] => {
  if (seconds < SECONDS_UP_TO) return [seconds, 'second']
  return seconds < MINUTES_UP_TO ? [Math.ceil(seconds / MINUTE_S), 'minute'] : [Math.ceil(seconds / HOUR_S), 'hour']
}

const inWords = (seconds: number) => {
  const [count, unit] = inUnits(seconds)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The error for one of the LIMITS that is exceeded, with the milliseconds to wait. */
export const overLimit = (limit: LimitName, waitMs: number): OverLimitError =>
  new OverLimitError(limit, LIMITS[limit].sentence, Math.ceil(waitMs / 1_000))

/**
 * The one layer that decides whether there is room for a request. HTTP handlers and sockets call it before they do the
 * work:
 *
 *     await node.admission.admit('new_chats', { address: socket.address, session: sessionId })
 *
 * It counts on this node and over all nodes in Redis, and on this node alone while Redis is away: it never refuses
 * because Redis does not respond. Names, limits and sentences are in `limits.ts`. Addresses come from `clientAddress`,
 * which cuts IPv6 to its /64; each /64 also counts towards its /48. Redis sees only keyed hashes.
 */
export type Admission = {
  /**
   * Uses up a point in each dimension that the limit has and `caller` names. `respondWithError` turns the error into a
   * 429 with `Retry-After`; a socket sends an `error` frame with its message. Returns undefined if this node's memory
   * had all of them: callers on hot paths need not wait then.
   *
   * @throws OverLimitError, as a rejection, if a dimension has no point left
   */
  admit: (limit: LimitName, caller: CallerKeys) => Promise<void> | undefined
  /** The same for callers that do something else instead of refusing. Returns whether there was room. */
  hasRoom: (limit: LimitName, caller: CallerKeys) => Promise<boolean>
  /** Returns the points of an `admit`, for an attempt that does not count. Never throws. */
  refund: (limit: LimitName, caller: CallerKeys) => Promise<void>
  /**
   * Takes one of the slots that an address, a chat or an account (`caller`) may hold at once on this node. Returns the
   * function that releases it; a second release has no effect.
   *
   * @throws OverLimitError if all slots are taken
   */
  hold: (slot: SlotName, caller: string) => () => void
}

const openSlots = (): Admission['hold'] => {
  const held = new Map<string, number>()
  const holdOne = (slot: SlotName, caller: string, most: number) => {
    const key = `${slot} ${caller}`
    const count = held.get(key) ?? 0
    const { sentence, retryS } = SLOTS[slot]
    if (count >= most) throw new OverLimitError(slot, sentence, retryS)
    held.set(key, count + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const left = (held.get(key) ?? 1) - 1
      if (left > 0) held.set(key, left)
      else held.delete(key)
    }
  }
  return (slot, caller) => {
    const { most, ofSite }: Slot = SLOTS[slot]
    const letGo = holdOne(slot, caller, most)
    const site = siteOf(caller)
    if (ofSite === undefined || site === undefined) return letGo
    try {
      const letGoOfSite = holdOne(slot, site, ofSite)
      return () => {
        letGo()
        letGoOfSite()
      }
    } catch (error) {
      letGo()
      throw error
    }
  }
}

/** Last the /48 of an address: an address that is over its own limit takes nothing from the others of its /48. */
const COUNTED = [...DIMENSIONS, 'site'] as const

type Counted = (typeof COUNTED)[number]

/** The value that a dimension counts; undefined if it is unknown. */
const valueFor = (caller: CallerKeys, dimension: Counted): string | undefined =>
  dimension === 'site' ? caller.address && siteOf(caller.address) : caller[dimension]

type Meters = readonly { dimension: Counted; meter: Meter }[]

/** Takes a point of each meter, one after the other. Returns 0, or the milliseconds until there is room again. */
const takeOfEach = (meters: Meters, caller: CallerKeys): 0 | Promise<number> => {
  for (const [index, { dimension, meter }] of meters.entries()) {
    const value = valueFor(caller, dimension)
    const waitMs = value === undefined ? 0 : meter.take(value)
    if (waitMs !== 0) return waitMs.then((ms) => (ms > 0 ? ms : takeOfEach(meters.slice(index + 1), caller)))
  }
  return 0
}

/** Opens a node's admission. `prefix` begins its keys in Redis; `key` hashes the callers that are counted. */
export const openAdmission = (redis: RedisClient, keys: { prefix: string; key: string }): Admission => {
  const openCount = sharedCounts(redis, keys)

  const openMeters = (name: string, limit: Limit): Meters => {
    const ofSite = limit.address?.map((rate) => ({ ...rate, points: rate.points * NETWORKS_OF_SITE }))
    const ratesOf: { [D in Counted]?: readonly Rate[] | undefined } = { ...limit, site: ofSite }
    return COUNTED.flatMap((dimension) => {
      const rates = ratesOf[dimension]?.map((rate) => ({ ...rate, shared: openCount(`${name}:${dimension}`, rate) }))
      return rates ? [{ dimension, meter: openMeter(rates) }] : []
    })
  }

  const all = new Map(Object.entries(LIMITS).map(([name, limit]) => [name, openMeters(name, limit)]))
  const metersOf = (name: LimitName) => all.get(name) ?? []

  return {
    admit: (name, caller) => {
      const waitMs = takeOfEach(metersOf(name), caller)
      if (waitMs === 0) return undefined
      return waitMs.then((ms) => {
        if (ms > 0) throw overLimit(name, ms)
      })
    },
    hasRoom: async (name, caller) => (await takeOfEach(metersOf(name), caller)) === 0,
    refund: async (name, caller) => {
      for (const { dimension, meter } of metersOf(name)) {
        const value = valueFor(caller, dimension)
        if (value !== undefined) await meter.refund(value)
      }
    },
    hold: openSlots(),
  }
}
