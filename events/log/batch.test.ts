import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyOptions } from '../testing/fixtures/property-options.ts'
import { messageEvent } from '../testing/fixtures/samples.ts'
import { type Pending, takeBatch } from './batch.ts'

const MAX_BATCH_EVENTS = 256
const MAX_BATCH_BYTES = 1024 * 1024

type Sketch = { stream: string; expected?: number | 'any'; ids: string[]; bytes?: number }

const pending = ({ stream, expected = 'any', ids, bytes = 100 }: Sketch): Pending => ({
  request: { stream, expectedVersion: expected, events: ids.map((id) => messageEvent('x', id)) },
  lines: [],
  bytes,
  proposed: new Map(),
  metadata: '',
  deadline: 0,
  settle: () => {},
})

const idsOf = ({ request }: Pending) => request.events.map(({ id }) => id)
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const eventsIn = (batch: Pending[]) => batch.flatMap(idsOf).length
const bytesIn = (batch: Pending[]) => sum(batch.map(({ bytes }) => bytes))

/** Takes batches until the queue is empty; names each request by its first id. */
const drain = (sketches: Sketch[]) => {
  const queue = sketches.map(pending)
  const batches: string[][] = []
  while (queue.length > 0) batches.push(takeBatch(queue).map((each) => idsOf(each)[0] ?? ''))
  return batches
}

describe('a batch', () => {
  test('takes all waiting requests, in order', () => {
    expect(
      drain([
        { stream: 'b', ids: ['1'] },
        { stream: 'a', ids: ['2'] },
        { stream: 'c', ids: ['3'] },
      ]),
    ).toEqual([['1', '2', '3']])
  })

  test('takes several requests for one stream if none expects a version', () => {
    expect(
      drain([
        { stream: 'a', ids: ['1'] },
        { stream: 'a', ids: ['2'] },
      ]),
    ).toEqual([['1', '2']])
  })

  test.each<[string, Sketch[], string[][]]>([
    [
      'both expect',
      [
        { stream: 'a', expected: 0, ids: ['1'] },
        { stream: 'a', expected: 1, ids: ['2'] },
      ],
      [['1'], ['2']],
    ],
    [
      'the first expects',
      [
        { stream: 'a', expected: 0, ids: ['1'] },
        { stream: 'a', ids: ['2'] },
      ],
      [['1'], ['2']],
    ],
    [
      'the second expects',
      [
        { stream: 'a', ids: ['1'] },
        { stream: 'a', expected: 1, ids: ['2'] },
      ],
      [['1'], ['2']],
    ],
  ])('takes one request for a stream where %s a version', (_, sketches, batches) => {
    expect(drain(sketches)).toEqual(batches)
  })

  test('does not let a request overtake one for the same stream that was left', () => {
    const sketches: Sketch[] = [
      { stream: 'a', ids: ['1'] },
      { stream: 'a', expected: 1, ids: ['2'] },
      { stream: 'a', ids: ['3'] },
      { stream: 'b', ids: ['4'] },
    ]
    expect(drain(sketches)).toEqual([['1', '4'], ['2'], ['3']])
  })

  test('contains no event id twice, and leaves later requests on the stream of the second', () => {
    const sketches: Sketch[] = [
      { stream: 'a', ids: ['1'] },
      { stream: 'b', ids: ['2', '1'] },
      { stream: 'b', ids: ['3'] },
      { stream: 'c', ids: ['4'] },
    ]
    expect(drain(sketches)).toEqual([
      ['1', '4'],
      ['2', '3'],
    ])
  })

  test('holds at most 256 events', () => {
    const [first, second] = drain(Array.from({ length: 300 }, (_, index) => ({ stream: 'a', ids: [String(index)] })))
    expect([first?.length, second?.length]).toEqual([256, 44])
  })

  test('holds at most 1 MiB', () => {
    const half = MAX_BATCH_BYTES / 2
    const sketches = [half, half, 1].map((bytes, index) => ({ stream: 'a', ids: [String(index)], bytes }))
    expect(drain(sketches)).toEqual([['0', '1'], ['2']])
  })

  test('takes a request beyond both limits by itself', () => {
    const ids = Array.from({ length: 300 }, (_, index) => `large ${index}`)
    const large = { stream: 'a', ids, bytes: 2 * MAX_BATCH_BYTES }
    expect(drain([large, { stream: 'b', ids: ['1'] }])).toEqual([['large 0'], ['1']])
  })
})

const sketches = (maxEvents: number, maxId: number, maxBytes: number) =>
  fc.record({
    stream: fc.constantFrom('a', 'b', 'c', 'd'),
    expected: fc.constantFrom<(number | 'any')[]>('any', 'any', 'any', 0, 1),
    ids: fc.uniqueArray(fc.integer({ min: 0, max: maxId }).map(String), { minLength: 1, maxLength: maxEvents }),
    bytes: fc.integer({ min: 1, max: maxBytes }),
  })
const small = sketches(3, 30, 2_000)
const large = sketches(90, 10_000, 400_000)

test('batches of any requests keep the rules, and each stream its order', () => {
  const keepsRules = fc.property(fc.array(fc.oneof(small, large), { minLength: 1, maxLength: 30 }), (waiting) => {
    const queue = waiting.map(pending)
    const all = [...queue]
    const taken: Pending[] = []
    while (queue.length > 0) {
      const before = [...queue]
      const batch = takeBatch(queue)
      taken.push(...batch)

      // at least one request is taken, from the front, and the rest keeps its order
      expect(batch[0]).toBe(before[0])
      expect(before.filter((each) => batch.includes(each))).toEqual(batch)
      expect(queue).toEqual(before.filter((each) => !batch.includes(each)))
      // limits
      if (batch.length > 1) {
        expect(eventsIn(batch)).toBeLessThanOrEqual(MAX_BATCH_EVENTS)
        expect(bytesIn(batch)).toBeLessThanOrEqual(MAX_BATCH_BYTES)
      }
      // no id twice, and no two requests for one stream if either expects a version
      const ids = batch.flatMap(idsOf)
      expect(new Set(ids).size).toBe(ids.length)
      for (const group of Map.groupBy(batch, ({ request }) => request.stream).values()) {
        if (group.length > 1) expect(group.every(({ request }) => request.expectedVersion === 'any')).toBe(true)
      }
      // no smaller than it must be: the first request that was left had no room, or may not join the others
      const left = queue[0]
      if (!left) continue
      const ahead = batch.filter((each) => before.indexOf(each) < before.indexOf(left))
      const hasNoRoom = eventsIn([...ahead, left]) > MAX_BATCH_EVENTS || bytesIn([...ahead, left]) > MAX_BATCH_BYTES
      const sharesId = ahead.flatMap(idsOf).some((id) => idsOf(left).includes(id))
      const sharesStream = ahead.some(
        ({ request }) =>
          request.stream === left.request.stream &&
          (request.expectedVersion !== 'any' || left.request.expectedVersion !== 'any'),
      )
      expect(hasNoRoom || sharesId || sharesStream).toBe(true)
    }
    const byStream = (requests: Pending[]) => Map.groupBy(requests, ({ request }) => request.stream)
    expect(taken).toHaveLength(all.length)
    for (const [stream, requests] of byStream(all)) expect(byStream(taken).get(stream)).toEqual(requests)
  })
  fc.assert(keepsRules, propertyOptions(300))
})
