import { expect, test } from 'vitest'
import { CLAIMS, GROUP_COMMIT, NODE_COUNTS, onNodes, REPORT_BENCHES } from './claims.ts'
import type { Cost } from './cost.ts'
import { markdownOf } from './markdown.ts'
import { compareModel, constantsOf, DEPLOYMENTS, loadsOf } from './model.ts'
import { pictureOf } from './picture.ts'
import { type Costs, OURS, type Series } from './reported.ts'
import { costOf, isReached, outcomeOf, type Result, type Results, ratioOf, spreadOf, withResult } from './results.ts'
import { interleaved } from './rounds.ts'

const resultOf = (series: Series, isQuick = false, costs: Costs = {}): Result => ({
  takenAt: '2026-11-01T10:00:00.000Z',
  isQuick,
  machine: '2 cores',
  series: Object.fromEntries(Object.entries(series).map(([name, rounds]) => [name, [...rounds]])),
  costs,
})

/** The measurements of a machine on which all is as the model has it: a message 100 µs, an idle node 1 % of a core. */
const modelResults = ({ dearOnEight = 0, crowding = 0 } = {}): Results => {
  const onAll = (cost: (count: number) => Cost) =>
    resultOf({}, false, Object.fromEntries(NODE_COUNTS.map((count) => [onNodes(count), [cost(count)]])))
  const ours = (figure: number) => resultOf({ [OURS]: [figure] })
  return {
    'nodes-cpu': onAll((count) => ({
      nodes: (count === 1 ? 80 : 100) + count + (count === 8 ? dearOnEight : 0) + crowding * Math.max(0, count - 2),
      postgres: 50 + count,
      redis: 20,
    })),
    'model-idle': onAll((count) => ({
      nodes: count * 10_000,
      postgres: 5_000 + count * 100,
      redis: 1_000 + count * 100,
    })),
    'model-read': resultOf({}, false, { [OURS]: [{ nodes: 1, postgres: 1, redis: 0 }] }),
    'model-rate': ours(200),
    'model-node-memory': ours(100_000_000),
    'idle-socket': ours(20),
    'append-64': resultOf({ [OURS]: [10_000], [GROUP_COMMIT]: [12_000] }),
  }
}

test('a ratio is taken within each round, so that a slow moment of the machine does not count', () => {
  const series = { [OURS]: [100, 10, 100], peer: [50, 5, 50] }
  expect(ratioOf(series, OURS, 'peer')).toBe(2)
  expect(ratioOf(series, OURS, 'nobody')).toBeUndefined()
})

test('the median of an even number of rounds is halfway between the middle two', () => {
  expect(spreadOf({ [OURS]: [4, 1, 3, 10] }, OURS)).toEqual({ median: 3.5, least: 1, most: 10 })
  expect(spreadOf({ [OURS]: [5, 1, 3] }, OURS)?.median).toBe(3)
})

test('the cost of a unit is the median of each part, and of the sums of the rounds', () => {
  const costs = [
    { nodes: 1, postgres: 9, redis: 1 },
    { nodes: 2, postgres: 2, redis: 2 },
    { nodes: 9, postgres: 1, redis: 3 },
  ]
  expect(costOf({ [OURS]: costs }, OURS)).toEqual({ nodes: 2, postgres: 2, redis: 2, sum: 11 })
  expect(costOf({}, OURS)).toBeUndefined()
  const results = { submit: resultOf({ [OURS]: [1_000] }, false, { [OURS]: costs }) }
  expect(markdownOf(results)).toContain('this product: 2 + 2 + 2 = 11')
})

test('a target is reached from its bound on', () => {
  const series = { [OURS]: [80], peer: [100] }
  expect(outcomeOf({ against: 'peer', atLeast: 0.8 }, series)).toEqual({ value: 0.8, isReached: true })
  expect(outcomeOf({ against: 'peer', atMost: 0.7 }, series)?.isReached).toBe(false)
  expect(outcomeOf({ atMost: 80 }, series)).toEqual({ value: 80, isReached: true })
  expect(outcomeOf({ against: 'nobody', atLeast: 1 }, series)).toBeUndefined()
})

