import { OURS } from './reported.ts'

/** Something to reach: a ratio to a peer of the same run, or, without a peer, the figure itself. */
export type Target = {
  /** The subject of the figure; this product by default. */
  of?: string
  against?: string
  atLeast?: number
  atMost?: number
}

/** A row of the report. */
export type Claim = {
  id: string
  /** The benchmark that measures it, as the bench command finds it. */
  bench: string
  what: string
  unit: string
  targets: readonly Target[]
  /** One sentence on its present limit. */
  limitedBy: string
}

/** The peers' names, as the benchmarks report them. */
export const GROUP_COMMIT = 'bare group commit'
export const INSERT = 'one INSERT'
export const EMMETT = 'emmett'
export const MESSAGE_DB = 'message-db'
export const UNDER_LOCK = 'flush under the lock'
export const BARE_CHAT = 'bare ws, Redis, group commit'
export const SOCKET_IO = 'Socket.IO, nothing kept'
export const SOCKET_IO_INSERT = 'Socket.IO, one INSERT'
export const WITH_WORKER = 'this product, with a worker'
export const BARE_WS = 'bare ws'
export const FASTIFY = 'Fastify, one INSERT'
export const EXPRESS = 'Express, one INSERT'
export const HONO = 'Hono, one INSERT'
export const HONO_GROUP_COMMIT = 'Hono, group commit'
export const ONE_COMMIT = 'one commit an event'
export const BATCHES = 'batches of 5,000'
export const WAKE_UP = 'bare BullMQ wake-up'
export const NO_INDEX = 'without an index'

const APPEND = 'events/log/append.bench.ts'
const WRITERS = 'events/log/writers.bench.ts'
const RELAY = 'api/chat/relay.bench.ts'
const NODES = 'api/chat/nodes.bench.ts'
const SUBMIT = 'api/leads/submit.bench.ts'
const SOCKETS = 'api/chat/idle-sockets.bench.ts'
const REBUILD = 'events/lead/store/view.bench.ts'
const LATENCY = 'worker/lead-latency.bench.ts'
const SEARCH = 'events/lead/store/leads-million.bench.ts'
const PAGES = 'web/pages/pages.bench.ts'

/** How many nodes a message's cost is measured on. The model is made from the first two, and checked on all. */
export const NODE_COUNTS = [1, 2, 4, 8] as const

