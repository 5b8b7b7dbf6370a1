import { CLAIMS, type Claim, type Target } from './claims.ts'
import { compareModel, constantsOf, DEPLOYMENTS, LIMITS, loadsOf, SAFE } from './model.ts'
import { type Costs, OURS, type Series } from './reported.ts'
import { costOf, isReached, outcomeOf, type Results, spreadOf } from './results.ts'

const DIGITS = 3
const AGREES_WITHIN = 0.25

/** A figure to three digits, with commas in thousands. */
export const figureText = (value: number): string =>
  Number(value.toPrecision(DIGITS)).toLocaleString('en-GB', { maximumFractionDigits: DIGITS })

/** The median of a peer's rounds, with the least and the most of them. */
export const spreadText = (series: Series, name: string): string => {
  const spread = spreadOf(series, name)
  if (!spread) return 'not measured'
  const { median, least, most } = spread
  return least === most ? figureText(median) : `${figureText(median)} (${figureText(least)}–${figureText(most)})`
}

/** The text of a target, such as "at least 0.8". */
export const wantedText = ({ atLeast, atMost }: Target): string =>
  atLeast === undefined ? `at most ${figureText(atMost ?? 0)}` : `at least ${figureText(atLeast)}`

const against = ({ of, against }: Target) => {
  if (against === undefined) return ''
  return of === undefined ? ` of ${against}` : ` (${of} of ${against})`
}

/** The text of a target, with the peer that it names. */
export const targetText = (target: Target): string => `${wantedText(target)}${against(target)}`

const costText = (costs: Costs, name: string) => {
  const cost = costOf(costs, name)
  if (!cost) return []
  const { nodes, postgres, redis, sum } = cost
  return [`${name}: ${[nodes, postgres, redis].map(figureText).join(' + ')} = ${figureText(sum)}`]
}

const lines = (texts: string[]) => texts.join('<br>')
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(header), row(header.map(() => '---')), ...rows.map(row)].join('\n')

const claimRow = (claim: Claim, results: Results): string[] => {
  const { what, unit, targets, limitedBy } = claim
  const result = results[claim.id]
  const { series = {}, costs = {} } = result ?? {}
  const names = Object.keys(series)
  const isOfNodes = !names.includes(OURS)
  const ours = isOfNodes ? lines(names.map((name) => `${name}: ${spreadText(series, name)}`)) : spreadText(series, OURS)
  const peers = isOfNodes ? [] : names.filter((name) => name !== OURS)
  const compared = isOfNodes ? targets : peers.map((peer): Target => ({ against: peer }))
  const ratios = compared.flatMap((target) => {
    const outcome = outcomeOf(target, series)
    return outcome ? [`${figureText(outcome.value)}${against(target)}`] : []
  })
  const reached = isReached(claim, series)
  const verdict = result?.isQuick ? 'quick run' : reached === undefined ? 'not measured' : reached ? 'yes' : '**no**'
  return [
    `${what}, ${unit}`,
    names.length === 0 ? 'not measured' : ours,
    lines(peers.map((name) => `${name}: ${spreadText(series, name)}`)),
    lines(ratios),
    lines(names.flatMap((name) => costText(costs, name))),
    lines(targets.map(targetText)),
    verdict,
    limitedBy,
  ]
}

const percent = (share: number) => `${figureText(share * 100)} %`

