import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLoopQueue } from './loop-queue.ts'

/** Counts the pieces of work in each turn of the loop, until all are done. Called before the first one. */
const countTurns = async (done: unknown[], all: number) => {
  const counts = [done.length]
  while (done.length < all) {
    await nextTurn()
    counts.push(done.length)
  }
  return counts.map((count, turn) => count - (counts[turn - 1] ?? 0)).filter((count) => count > 0)
}

test('a turn of the loop has room for 64 pieces of work, and the next ones come in their order', async () => {
  const { run } = openLoopQueue()
  const done: number[] = []
  const counts = countTurns(done, 150)
  for (let piece = 0; piece < 150; piece += 1) run(async () => done.push(piece))
  expect(Math.max(...(await counts))).toBeLessThanOrEqual(64)
  expect(done).toEqual(Array.from({ length: 150 }, (_, piece) => piece))
})

test.each([
  ['when it begins', 0],
  ['when it goes on', 10],
])('work that takes long %s leaves the rest to the next turns', async (_, steps) => {
  const { run } = openLoopQueue()
  const done: number[] = []
  const counts = countTurns(done, 6)
  for (let piece = 0; piece < 6; piece += 1) {
    run(async () => {
      for (let step = 0; step < steps; step += 1) await undefined
      const end = performance.now() + 3
      while (performance.now() < end);
      done.push(piece)
    })
  }
  expect(Math.max(...(await counts))).toBeLessThanOrEqual(2)
})

test('a caller gets the outcome of its work, good or bad', async () => {
  const { run } = openLoopQueue()
  expect(await run(async () => 'done')).toBe('done')
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
