import { expect, test } from 'vitest'
import { openCases } from './case.ts'

const at = (dueOn: string, doneAt: string | null = null) => ({ dueOn, doneAt })

test('the requests that are due within some days are listed, the most urgent first, also those that are late', () => {
  const cases = [at('2026-02-11'), at('2026-02-10'), at('2026-01-30'), at('2026-02-01', '2026-01-31T08:00:00.000Z')]
  expect(openCases(cases, '2026-02-03', 7)).toEqual([at('2026-01-30'), at('2026-02-10')])
})
