import { expect, test } from 'vitest'
import { growingDelay } from '../../events/backoff.ts'
import { busiestSecond } from '../../events/local/figures.ts'
import { openDoor } from './door.ts'

const PER_SECOND = 2_000
const CLIENTS = 10_000

/** What 10,000 clients do that all lose their node at the same moment, each by the waits of the product's pages. */
const comeBack = (isUpFrom: number) => {
  const mayEnter = openDoor(PER_SECOND)
  /** By the millisecond of their next try: how many have failed so far, for each client. */
  const due: number[][] = []
  const wait = (now: number, failures: number) => {
    const at = Math.ceil(now + growingDelay(failures))
    due[at] = [...(due[at] ?? []), failures]
  }
  const entered: number[] = []
  const asked: number[] = []
  for (let client = 0; client < CLIENTS; client += 1) wait(1, 0)
  for (let now = 0; now < due.length; now += 1) {
    for (const failures of due[now] ?? []) {
      asked.push(now)
      if (now >= isUpFrom && mayEnter(now)) entered.push(now)
      else wait(now + 1, failures + 1)
    }
  }
  return { entered, asked }
}

test('10,000 clients that lose their node at once come back at no more than the configured pace, all within a minute', () => {
  const { entered } = comeBack(0)
  expect(entered).toHaveLength(CLIENTS)
  expect(busiestSecond(entered)).toBeLessThanOrEqual(PER_SECOND)
  expect(Math.max(...entered)).toBeLessThan(60_000)
})

test('after 30 s without a node they ask for it ever less often, and then come back as slowly', () => {
  const { entered, asked } = comeBack(30_000)
  expect(entered).toHaveLength(CLIENTS)
  expect(busiestSecond(entered)).toBeLessThanOrEqual(PER_SECOND)
  expect(busiestSecond(asked.filter((at) => at > 15_000 && at < 30_000))).toBeLessThan(PER_SECOND)
  expect(asked.filter((at) => at < 30_000).length / CLIENTS).toBeLessThan(8)
})

test('few come in at once', () => {
  const mayEnter = openDoor(40)
  const now = Array.from({ length: 40 }, () => mayEnter(1_000))
  expect(now.filter(Boolean)).toHaveLength(10)
  expect(
    Array.from({ length: 40 }, (_, index) => mayEnter(1_000 + index * 25)).filter(Boolean).length,
  ).toBeLessThanOrEqual(30)
})
