import { expect, test, vi } from 'vitest'
import { openFairQueue } from './fair-queue.ts'

/** Waits in the queue; returns the order in which names get a place. */
const openCalls = () => {
  const line = openFairQueue({ places: 1, waitMs: 20_000 })
  const called: string[] = []
  const stand = async (address: string, name: string, onWait?: () => void) => {
    const isTurn = await line.wait(address, onWait)
    called.push(isTurn ? name : `${name} waited too long`)
  }
  return { line, called, stand }
}

/** Runs the continuations of settled promises. */
const settle = () => new Promise(process.nextTick)

test('addresses take turns, and callers of one address come in the order of their requests', async () => {
  const { line, called, stand } = openCalls()
  for (const name of ['a1', 'a2', 'a3', 'a4']) stand('a', name)
  stand('b', 'b1')
  stand('c', 'c1')
  stand('b', 'b2')
  expect(line.waiting).toBe(6)
  for (let left = 0; left < 7; left += 1) {
    await settle()
    line.leave()
  }
  await settle()
  expect(called).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  expect(line.waiting).toBe(0)
  expect(await line.wait('d')).toBe(true)
})

test('a waiting caller is notified, and after 20 s that it took too long; the place goes to the next', async () => {
  vi.useFakeTimers()
  try {
    const { line, called, stand } = openCalls()
    let told = 0
    stand('a', 'in')
    stand('b', 'late', () => {
      told += 1
    })
    await vi.advanceTimersByTimeAsync(19_000)
    stand('c', 'later')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(called).toEqual(['in', 'late waited too long'])
    expect(told).toBe(4)
    line.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(called).toEqual(['in', 'late waited too long', 'later'])
    expect([told, vi.getTimerCount()]).toEqual([4, 0])
  } finally {
    vi.useRealTimers()
  }
})
