import { expect, test } from 'vitest'
import { growingDelay } from '../../../events/base/backoff.ts'
import { busiestSecond } from '../../../events/local/figures.ts'
import { openHandshakeLimit } from './handshake-limit.ts'

const PER_SECOND = 2_000
const CLIENTS = 10_000

/**
 * Simulates 10,000 clients that all lose their node at the same moment, with the retry delays of the product's pages.
 */
const comeBack = (isUpFrom: number) => {
  const handshakes = openHandshakeLimit(PER_SECOND)
  /** The clients by the millisecond of their next attempt, and how often each has failed so far. */
  const due: { address: string; failures: number }[][] = []
  const wait = (now: number, address: string, failures: number) => {
    const at = Math.ceil(now + growingDelay(failures))
    due[at] = [...(due[at] ?? []), { address, failures }]
  }
  const entered: number[] = []
  const asked: number[] = []
  for (let client = 0; client < CLIENTS; client += 1) wait(1, `${client}`, 0)
  for (let now = 0; now < due.length; now += 1) {
    for (const { address, failures } of due[now] ?? []) {
      asked.push(now)
      if (now >= isUpFrom && handshakes.ask({ address }, now).kind === 'enter') entered.push(now)
      else wait(now + 1, address, failures + 1)
    }
  }
  return { entered, asked }
}

test('10,000 clients that lose their node at once reconnect at the configured pace at most, all within a minute', () => {
  const { entered } = comeBack(0)
  expect(entered).toHaveLength(CLIENTS)
  expect(busiestSecond(entered)).toBeLessThanOrEqual(PER_SECOND)
  expect(Math.max(...entered)).toBeLessThan(60_000)
})

test('after 30 s without a node they retry ever less often, and then reconnect as slowly', () => {
  const { entered, asked } = comeBack(30_000)
  expect(entered).toHaveLength(CLIENTS)
  expect(busiestSecond(entered)).toBeLessThanOrEqual(PER_SECOND)
  expect(busiestSecond(asked.filter((at) => at > 15_000 && at < 30_000))).toBeLessThan(PER_SECOND)
  expect(asked.filter((at) => at < 30_000).length / CLIENTS).toBeLessThan(8)
})

test('few connect at once', () => {
  const handshakes = openHandshakeLimit(40)
  const entering = (nowOf: (index: number) => number) =>
    Array.from({ length: 40 }, (_, index) => handshakes.ask({ address: `${index}` }, nowOf(index))).filter(
      ({ kind }) => kind === 'enter',
    ).length
  expect(entering(() => 1_000)).toBe(9) // and one is reserved for staff
  expect(entering((index) => 1_000 + index * 25)).toBeLessThanOrEqual(30)
})

/**
 * Ten seconds in which one address, or a new one each time, connects three times per millisecond, next to one visitor
 * and staff.
 */
const besideFlood = (addressOf: (count: number) => string) => {
  const handshakes = openHandshakeLimit(PER_SECOND)
  const flood = { entered: 0, count: 0 }
  const visitor: string[] = []
  const staff: string[] = []
  for (let now = 1; now <= 10_000; now += 1) {
    for (let each = 0; each < 3; each += 1) {
      flood.count += 1
      if (handshakes.ask({ address: addressOf(flood.count) }, now).kind === 'enter') flood.entered += 1
    }
    if (now % 1_000 === 0) visitor.push(handshakes.ask({ address: 'a visitor' }, now).kind)
    // at the address of the flood
    if (now % 1_000 === 0) staff.push(handshakes.ask({ address: addressOf(1), cookie: 'console' }, now).kind)
  }
  return { flood, visitor, staff }
}

const ALL_ENTER = Array.from({ length: 10 }, () => 'enter')

test.each([
  ['one address', () => 'flood'],
  ['an IPv6 /48', (count: number) => `2001:db8:1:${(count % 50_000).toString(16)}::/64`],
])(
  '%s that floods a node with handshakes takes half of them at most, and visitors and staff connect at once',
  (_, addressOf) => {
    const { flood, visitor, staff } = besideFlood(addressOf)
    expect(flood.entered).toBeLessThan(10 * PER_SECOND * 0.5)
    expect(visitor).toEqual(ALL_ENTER)
    expect(staff).toEqual(ALL_ENTER)
  },
)

test('if a thousand addresses flood a node with handshakes, staff still connect', () => {
  expect(besideFlood((count) => `flood ${count % 1_000}`).staff).toEqual(ALL_ENTER)
})

test('an address that is over its limit is refused until then', () => {
  const handshakes = openHandshakeLimit(PER_SECOND)
  expect(handshakes.ask({ address: 'flood' }, 1_000).kind).toBe('enter')
  handshakes.shut('flood', 1_000, 31_000)
  expect(handshakes.ask({ address: 'flood' }, 30_000)).toEqual({ kind: 'over', untilMs: 31_000 })
  expect(handshakes.ask({ address: 'other' }, 30_000).kind).toBe('enter')
  expect(handshakes.ask({ address: 'flood' }, 31_000).kind).toBe('enter')
})

test('a cookie that is used too often counts by its address', () => {
  const handshakes = openHandshakeLimit(PER_SECOND)
  handshakes.shut('flood', 1_000, 31_000)
  const kinds = Array.from({ length: 40 }, () => handshakes.ask({ address: 'flood', cookie: 'stolen' }, 1_000).kind)
  expect(kinds.filter((kind) => kind === 'enter')).toHaveLength(20)
  expect(kinds.at(-1)).toBe('over')
})
