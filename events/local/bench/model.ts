import { NODE_COUNTS, onNodes } from './claims.ts'
import { type Cost, partsOf, sumOf } from './cost.ts'
import { OURS } from './reported.ts'
import { costOf, type Results, spreadOf } from './results.ts'

// The cost of a deployment and what gives way first, from constants that were measured on one machine. The model
// follows the design of this product: a message is one append, goes to the nodes with a tab of its chat, and is read
// again by each node's reader of the log.

/** The measured constants. */
export type Constants = {
  /** A message, without the cost of the log's readers: on one node, and on two or more. */
  messageOnOne: Cost
  message: Cost
  /** An idle second: of each node, and the constant use of Postgres and Redis. */
  idleOfNode: Cost
  idle: Cost
  /** An event that one node's reader reads. */
  read: Cost
  socketBytes: number
  nodeBytes: number
  /** How many events a second the one log takes. */
  appendsPerSecond: number
  /** How many messages a second the measured load had. */
  ratePerSecond: number
}

/** The steps of Redis for a measured message: it received it, and delivered it to two nodes. */
const REDIS_STEPS_OF_MESSAGE = 3
const KILOBYTE = 1_000

/** Reads the constants from the measurements; undefined if one is missing. */
export const constantsOf = (results: Results): Constants | undefined => {
  let isWhole = true
  const figure = (claim: string, name = OURS) => {
    const spread = spreadOf(results[claim]?.series ?? {}, name)
    if (!spread) isWhole = false
    return spread?.median ?? 0
  }
  const cost = (claim: string, name = OURS): Cost => {
    const measured = costOf(results[claim]?.costs ?? {}, name)
    if (!measured) isWhole = false
    return measured ?? { nodes: 0, postgres: 0, redis: 0 }
  }
  const read = { ...cost('model-read'), redis: 0 }
  const messageOn = (count: number) => {
    const measured = cost('nodes-cpu', onNodes(count))
    return partsOf((part) => Math.max(0, measured[part] - count * read[part]))
  }
  const idleOn = (count: number) => cost('model-idle', onNodes(count))
  const [one, two] = [idleOn(1), idleOn(2)]
  const idleOfNode = partsOf((part) => (part === 'nodes' ? two.nodes / 2 : Math.max(0, two[part] - one[part])))
  const constants = {
    messageOnOne: messageOn(1),
    message: messageOn(2),
    idleOfNode,
    idle: partsOf((part) => (part === 'nodes' ? 0 : Math.max(0, one[part] - idleOfNode[part]))),
    read,
    socketBytes: figure('idle-socket') * KILOBYTE,
    nodeBytes: figure('model-node-memory'),
    appendsPerSecond: figure('append-64'),
    ratePerSecond: figure('model-rate'),
  }
  return isWhole ? constants : undefined
}

/** A deployment, and its load. */
export type Deployment = { nodes: number; sockets: number; messagesPerSecond: number; consoleNodes: number }

/** Processor time in a second, in microseconds, of all nodes together, of Postgres and of Redis. */
export const processorTime = (
  { messageOnOne, message, idle, idleOfNode, read }: Constants,
  { nodes, messagesPerSecond, consoleNodes }: Deployment,
): Cost => {
  const own = nodes === 1 ? messageOnOne : message
  const redisOfMessage = own.redis * (1 + consoleNodes / REDIS_STEPS_OF_MESSAGE)
  return {
    nodes: idle.nodes + nodes * (idleOfNode.nodes + messagesPerSecond * read.nodes) + messagesPerSecond * own.nodes,
    postgres:
      idle.postgres +
      nodes * (idleOfNode.postgres + messagesPerSecond * read.postgres) +
      messagesPerSecond * own.postgres,
    redis: idle.redis + nodes * idleOfNode.redis + messagesPerSecond * redisOfMessage,
  }
}

/** One measured row compared with the model: processor time in a second of all processes together, in microseconds. */
export type Check = { nodes: number; measured: number; modelled: number; difference: number }

/** The comparison of the model with measurements. */
export type Comparison = {
  checks: Check[]
  /** The additional cost of a message, in microseconds, for each node beyond two that shares this machine's cores. */
  crowding: number
}

/** The maximum of nodes in the measured rows that the model is made from. */
const CROWDED = 4
const NODES_WITH_TABS = 2

