import { expect, test } from 'vitest'
import { sendAway } from './send-away.ts'

/** Sends `count` clients away with its own clock, each at a cost of `costMs`. */
const leave = async (count: number, { costMs = 0, perSecond = 2_000 } = {}) => {
  const sent: { at: number; afterMs: number }[] = []
  let time = 0
  const clock = {
    now: () => time,
    wait: async (ms: number) => {
      time += ms
    },
  }
  const send = (_: unknown, afterMs: number) => {
    time += costMs
    sent.push({ at: time, afterMs })
  }
  await sendAway(Array.from({ length: count }), send, perSecond, clock)
  return { sent, tookMs: time }
}

/** The number of clients due to reconnect in the busiest second. */
const busiest = (sent: { at: number; afterMs: number }[]) => {
  const seconds = Map.groupBy(sent, ({ at, afterMs }) => Math.floor((at + afterMs) / 1_000))
  return Math.max(...[...seconds.values()].map((group) => group.length))
}

test('20,000 leave within 4 s, spread out, and come back at no more than some 2,000 a second', async () => {
  const { sent, tookMs } = await leave(20_000)
  expect(sent).toHaveLength(20_000)
  expect(tookMs).toBeLessThanOrEqual(4_000)
  expect(sent.filter(({ at }) => at < 1_000).length).toBeLessThan(6_000)
  expect(busiest(sent)).toBeLessThan(2_300)
})

test('if each takes long, all are still notified in time', async () => {
  const { sent, tookMs } = await leave(20_000, { costMs: 0.15 })
  expect(sent).toHaveLength(20_000)
  expect(tookMs).toBeLessThan(5_000)
})

test('they reconnect at the pace that one node accepts', async () => {
  const { sent } = await leave(5_000, { perSecond: 500 })
  expect(busiest(sent)).toBeLessThan(650)
})

test('a few leave at once', async () => {
  const { sent, tookMs } = await leave(200)
  expect(sent).toHaveLength(200)
  expect(tookMs).toBe(0)
})
