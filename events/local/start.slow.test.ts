import { expect, test } from 'vitest'
import { openTestStarts } from '../testing/start.ts'

test.runIf(process.platform === 'linux')('stops on SIGTERM too, with nothing left', async () => {
  const { start, running, untilNothingRuns } = await openTestStarts()
  const started = start()
  await started.untilRunning()
  started.child.kill('SIGTERM')
  expect(await started.exit).toEqual([0, null])
  expect(running()).toEqual([])
  await untilNothingRuns()
})
