import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectRedis } from './redis.ts'

const COMMAND_TIMEOUT_MS = 2_000
/** How often the connection that listens is asked whether it lives: one that is open and silent would look the same. */
const PING_EVERY_MS = 5_000

type Listener = (message: string) => void

/**
 * Wake-ups between processes over Redis. Whatever it carries can be lost, so nobody may depend on it: each listener has
 * a slower way of its own to the same news, from the log.
 */
export type Bus = {
  /** What the names of this product's channels and keys in Redis begin with. */
  readonly prefix: string
  /**
   * Sends to all who listen now; what is published in one turn of the event loop goes out in one write. Answers false
   * where Redis could not be reached; never throws.
   */
  publish: (channel: string, message: string) => Promise<boolean>
  /**
   * Listens on a channel, or on all channels that fit a pattern with `*`; resolves once Redis has acknowledged, or to
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
  /** Whether messages arrive now. */
  readonly isUp: boolean
  close: () => void
}

const isPattern = (name: string) => name.includes('*')

/** Opens the bus. `prefix` keeps the channels of products that share one Redis apart: its pub/sub knows no databases. */
export const openBus = (
  redisUrl: string,
  { prefix, onError }: { prefix: string; onError: (error: Error) => void },
): Bus => {
  const out = connectRedis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
  })
  const into = connectRedis(redisUrl, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResubscribe: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
  })
  const listeners = new Map<string, Set<Listener>>()
  const reconnectListeners = new Set<() => void>()
  const disconnectListeners = new Set<() => void>()
  let isUp = false

  const listenTo = async (names: string[]) => {
    const { true: patterns = [], false: channels = [] } = Object.groupBy(names, (name) => String(isPattern(name)))
    if (channels.length > 0) await into.subscribe(...channels)
    if (patterns.length > 0) await into.psubscribe(...patterns)
  }

  let outgoing: { commands: ['publish', string, string][]; sent: Promise<boolean[]> } | undefined

  const sendTogether = () => {
    const commands: ['publish', string, string][] = []
    const send = async () => {
      await nextTurn()
      outgoing = undefined
      const results = await out.pipeline(commands).exec()
      return commands.map((_, place) => results?.[place]?.[0] === null)
    }
    return { commands, sent: send().catch(() => []) }
  }

  out.on('error', onError)
  into.on('error', onError)
  into.on('close', () => {
    if (!isUp) return
    isUp = false
    for (const listener of disconnectListeners) listener()
  })
  into.on('ready', async () => {
    try {
      await listenTo([...listeners.keys()])
      isUp = true
      for (const listener of reconnectListeners) listener()
    } catch (error) {
      onError(error as Error)
      into.disconnect(true)
    }
  })
  const hear = (name: string, message: string) => {
    for (const listener of listeners.get(name) ?? []) listener(message)
  }
  into.on('message', hear)
  into.on('pmessage', (pattern: string, _: string, message: string) => hear(pattern, message))

  const pings = setInterval(() => {
    if (isUp) into.ping().catch(() => into.disconnect(true))
  }, PING_EVERY_MS)

  return {
    prefix,
    publish: async (channel, message) => {
      if (out.status !== 'ready') return false
      outgoing ??= sendTogether()
      const place = outgoing.commands.push(['publish', prefix + channel, message]) - 1
      return (await outgoing.sent)[place] ?? false
    },
    subscribe: async (channel, listener) => {
      const name = prefix + channel
      const known = listeners.get(name)
      listeners.set(name, (known ?? new Set()).add(listener))
      try {
        // repeated for a second listener too: the first one's acknowledgement may still be under way
        await listenTo([name])
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
      const ended = isPattern(name) ? into.punsubscribe(name) : into.unsubscribe(name)
      ended.catch(() => {})
    },
    onReconnect: (listener) => reconnectListeners.add(listener),
    onDisconnect: (listener) => disconnectListeners.add(listener),
    get isUp() {
      return isUp
    },
    close: () => {
      clearInterval(pings)
      out.disconnect()
      into.disconnect()
    },
  }
}