/** The name of a figure that was measured on this many nodes. */
export const onNodes = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`)

/** The cost of a message may grow by a tenth from two nodes on. */
const SAME_ON_NODES: readonly Target[] = [
  { of: onNodes(4), against: onNodes(2), atMost: 1.1 },
  { of: onNodes(8), against: onNodes(2), atMost: 1.1 },
]

const CHAT_PEERS_AT_SPEED: readonly Target[] = [
  { against: BARE_CHAT, atLeast: 0.8 },
  { against: SOCKET_IO_INSERT, atLeast: 2 },
]

/** All rows, in the order of the report. */
export const CLAIMS: readonly Claim[] = [
  {
    id: 'append-64',
    bench: APPEND,
    what: 'append, 64 callers',
    unit: 'events/s',
    targets: [
      { against: GROUP_COMMIT, atLeast: 0.8 },
      { against: EMMETT, atLeast: 6 },
      { against: MESSAGE_DB, atLeast: 6 },
    ],
    limitedBy:
      'Encryption, a data key and the hash chain take processor time that the bare group commit does not spend.',
  },
  {
    id: 'append-16',
    bench: APPEND,
    what: 'append, 16 callers',
    unit: 'events/s',
    targets: [{ against: GROUP_COMMIT, atLeast: 0.8 }],
    limitedBy: 'Batches are small, so that the fixed cost of a call of `append_events` counts more.',
  },
  {
    id: 'append-1',
    bench: APPEND,
    what: 'append, 1 caller, p50',
    unit: 'ms',
    targets: [{ against: INSERT, atMost: 1.4 }],
    limitedBy: 'One call does more than one INSERT: lock, look-ups, data key, hash and event.',
  },
  {
    id: 'writers',
    bench: WRITERS,
    what: 'append from 16 processes, 2 ms a flush',
    unit: 'events/s',
    targets: [{ against: UNDER_LOCK, atLeast: 6 }],
    limitedBy: 'All writers take turns at one lock, and each waits for a flush of its own outside it.',
  },
  {
    id: 'chat-speed',
    bench: RELAY,
    what: 'chat over two nodes, 200 conversations, as fast as it goes',
    unit: 'messages/s',
    targets: CHAT_PEERS_AT_SPEED,
    limitedBy: 'The nodes check, encrypt, append and acknowledge each message; processor time is what runs out.',
  },
  {
    id: 'chat-p99',
    bench: RELAY,
    what: 'chat over two nodes at 500 messages/s, p99',
    unit: 'ms',
    targets: [{ against: BARE_CHAT, atMost: 1.5 }],
    limitedBy: 'A message waits for the batch before its own, and then for the flush, before it is told.',
  },
  {
    id: 'nodes-statements',
    bench: NODES,
    what: 'Postgres statements a message',
    unit: 'statements',
    targets: SAME_ON_NODES,
    limitedBy: 'Each node appends its own batches, so that batches get smaller where a load is spread over more nodes.',
  },
  {
    id: 'nodes-deliveries',
    bench: NODES,
    what: 'Redis deliveries a message',
    unit: 'deliveries',
    targets: SAME_ON_NODES,
    limitedBy: 'A message goes to the nodes with a tab of its chat, and to no other.',
  },
  {
    id: 'nodes-cpu',
    bench: NODES,
    what: 'processor time a message',
    unit: 'µs',
    targets: SAME_ON_NODES,
    limitedBy:
      'All processes share two cores and find their caches cold: Redis, whose work a message stays the same, takes more with each node too.',
  },
  {
    id: 'submit',
    bench: SUBMIT,
    what: 'POST /api/leads, 64 connections',
    unit: 'requests/s',
    targets: [{ against: FASTIFY, atLeast: 1.5 }],
    limitedBy: 'One node is one processor core: limits, validation, encryption and headers share it.',
  },
  {
    id: 'submit-p99',
    bench: SUBMIT,
    what: 'POST /api/leads, 64 connections, p99',
    unit: 'ms',
    targets: [{ against: FASTIFY, atMost: 0.7 }],
    limitedBy: 'At full speed a request waits for its turn on the node’s core.',
  },
  {
    id: 'idle-socket',
    bench: SOCKETS,
    what: 'memory of an idle socket, 5,000 on one node',
    unit: 'kB',
    targets: [{ against: SOCKET_IO, atMost: 0.5 }],
    limitedBy: 'A socket keeps 9 kB of heap: its chat, its room, its limits and its session.',
  },
  {
    id: 'rebuild',
    bench: REBUILD,
    what: 'rebuild of the leads view',
    unit: 'events/s',
    targets: [
      { against: ONE_COMMIT, atLeast: 15 },
      { against: BATCHES, atLeast: 0.8 },
    ],
    limitedBy: 'Postgres writes rows and the trigram index on one core.',
  },
  {
    id: 'view-100',
    bench: LATENCY,
    what: 'from the 201 to the view at 100 leads/s, p99',
    unit: 'ms',
    targets: [{ against: WAKE_UP, atMost: 2 }],
    limitedBy: 'After the wake-up the worker reads the log and commits the view: two round trips with a flush.',
  },
  {
    id: 'view-1000',
    bench: LATENCY,
    what: 'from the 201 to the view at 1,000 leads/s, p99',
    unit: 'ms',
    targets: [{ against: WAKE_UP, atMost: 2 }],
    limitedBy: 'Node, worker, Postgres and the load itself share the cores of this machine.',
  },
  {
    id: 'search',
    bench: SEARCH,
    what: 'search of three letters and more in 1,000,000 leads, p95',
    unit: 'ms',
    targets: [{ atMost: 50 }],
    limitedBy:
      'A word that only the oldest leads have is found by its trigrams, after the newest 10,000 leads were read.',
  },
  {
    id: 'day',
    bench: SEARCH,
    what: 'list of a day in 1,000,000 leads, p95',
    unit: 'ms',
    targets: [{ atMost: 30 }],
    limitedBy: 'One index range and 50 look-ups.',
  },
  {
    id: 'two-letters',
    bench: SEARCH,
    what: 'search of one or two letters in 1,000,000 leads, p95',
    unit: 'ms',
    targets: [{ atMost: 50 }],
    limitedBy: 'Two letters are found by the trigrams that begin with them, after the newest 10,000 leads were read.',
  },
  {
    id: 'home-lcp',
    bench: PAGES,
    what: 'home page, LCP on slow 4G',
    unit: 'ms',
    targets: [{ atMost: 700 }],
    limitedBy: 'Connection and first answer on slow 4G take most of it.',
  },
  {
    id: 'home-script',
    bench: PAGES,
    what: 'home page, script before the first touch',
    unit: 'kB',
    targets: [{ atMost: 2 }],
    limitedBy: 'The boot script that wakes forms, menu and chat.',
  },
]

/** The benchmarks of the report, in its order. */
export const REPORT_BENCHES: readonly string[] = [...new Set(CLAIMS.map(({ bench }) => bench))]

/** The subject of a target's figure. */
export const subjectOf = ({ of = OURS }: Target): string => of
