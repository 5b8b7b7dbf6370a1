import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openFrameTurns } from './frame-turns.ts'

/** How many frames were handled in each turn of the loop, until all were. */
const countTurns = async (handled: unknown[], all: number) => {
  const counts = [handled.length]
  while (handled.length < all) {
    await nextTurn()
    counts.push(handled.length)
  }
  return counts.map((count, turn) => count - (counts[turn - 1] ?? 0)).filter((count) => count > 0)
}

test('a turn of the loop has room for 64 frames, and the next ones come in their order', async () => {
  const { run } = openFrameTurns()
  const handled: number[] = []
  for (let frame = 0; frame < 150; frame += 1) run(async () => handled.push(frame))
  expect(Math.max(...(await countTurns(handled, 150)))).toBeLessThanOrEqual(64)
  expect(handled).toEqual(Array.from({ length: 150 }, (_, frame) => frame))
})

test('frames that take long leave the rest to the next turns', async () => {
  const { run } = openFrameTurns()
  const handled: number[] = []
  for (let frame = 0; frame < 6; frame += 1) {
    run(async () => {
      const end = performance.now() + 3
      while (performance.now() < end);
      handled.push(frame)
    })
  }
  expect(Math.max(...(await countTurns(handled, 6)))).toBeLessThanOrEqual(2)
})

test('a frame is answered with its outcome, good or bad', async () => {
  const { run } = openFrameTurns()
  expect(await run(async () => 'done')).toBe('done')
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
