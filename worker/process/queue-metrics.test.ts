import { expect, test } from 'vitest'
import { joinExports } from './queue-metrics.ts'

const exportOf = (queue: string) =>
  `# HELP jobs Number of jobs
# TYPE jobs gauge
jobs{queue="${queue}", state="active"} 1
jobs{queue="${queue}", state="failed"} 2
# HELP done_total Jobs done
# TYPE done_total counter
done_total{queue="${queue}"} 3`

test('the lines of a metric are together, under one HELP and one TYPE', () => {
  expect(
    joinExports([exportOf('a'), exportOf('b')])
      .trim()
      .split(/\n+/),
  ).toEqual([
    '# HELP jobs Number of jobs',
    '# TYPE jobs gauge',
    'jobs{queue="a", state="active"} 1',
    'jobs{queue="a", state="failed"} 2',
    'jobs{queue="b", state="active"} 1',
    'jobs{queue="b", state="failed"} 2',
    '# HELP done_total Jobs done',
    '# TYPE done_total counter',
    'done_total{queue="a"} 3',
    'done_total{queue="b"} 3',
  ])
  expect(joinExports([])).toBe('')
})