/**
 * Compares the model with measurements on 1 to 8 nodes. It is made from one, two and four: eight are the proof. All of
 * them share two cores here, and find their caches colder the more they are: the measure of that is the excess of four
 * over the model of one and two. A deployment has none of it, since each node has its own core.
 */
export const compareModel = (results: Results, constants: Constants): Comparison => {
  const { ratePerSecond } = constants
  const measuredOn = (nodes: number) => {
    const sum = (claim: string) => costOf(results[claim]?.costs ?? {}, onNodes(nodes))?.sum ?? Number.NaN
    return sum('model-idle') + ratePerSecond * sum('nodes-cpu')
  }
  const apartOn = (nodes: number) =>
    sumOf(processorTime(constants, { nodes, sockets: 0, messagesPerSecond: ratePerSecond, consoleNodes: 0 }))
  const more = (measuredOn(CROWDED) - apartOn(CROWDED)) / ratePerSecond
  const crowding = Math.max(0, more / (CROWDED - NODES_WITH_TABS))
  const checks = NODE_COUNTS.map((nodes) => {
    const measured = measuredOn(nodes)
    const modelled = apartOn(nodes) + ratePerSecond * crowding * Math.max(0, nodes - NODES_WITH_TABS)
    return { nodes, measured, modelled, difference: modelled / measured - 1 }
  })
  return { checks, crowding }
}

const MICROSECONDS = 1_000_000
const GIBIBYTE = 1024 ** 3

/**
 * The capacity of a deployment. A part that is used beyond `SAFE` of it counts as broken: queues grow from there on.
 */
export const LIMITS = {
  /** A node is one process, on one core. */
  nodeCores: 1,
  nodeBytes: GIBIBYTE,
  /** The connections that compose.yaml gives Postgres, and its maximum for a node. */
  connections: 300,
  connectionsOfNode: 12,
  postgresCores: 8,
  /** Redis runs commands on one core. */
  redisCores: 1,
} as const
export const SAFE = 0.7

/** A chat of the model: two tabs, and a message a minute. */
const TABS_OF_CHAT = 2
const SECONDS_BETWEEN_MESSAGES = 60
/** Staff of the model: one console per this many sockets, each on its own node if there are enough nodes. */
const SOCKETS_OF_CONSOLE = 20_000

/** The used fraction of each part: 1 is all of it. */
export type Load = { part: string; used: number; add: string }

/** The load of a deployment on each part. */
export const loadsOf = (constants: Constants, deployment: Deployment): Load[] => {
  const { nodes, sockets, messagesPerSecond } = deployment
  const time = processorTime(constants, deployment)
  const bytes = constants.nodeBytes + (sockets / nodes) * constants.socketBytes
  return [
    { part: 'node CPU', used: time.nodes / nodes / MICROSECONDS / LIMITS.nodeCores, add: 'more nodes' },
    { part: 'node memory', used: bytes / LIMITS.nodeBytes, add: 'more nodes' },
    {
      part: 'Postgres connections',
      used: (nodes * LIMITS.connectionsOfNode) / LIMITS.connections,
      add: 'PgBouncer, in transaction mode',
    },
    {
      part: 'Postgres CPU',
      used: time.postgres / MICROSECONDS / LIMITS.postgresCores,
      add: 'read replicas, for the nodes’ readers of the log and for views',
    },
    {
      part: 'the log',
      used: messagesPerSecond / constants.appendsPerSecond,
      add: 'a log for each region, with a Postgres of its own',
    },
    {
      part: 'Redis',
      used: time.redis / MICROSECONDS / LIMITS.redisCores,
      add: 'Redis shards (a Cluster, sharded pub/sub)',
    },
  ]
}

/** Deployments from one node to a thousand, and from ten thousand sockets to a million. */
export const DEPLOYMENTS: readonly Deployment[] = [1, 10, 100, 1_000].flatMap((nodes) =>
  [10_000, 100_000, 1_000_000].map((sockets) => ({
    nodes,
    sockets,
    messagesPerSecond: sockets / TABS_OF_CHAT / SECONDS_BETWEEN_MESSAGES,
    consoleNodes: Math.min(nodes, Math.ceil(sockets / SOCKETS_OF_CONSOLE)),
  })),
)
