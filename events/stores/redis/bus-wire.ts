import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cluster } from 'ioredis'
import type { RedisClient } from './redis.ts'

/** A published message; `pattern` is the one that listeners of all such channels use. */
export type Published = { channel: string; message: string; pattern: string | undefined }

/** How messages go through Redis. Names are those of channels, or patterns with `*`. */
export type Wire = {
  /** Rejects if Redis does not acknowledge. */
  listen: (names: readonly string[]) => Promise<void>
  stopListening: (name: string) => Promise<void>
  /** Returns whether Redis accepted it. */
  send: (published: Published) => Promise<boolean>
}

/** Receives each message under the name of its subscription. */
type OnMessage = (name: string, message: string) => void

const isPattern = (name: string) => name.includes('*')

/** Publishes pairs of a channel and a message: one command is much less work for a node than one for each message. */
const PUBLISH_ALL = `for i = 1, #ARGV, 2 do redis.call('publish', ARGV[i], ARGV[i + 1]) end`

type Publishing = { publishAll: (...pairs: string[]) => Promise<unknown> }

/**
 * Ordinary pub/sub: Redis knows the listeners of each channel, and a Cluster passes each message on to all its servers.
 */
export const openWire = (out: RedisClient, into: RedisClient, onMessage: OnMessage): Wire => {
  out.defineCommand('publishAll', { numberOfKeys: 0, lua: PUBLISH_ALL })
  let outgoing: { pairs: string[]; sent: Promise<boolean> } | undefined

  /** Messages of one turn of the event loop go out in one command. */
  const sendTogether = () => {
    const pairs: string[] = []
    const send = async () => {
      await nextTurn()
      outgoing = undefined
      await (out as RedisClient & Publishing).publishAll(...pairs)
      return true
    }
    return { pairs, sent: send().catch(() => false) }
  }

  into.on('message', onMessage)
  into.on('pmessage', (pattern: string, _: string, message: string) => onMessage(pattern, message))
  return {
    listen: async (names) => {
      const { true: patterns = [], false: channels = [] } = Object.groupBy(names, (name) => String(isPattern(name)))
      if (channels.length > 0) await into.subscribe(...channels)
      if (patterns.length > 0) await into.psubscribe(...patterns)
    },
    stopListening: async (name) => {
      await (isPattern(name) ? into.punsubscribe(name) : into.unsubscribe(name))
    },
    send: ({ channel, message }) => {
      outgoing ??= sendTogether()
      outgoing.pairs.push(channel, message)
      return outgoing.sent
    },
  }
}

/** The number of channels, and so of shards, that messages for listeners of a pattern are spread over. */
const LANES = 16

/** Braces would put all channels on one shard. */
const shardedName = (name: string) => name.replace(/[{}]/g, '')

const laneName = (pattern: string, lane: number) => `${shardedName(pattern)}/${lane}`

const laneOf = (channel: string) => [...channel].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % LANES

/**
 * Pub/sub of the shards of a Cluster (Redis 7 and newer): each message goes to the one server that holds its channel,
 * so more servers carry more of them. Shards know no patterns: the publisher sends to listeners of a pattern on
 * separate channels. While a shard has no master, its messages are lost, and found in the log. `out` has to gather
 * commands by itself, `into` must not.
 */
export const openShardedWire = (out: Cluster, into: Cluster, onMessage: OnMessage): Wire => {
  const channelsOf = (name: string) =>
    isPattern(name) ? Array.from({ length: LANES }, (_, lane) => laneName(name, lane)) : [shardedName(name)]
  const names = new Map<string, string>()

  into.on('smessage', (channel: string, message: string) => onMessage(names.get(channel) ?? channel, message))
  return {
    listen: async (listened) => {
      const channels = listened.flatMap((name) => channelsOf(name).map((channel) => [channel, name] as const))
      for (const [channel, name] of channels) names.set(channel, name)
      await Promise.all(channels.map(([channel]) => into.ssubscribe(channel)))
    },
    stopListening: async (name) => {
      for (const channel of channelsOf(name)) names.delete(channel)
      await Promise.all(channelsOf(name).map((channel) => into.sunsubscribe(channel)))
    },
    send: async ({ channel, message, pattern }) => {
      const lanes = pattern === undefined ? [] : [laneName(pattern, laneOf(channel))]
      const sent = [shardedName(channel), ...lanes].map((name) => out.spublish(name, message))
      return await Promise.all(sent).then(
        () => true,
        () => false,
      )
    },
  }
}
