import { createHmac, createSecretKey } from 'node:crypto'
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
  SLOTS,
  type Slot,
  type SlotName,
} from './limits.ts'
import { openMeters } from './meter.ts'

/** The known facts about a caller. Only the dimensions that a limit has are counted. */
export type Who = { readonly [D in Dimension]?: string | undefined }

/** The names of all limits: `frames` are counted on arrival. */
type Limited = LimitName | SlotName | 'frames'

/** Too much for now. `message` is for the person; `retryAfterS` is when there is room again, in seconds. */
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

/** A wait is given in the larger unit from two of it on. */
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

/** The refusal of what is over one of the LIMITS, for this many more milliseconds. */
export const overLimit = (limit: LimitName, waitMs: number): OverLimitError =>
  new OverLimitError(limit, LIMITS[limit].sentence, Math.ceil(waitMs / 1_000))

/**
 * The one layer that decides whether there is room for what somebody wants to do. HTTP handlers and sockets ask it before
 * they do the work:
 *
 *     await node.admission.admit('new_chats', { address: socket.address, session: sessionId })
 *
 * It counts over this node and over all nodes in Redis, and over this node alone while Redis is away: it never refuses
 * because Redis does not answer. Names, limits and sentences are in `limits.ts`; addresses come from `clientAddress`,
 * which cuts IPv6 to its /64; what has been counted by a /64 is counted by its /48 too. Redis sees only keyed hashes.
 */
export type Admission = {
  /**
   * Uses up a point in each dimension that the limit has and `who` names. Throws an OverLimitError where one has none
   * left: `answerError` makes a 429 with `Retry-After` of it; a socket answers an `error` frame with its message.
   */
  admit: (limit: LimitName, who: Who) => Promise<void>
  /** The same for callers that go another way instead of refusing: returns whether there was room. */
  hasRoom: (limit: LimitName, who: Who) => Promise<boolean>
  /** Gives the points of an `admit` back, for a try that is not to count. Never throws. */
  giveBack: (limit: LimitName, who: Who) => Promise<void>
  /**
   * Takes one of the things that an address, a chat or an account (`who`) may hold at once on this node; answers how to
   * let go of it. Letting go twice is letting go once. Throws an OverLimitError where all are taken.
   */
  hold: (slot: SlotName, who: string) => () => void
}

const openSlots = (): Admission['hold'] => {
  const held = new Map<string, number>()
  const holdOne = (slot: SlotName, who: string, most: number) => {
    const key = `${slot} ${who}`
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
  return (slot, who) => {
    const { most, ofSite }: Slot = SLOTS[slot]
    const letGo = holdOne(slot, who, most)
    const site = siteOf(who)
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

/** Opens a node's admission. `prefix` begins its keys in Redis, `key` hashes who is counted. */
export const openAdmission = (redis: RedisClient, { prefix, key }: { prefix: string; key: string }): Admission => {
  const secret = createSecretKey(key, 'utf8')
  let last: { who: string; key: string } | undefined
  /** A call is counted by several rates, one after the other. */
  const keyOf = (who: string) => {
    if (last?.who !== who) last = { who, key: createHmac('sha256', secret).update(who).digest('base64url') }
    return last.key
  }
  const openMeter = openMeters(redis, { prefix, keyOf })

  const metersOf = (name: LimitName, limit: Limit) => [
    ...DIMENSIONS.flatMap((dimension) => (limit[dimension] ?? []).map((rate) => openMeter(name, dimension, rate))),
    // last: an address that is over its own limit takes nothing from the others of its /48
    ...(limit.address ?? []).map((rate) =>
      openMeter(name, 'site', { ...rate, points: rate.points * NETWORKS_OF_SITE }),
    ),
  ]

  const meters = new Map(
    Object.entries(LIMITS).map(([name, limit]) => [name, metersOf(name as LimitName, limit)] as const),
  )

  const eachMeter = (name: LimitName, who: Who) =>
    (meters.get(name) ?? []).flatMap((meter) => {
      const value = meter.dimension === 'site' ? who.address && siteOf(who.address) : who[meter.dimension]
      return value === undefined ? [] : [{ meter, value }]
    })

  const admit = async (name: LimitName, who: Who) => {
    for (const { meter, value } of eachMeter(name, who)) {
      const waitMs = await meter.take(value)
      if (waitMs > 0) throw overLimit(name, waitMs)
    }
  }

  return {
    admit,
    hasRoom: async (name, who) => {
      try {
        await admit(name, who)
        return true
      } catch (error) {
        if (error instanceof OverLimitError) return false
        throw error
      }
    },
    giveBack: async (name, who) => {
      await Promise.all(eachMeter(name, who).map(({ meter, value }) => meter.giveBack(value)))
    },
    hold: openSlots(),
  }
}
