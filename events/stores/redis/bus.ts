import type { Cluster } from 'ioredis'
import { openShardedWire, openWire } from './bus-wire.ts'
import { connectRedis, hasShardedPubSub } from './redis.ts'

const COMMAND_TIMEOUT_MS = 2_000
/** How often the connection that listens is pinged: one that is open and silent would look the same. */
const PING_EVERY_MS = 5_000

type Listener = (message: string) => void

const NOT_SENT = Promise.resolve(false)

/**
 * Wake-ups between processes over Redis. Every message can be lost, so no code may depend on it: each listener has its
 * own slower way to the same news, from the log.
 */
export type Bus = {
  /** The prefix of this product's channels and keys in Redis. */
  readonly prefix: string
  /**
   * Sends to all current listeners; messages of one turn of the event loop go out in one write. `pattern` is one that
   * fits the channel and that others may listen to. Returns false if Redis could not be reached; never throws.
   */
  publish: (channel: string, message: string, pattern?: string) => Promise<boolean>
  /**
   * Listens on a channel, or on all channels that fit a pattern with `*`. Resolves once Redis has acknowledged, or to
   * false while Redis is away (it is subscribed on reconnecting).
   */
  subscribe: (channel: string, listener: Listener) => Promise<boolean>
  unsubscribe: (channel: string, listener: Listener) => void
  /**
   * Calls back each time the connection that listens has come (back) up and is subscribed again: messages may have been
   * missed.
   */
  onReconnect: (listener: () => void) => void
  /** Calls back when the connection that listens has gone. */
  onDisconnect: (listener: () => void) => void
  /** Whether messages arrive at present. */
  readonly isUp: boolean
  close: () => void
}

/** How the connection that listens is: `listen` subscribes it again each time it has come back. */
const followConnection = (
  into: ReturnType<typeof connectRedis>,
  {
    isSharded,
    listen,
    onError,
  }: { isSharded: boolean; listen: () => Promise<unknown>; onError: (error: Error) => void },
) => {
  const upListeners = new Set<() => void>()
  const downListeners = new Set<() => void>()
  let isUp = false

  into.on('error', onError)
  into.on('close', () => {
    if (!isUp) return
    isUp = false
    for (const listener of downListeners) listener()
  })
  into.on('ready', async () => {
    try {
      await listen()
      isUp = true
      for (const listener of upListeners) listener()
    } catch (error) {
      onError(error as Error)
      into.disconnect(true)
    }
  })
  // a shard that has moved may have lost messages during the move
  for (const event of isSharded ? ['+node', '-node', 'subscribersReady'] : []) {
    into.on(event, () => {
      if (isUp) for (const listener of upListeners) listener()
    })
  }

  const pings = setInterval(() => {
    if (isUp) into.ping().catch(() => into.disconnect(true))
  }, PING_EVERY_MS)

  return {
    get isUp() {
      return isUp
    },
    onUp: (listener: () => void) => void upListeners.add(listener),
    onDown: (listener: () => void) => void downListeners.add(listener),
    close: () => clearInterval(pings),
  }
}

/** Opens the bus. `prefix` separates the channels of products that share one Redis: its pub/sub knows no databases. */
export const openBus = (
  redisUrl: string,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): Bus => {
  const options = { maxRetriesPerRequest: 0, enableOfflineQueue: false, commandTimeout: COMMAND_TIMEOUT_MS }
  const isSharded = hasShardedPubSub(redisUrl)
  const out = connectRedis(redisUrl, options, { enableAutoPipelining: isSharded })
  const into = connectRedis(redisUrl, { ...options, autoResubscribe: false }, { shardedSubscribers: isSharded })
  const listeners = new Map<string, Set<Listener>>()
  const deliver = (name: string, message: string) => {
    for (const listener of listeners.get(name) ?? []) listener(message)
  }
  const wire = isSharded ? openShardedWire(out as Cluster, into as Cluster, deliver) : openWire(out, into, deliver)

  out.on('error', onError)
  const state = followConnection(into, { isSharded, listen: () => wire.listen([...listeners.keys()]), onError })

  return {
    prefix,
    publish: (channel, message, pattern) => {
      if (out.status !== 'ready') return NOT_SENT
      return wire.send({ channel: prefix + channel, message, pattern: pattern && prefix + pattern })
    },
    subscribe: async (channel, listener) => {
      const name = prefix + channel
      const known = listeners.get(name)
      listeners.set(name, (known ?? new Set()).add(listener))
      try {
        // repeated for a second listener too: the first one's acknowledgement may still be under way
        await wire.listen([name])
        return true
      } catch {
        return false
      }
    },
    unsubscribe: (channel, listener) => {
      const name = prefix + channel
      const known = listeners.get(name)
      known?.delete(listener)
      if (known?.size !== 0) return
      listeners.delete(name)
      wire.stopListening(name).catch(() => {})
    },
    onReconnect: state.onUp,
    onDisconnect: state.onDown,
    get isUp() {
      return state.isUp
    },
    close: () => {
      state.close()
      out.disconnect()
      into.disconnect()
    },
  }
}
