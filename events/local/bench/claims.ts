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
export const SHORT_STREAMS = 'streams of 1 event'
export const BARE_CHAT = 'bare ws, Redis, group commit'
export const SOCKET_IO = 'Socket.IO, nothing kept'
export const SOCKET_IO_INSERT = 'Socket.IO, one INSERT'
export const WITH_WORKER = 'this product, with a worker'
export const BARE_WS = 'bare ws'
export const FASTIFY = 'Fastify, one INSERT'
export const HONO_GROUP_COMMIT = 'Hono, group commit'
export const WAKE_UP = 'bare BullMQ wake-up'
export const NO_INDEX = 'without an index'

const APPEND = 'events/log/append.bench.ts'
const RELAY = 'api/chat/relay.bench.ts'
const NODES = 'api/chat/nodes.bench.ts'
const SUBMIT = 'api/leads/submit.bench.ts'
const SOCKETS = 'api/chat/idle-sockets.bench.ts'
const LATENCY = 'worker/lead-latency.bench.ts'
const SIGNED_COPY = 'worker/contracts/signed-copy.bench.ts'
const SEARCH = 'events/lead/store/leads-million.bench.ts'
const EXPORT = 'api/leads/export.bench.ts'
const PAGES = 'web/pages/pages.bench.ts'

/** How many nodes a message's cost is measured on. The model is made from the first two, and checked on all. */
export const NODE_COUNTS = [1, 2, 4, 8] as const

/** The name of a figure that was measured on this many nodes. */
export const onNodes = (count: number): string => (count === 1 ? '1 node' : `${count} nodes`)

/** All rows, in the order of the report. */
export const CLAIMS: readonly Claim[] = [
  {
    id: 'append-64',
    bench: APPEND,
    what: 'append, 64 callers',
    unit: 'events/s',
    targets: [
      { against: GROUP_COMMIT, atLeast: 0.75 },
      { against: EMMETT, atLeast: 6 },
    ],
    limitedBy:
      'Encryption, a data key and the hash chain take processor time that the bare group commit does not spend.',
  },
  {
    id: 'append-long',
    bench: APPEND,
    what: 'append to streams of 10,000 events, 8 callers',
    unit: 'µs an event',
    targets: [{ against: SHORT_STREAMS, atMost: 1.2 }],
    limitedBy: 'The version of a stream is the last entry of its index.',
  },
  {
    id: 'chat-speed',
    bench: RELAY,
    what: 'chat over two nodes, 200 conversations, as fast as it goes',
    unit: 'messages/s',
    targets: [
      { against: BARE_CHAT, atLeast: 0.5 },
      { against: SOCKET_IO_INSERT, atLeast: 1.25 },
    ],
    limitedBy: 'The nodes check, encrypt, append and acknowledge each message; processor time is what runs out.',
  },
  {
    id: 'chat-p99',
    bench: RELAY,
    what: 'chat over two nodes at 500 messages/s, p99',
    unit: 'ms',
    targets: [{ against: BARE_CHAT, atMost: 1.5 }],
    limitedBy: 'A message waits for the batch before its own and for the disk before it is shown.',
  },
  {
    id: 'nodes-cpu',
    bench: NODES,
    what: 'processor time a message',
    unit: 'µs',
    targets: [{ of: onNodes(8), against: onNodes(2), atMost: 1.3 }],
    limitedBy: 'All processes share the cores of one machine and find their caches cold.',
  },
  {
    id: 'submit',
    bench: SUBMIT,
    what: 'POST /api/leads, 64 connections',
    unit: 'requests/s',
    targets: [{ against: FASTIFY, atLeast: 1.15 }],
    limitedBy: 'One node is one processor core: limits, validation, encryption and headers share it.',
  },
  {
    id: 'submit-p99',
    bench: SUBMIT,
    what: 'POST /api/leads, 64 connections, p99',
    unit: 'ms',
    targets: [{ against: FASTIFY, atMost: 1.2 }],
    limitedBy: 'At full speed a request waits for its turn on the node’s core.',
  },
  {
    id: 'idle-socket',
    bench: SOCKETS,
    what: 'memory of an idle socket, 5,000 on one node',
    unit: 'kB',
    targets: [{ atMost: 16 }],
    limitedBy: 'A socket keeps 9 kB of heap: its chat, its room, its limits and its session.',
  },
  {
    id: 'view-100',
    bench: LATENCY,
    what: 'from the 201 to the view at 100 leads/s, p99',
    unit: 'ms',
    targets: [{ atMost: 20 }],
    limitedBy: 'After the wake-up the worker reads the log and commits the view: two round trips with a flush.',
  },
  {
    id: 'signed-copy',
    bench: SIGNED_COPY,
    what: 'from the 201 of a contract to its PDF at the client',
    unit: 'ms',
    targets: [{ atMost: 2_000 }],
    limitedBy: 'The worker sets the PDF in its fonts; the download looks for it every 200 ms.',
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
    id: 'search-count',
    bench: SEARCH,
    what: 'count of a search in 1,000,000 leads of all dates, p95',
    unit: 'ms',
    targets: [{ atMost: 50 }],
    limitedBy: 'Each lead that is found is counted.',
  },
  {
    id: 'export',
    bench: EXPORT,
    what: 'export of 100,000 leads as a workbook',
    unit: 's',
    targets: [{ atMost: 5 }],
    limitedBy: 'The node writes and compresses the workbook’s rows in pieces, between its other work.',
  },
  {
    id: 'export-memory',
    bench: EXPORT,
    what: 'memory of the node during an export of 100,000 leads',
    unit: 'MiB',
    targets: [{ atMost: 50 }],
    limitedBy: 'Rows are read, written and sent in pieces, as fast as the reader takes them.',
  },
  {
    id: 'home-lcp',
    bench: PAGES,
    what: 'home page, LCP on slow 4G',
    unit: 'ms',
    targets: [{ atMost: 750 }],
    limitedBy: 'Connection and first answer on slow 4G take most of it.',
  },
]

/** The benchmarks of the report, in its order. */
export const REPORT_BENCHES: readonly string[] = [...new Set(CLAIMS.map(({ bench }) => bench))]

/** The subject of a target's figure. */
export const subjectOf = ({ of = OURS }: Target): string => of