const modelText = (results: Results): string => {
  const constants = constantsOf(results)
  if (!constants)
    return 'The model needs the rows `append`, `nodes` and `idle-sockets`. They have not all been measured yet.'
  const { message, idleOfNode, read } = constants
  const { checks, crowding } = compareModel(results, constants)
  const deployed = DEPLOYMENTS.map((deployment) => ({ deployment, loads: loadsOf(constants, deployment) }))
  const parts = deployed[0]?.loads.map(({ part }) => part) ?? []
  const disagreeing = checks.filter(({ difference }) => Math.abs(difference) > AGREES_WITHIN)
  const verdict =
    disagreeing.length === 0
      ? `All agree within ${percent(AGREES_WITHIN)}.`
      : `**${disagreeing.map(({ nodes }) => nodes).join(' and ')} nodes differ by more than ${percent(AGREES_WITHIN)}.**`
  const isQuick = Object.entries(results).some(([claim, result]) => claim.startsWith('model-') && result.isQuick)
  const warning = isQuick ? '**The constants are of a quick run, so that nothing here counts yet.** ' : ''
  return `${warning}The constants are measured on this machine. A message takes ${figureText(message.nodes)} µs of the nodes, ${figureText(message.postgres)} µs
of Postgres and ${figureText(message.redis)} µs of Redis. An idle node takes ${percent(idleOfNode.nodes / 1_000_000)} of a core. Each node reads
each event again, in batches, for what Redis may have lost: ${figureText(read.nodes)} µs of the node and ${figureText(read.postgres)} µs of Postgres.

All nodes share this machine's cores, and find their caches colder the more they are: each node beyond two makes a message
${figureText(crowding)} µs dearer here. The model is made of what one, two and four nodes took; eight are the proof. ${verdict}

${table(
  ['nodes', 'measured, ms of processor a second', 'model', 'difference'],
  checks.map(({ nodes, measured, modelled, difference }) => [
    String(nodes),
    figureText(measured / 1_000),
    figureText(modelled / 1_000),
    percent(difference),
  ]),
)}

Beyond that it is arithmetic. A chat is two tabs and a message a minute. There is a console for 20,000 sockets. A node has
${LIMITS.nodeCores} core, ${LIMITS.nodeBytes / 1024 ** 3} GiB and at most ${LIMITS.connectionsOfNode} connections, Postgres ${LIMITS.postgresCores} cores and ${LIMITS.connections} connections, Redis ${LIMITS.redisCores} core. A part that is used to more than ${percent(SAFE)} counts
as broken. Each node has a core of its own, so that the cold caches are not reckoned here.

${table(
  ['nodes', 'sockets', 'messages/s', ...parts, 'breaks first', 'add then'],
  deployed.map(({ deployment, loads }) => {
    const broken = loads.filter(({ used }) => used > SAFE).sort((one, other) => other.used - one.used)
    return [
      deployment.nodes.toLocaleString('en-GB'),
      deployment.sockets.toLocaleString('en-GB'),
      figureText(deployment.messagesPerSecond),
      ...loads.map(({ used }) => percent(used)),
      broken[0]?.part ?? 'nothing',
      lines([...new Set(broken.map(({ add }) => add))]),
    ]
  }),
)}

Not in the model: what a console's node does with the messages of all chats, the network between machines, and nginx.`
}

/** The report as text. */
export const markdownOf = (results: Results): string => {
  const taken = Object.values(results)
    .filter(({ isQuick }) => !isQuick)
    .map(({ takenAt }) => takenAt.slice(0, 10))
    .sort()
  const machines = [...new Set(Object.values(results).map(({ machine }) => machine))].join('; ')
  const when =
    taken.length === 0 ? 'No full figures have been taken yet.' : `Taken from ${taken[0]} to ${taken.at(-1)}.`
  return `# How fast it is, beside its peers

${when} One machine (${machines}). Everything runs on it: nodes, Postgres, Redis, peers and the load. Read the
ratios and the processor time, not the speed: they hold from machine to machine. Peers run by turns in one run (A B C, A B C, …).
Each round of requests and messages begins with 1.5 seconds of load that do not count: a node that has been idle keeps to little memory
for a second. A figure is the median of its rounds, with the least and the most of them behind it. A ratio is the median of the rounds' own
ratios. Processor time is that of a unit (an event, a message, a request), as the operating system counts it, without the load's.

\`npm run bench -- --report\` takes all of it again in less than 20 minutes; \`npm run bench -- --report append chat-p99\` only the
benchmarks of these files or rows, and keeps the other rows. \`--quick\` proves in seconds that they run: it measures less
of everything, and its figures do not count. \`--redraw\` writes
this file and the picture again. What was measured is in \`results.json\`.

![Each target as a bar: beyond the line it is reached](bench.svg)

${table(
  [
    'what',
    OURS,
    'peers and limits',
    'ratio',
    'µs of nodes + Postgres + Redis',
    'to reach',
    'reached',
    'what limits it now',
  ],
  CLAIMS.map((claim) => claimRow(claim, results)),
)}

The peers are used as their documentation has it: emmett and message-db with pools of 10 connections, Socket.IO with its
Redis adapter, and Fastify with the same validation as this product and a pool of 10. No worker runs beside
\`POST /api/leads\` and the chat, as the peers keep no views; what a worker takes of the chat's speed is a row of its own among the peers.
Appends run in the benchmark's own process, which counts as the node. A chat is two tabs of one visitor on two nodes; for memory
both are on one node. Memory is what a node's resident memory grows by, for each socket. The processor time of a message on 1 to 8 nodes is
less what they use while nobody writes. The last column is read from the code and from profiles; this run does not measure it.

## What breaks first

${modelText(results)}
`
}