test('a claim with a peer that was not measured is neither reached nor missed', () => {
  const claim = CLAIMS.find(({ id }) => id === 'append-64')
  expect(claim && isReached(claim, { [OURS]: [10_000], [GROUP_COMMIT]: [12_000] })).toBeUndefined()
})

test('a quick run does not replace figures that count', () => {
  const full = resultOf({ [OURS]: [1] })
  const quick = resultOf({ [OURS]: [2] }, true)
  expect(withResult({ a: full }, 'a', quick).a).toBe(full)
  expect(withResult({ a: quick }, 'a', full).a).toBe(full)
  expect(withResult({}, 'a', quick).a).toBe(quick)
})

test('peers take turns in each round, and the first round does not count', async () => {
  const order: string[] = []
  const rounds = await interleaved(['a', 'b'], 2, async (peer) => order.push(peer))
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  expect(rounds).toEqual([
    [3, 5],
    [4, 6],
  ])
})

test('the report names every row, and the missing measurements', () => {
  const text = markdownOf({})
  for (const { what } of CLAIMS) expect(text).toContain(what)
  expect(text.match(/not measured \|/g)?.length).toBeGreaterThanOrEqual(CLAIMS.length)
  expect(REPORT_BENCHES.length).toBeGreaterThan(5)
})

test('the picture has a bar for each target that was measured, in its colour', () => {
  const results = { 'append-64': resultOf({ [OURS]: [5_000], [GROUP_COMMIT]: [10_000] }) }
  const picture = pictureOf(results)
  expect(picture.match(/rx="2"/g)).toHaveLength(1)
  expect(picture).toContain('#c4520d')
  expect(picture).toContain('at least 0.75')
})

test('the model agrees with measured rows that follow it, and reports one that does not', () => {
  const results = modelResults()
  const constants = constantsOf(results)
  if (!constants) throw new Error('The constants are not whole')
  for (const { difference } of compareModel(results, constants).checks) expect(Math.abs(difference)).toBeLessThan(0.01)
  expect(markdownOf(results)).toContain('All agree within 25 %')
  expect(markdownOf(results)).not.toContain('of a quick run')
  expect(markdownOf({ ...results, 'model-rate': resultOf({ [OURS]: [200] }, true) })).toContain('of a quick run')
  expect(markdownOf(modelResults({ dearOnEight: 2_000 }))).toContain('**8 nodes differ by more than 25 %.**')
})

test('the cost of shared cores is measured on four nodes, proven by eight, and part of no deployment', () => {
  const [crowded, apart] = [modelResults({ crowding: 30 }), modelResults()]
  const [constants, free] = [constantsOf(crowded), constantsOf(apart)]
  if (!constants || !free) throw new Error('The constants are not whole')
  const { checks, crowding } = compareModel(crowded, constants)
  expect(crowding).toBeCloseTo(30)
  for (const { difference } of checks) expect(Math.abs(difference)).toBeLessThan(0.01)
  for (const deployment of DEPLOYMENTS) expect(loadsOf(constants, deployment)).toEqual(loadsOf(free, deployment))
})

test('a thousand nodes have too many connections, and a million sockets too many for one node', () => {
  const constants = constantsOf(modelResults())
  if (!constants) throw new Error('The constants are not whole')
  const usedOf = (nodes: number, part: string) => {
    const deployment = DEPLOYMENTS.find((each) => each.nodes === nodes && each.sockets === 1_000_000)
    return deployment && loadsOf(constants, deployment).find((load) => load.part === part)?.used
  }
  expect(usedOf(1_000, 'Postgres connections')).toBe(40)
  expect(usedOf(1, 'node memory')).toBeGreaterThan(10)
  expect(usedOf(1_000, 'node memory')).toBeLessThan(0.2)
})
