import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'
import { type Backoff, backoffMs } from '../../base/backoff.ts'

/** A client of one Redis server, of a Sentinel group, or of a Cluster. */
export type RedisClient = Redis | Cluster

const PAUSES: Backoff = { firstMs: 50, growth: 2, longestMs: 1_000, random: 0 }
const CONNECT_TIMEOUT_MS = 5_000

type Endpoint = { host: string; port: number }

type DnsFound = (error: NodeJS.ErrnoException | null, address: string) => void

const reconnectDelay = (times: number) => backoffMs(PAUSES, times)

const credentials = ({ username, password }: URL) => ({
  ...(username && { username: decodeURIComponent(username) }),
  ...(password && { password: decodeURIComponent(password) }),
})

/**
 * Parses REDIS_URL: `redis[s]://[user:password@]host:port[/db]` for one server,
 * `redis[s]+sentinel://[user:password@]host:port[,host:port …]/group[/db]` for Sentinel,
 * `redis[s]+cluster://[user:password@]host:port[,host:port …]` for Cluster, `redis[s]+sharded://…` for a Cluster whose
 * shards carry pub/sub; `rediss` uses TLS. Returns undefined for any other text.
 */
export const parseRedisUrl = (text: string) => {
  const parts = /^redis(s?)(?:\+(sentinel|cluster|sharded))?:\/\/(?:([^@/]*)@)?([^/]+)(\/.*)?$/.exec(text)
  if (!parts) return undefined
  const [, tls, kind = 'server', user = '', hosts = '', path = ''] = parts
  const addresses = hosts.split(',').map((host) => `redis://${user && `${user}@`}${host}`)
  if (!addresses.every((address) => URL.canParse(address))) return undefined
  const urls = addresses.map((address) => new URL(address))
  const [first] = urls
  if (!first || (urls.length > 1 && kind === 'server')) return undefined
  const fallbackPort = kind === 'sentinel' ? 26_379 : 6_379
  const endpoints: Endpoint[] = urls.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : fallbackPort,
  }))
  const [group, database] = kind === 'sentinel' ? path.slice(1).split('/') : ['', path.slice(1)]
  if (database && !/^\d{1,4}$/.test(database)) return undefined
  if (kind === 'sentinel' && !group) return undefined
  return {
    kind,
    isEncrypted: tls === 's',
    endpoints,
    credentials: credentials(first),
    group: group ?? '',
    db: Number(database || 0),
  }
}

const readRedisUrl = (redisUrl: string) => {
  const parsed = parseRedisUrl(redisUrl)
  if (!parsed) throw new Error('REDIS_URL cannot be used')
  return parsed
}

/** Whether messages between processes go through the shards of a Cluster. */
export const hasShardedPubSub = (redisUrl: string): boolean => readRedisUrl(redisUrl).kind === 'sharded'

/**
 * Makes a client end if it is disconnected between two tries to reach Redis: ioredis's own would wait forever, its
 * commands with it, and BullMQ, which closes its copies by such a disconnection. One more try ends it.
 */
const endable = (client: Redis): Redis => {
  const disconnect = client.disconnect.bind(client)
  client.disconnect = (reconnect = false) => {
    const isBetweenTries = client.status === 'reconnecting' && !reconnect
    disconnect(reconnect)
    if (!isBetweenTries) return
    client.once('connect', () => disconnect())
    client.connect().catch(() => {})
  }
  return client
}

/** The client itself keeps ioredis's own disconnection, which leaves no socket open. */
const withEndableCopies = (client: Redis): Redis => {
  const duplicate = client.duplicate.bind(client)
  client.duplicate = ((options?: RedisOptions) => endable(duplicate(options) as Redis)) as Redis['duplicate']
  return client
}

/**
 * Opens a client that reconnects by itself. `options` are ioredis's, for each connection; `ofCluster` are those of a client
 * that turns out to be one of a Cluster.
 */
export const connectRedis = (
  redisUrl: string,
  options: RedisOptions = {},
  ofCluster: Pick<ClusterOptions, 'enableAutoPipelining' | 'shardedSubscribers'> = {},
): RedisClient => {
  const parsed = readRedisUrl(redisUrl)
  const { kind, isEncrypted, endpoints, group, db } = parsed
  const common: RedisOptions = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: reconnectDelay,
    ...parsed.credentials,
    ...(isEncrypted && { tls: {} }),
    ...options,
  }
  const [first] = endpoints
  switch (kind) {
    case 'sharded':
    case 'cluster':
      return new Cluster(endpoints, {
        redisOptions: common,
        // a certificate names hosts, so they are not resolved to addresses before
        ...(isEncrypted && { dnsLookup: (address: string, found: DnsFound) => found(null, address) }),
        clusterRetryStrategy: options.retryStrategy ?? reconnectDelay,
        lazyConnect: options.lazyConnect ?? false,
        enableOfflineQueue: options.enableOfflineQueue ?? true,
        ...ofCluster,
      })
    case 'sentinel':
      return withEndableCopies(
        new Redis({
          ...common,
          sentinels: endpoints,
          name: group,
          db,
          ...(isEncrypted && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
        }),
      )
    default:
      return withEndableCopies(new Redis({ ...common, ...first, db }))
  }
}
