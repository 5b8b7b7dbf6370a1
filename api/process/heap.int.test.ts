import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { memoryOf } from '../../events/testing/process.ts'

const MEGABYTE = 1_000_000

const HEAP = JSON.stringify(fileURLToPath(new URL('heap.ts', import.meta.url)))

const start = async (program: string, ...flags: string[]) => {
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [message] = await once(child, 'message')
  return { pid: child.pid ?? 0, message }
}

/** Fills young memory with short-lived objects; timers continue to allocate, as those of a node do. Ten looks a second. */
const FILLING = `
  const every = setInterval
  globalThis.setInterval = (work, ms) => every(work, ms / 10)
  await import(${HEAP})
  globalThis.setInterval = every
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

/** Replaces live objects, under full load for longer than a look; then counts the collections of some such work. */
const LOADED = `
  import ${HEAP}
  import { PerformanceObserver } from 'node:perf_hooks'
  const live = Array.from({ length: 600_000 }, (_, index) => ({ text: 'message ' + index, at: index }))
  const work = async (rounds) => {
    for (let round = 0; round < rounds; round += 1) {
      for (let index = 0; index < 5_000; index += 1) {
        live[(round * 5_000 + index) % live.length] = { text: 'news ' + index, at: round }
      }
      await new Promise(setImmediate)
    }
  }
  const begun = performance.now()
  while (performance.now() - begun < 1_500) await work(10)
  let collections = 0
  const count = (entries) => {
    collections += entries.filter(({ detail }) => detail.kind === 4).length
  }
  const observer = new PerformanceObserver((list) => count(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  await work(1_500)
  count(observer.takeRecords())
  process.send(collections)
  process.on('disconnect', () => process.exit())
`

test('a process that becomes idle returns memory', { timeout: 60_000 }, async () => {
  const { pid } = await start(FILLING, '--gc-memory-reducer-start-delay-ms=500')
  const filled = await memoryOf(pid)
  await expect.poll(() => memoryOf(pid), { timeout: 40_000 }).toBeLessThan(filled - 30 * MEGABYTE)
})

test('a process under load collects its old objects as rarely as V8 decides', async () => {
  const { message: collections } = await start(LOADED)
  expect(collections).toBeLessThan(4)
})
