import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { memoryOf } from '../../events/testing/process.ts'

const MEGABYTE = 1_000_000

/** Fills young memory with short-lived objects; timers continue to allocate, as those of a node do. */
const PROGRAM = `
  import ${JSON.stringify(fileURLToPath(new URL('heap.ts', import.meta.url)))}
  const kept = []
  for (let round = 0; round < 60; round += 1) {
    kept.push(Array.from({ length: 20_000 }, (_, index) => ({ text: 'message ' + index, at: index })))
    await new Promise(setImmediate)
  }
  kept.length = 10
  setInterval(() => Array.from({ length: 2_000 }, (_, index) => ({ index })), 100)
  process.send('filled')
  process.on('disconnect', () => process.exit())
`

test('a process that becomes idle returns memory', { timeout: 60_000 }, async () => {
  const child = spawn(
    process.execPath,
    ['--gc-memory-reducer-start-delay-ms=500', '--input-type=module', '--eval', PROGRAM],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  const filled = await memoryOf(child.pid ?? 0)
  await expect.poll(() => memoryOf(child.pid ?? 0), { timeout: 40_000 }).toBeLessThan(filled - 30 * MEGABYTE)
})
