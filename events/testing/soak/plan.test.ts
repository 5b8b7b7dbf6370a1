import { expect, test } from 'vitest'
import { FAULT_KINDS, planFaults } from './plan.ts'

const RUN = { seed: 7, lengthMs: 650_000, everyMs: 5_000 }

test('a seed gives the same faults each time, another seed different ones', () => {
  expect(planFaults(FAULT_KINDS, RUN)).toEqual(planFaults(FAULT_KINDS, RUN))
  expect(planFaults(FAULT_KINDS, { ...RUN, seed: 8 })).not.toEqual(planFaults(FAULT_KINDS, RUN))
})

test('each kind comes as often as the others, in order of time, spread over the whole run', () => {
  const faults = planFaults(FAULT_KINDS, RUN)
  expect(faults).toHaveLength(130)
  for (const kind of FAULT_KINDS) expect(faults.filter((fault) => fault.kind === kind)).toHaveLength(10)
  const moments = faults.map(({ atMs }) => atMs)
  expect(moments).toEqual(moments.toSorted((a, b) => a - b))
  const firstHalf = moments.filter((atMs) => atMs < RUN.lengthMs / 2).length
  expect(firstHalf).toBeGreaterThan(40)
  expect(firstHalf).toBeLessThan(90)
})
