import { expect, test } from 'vitest'
import { orderViolations, type Placed, watchLog } from './order-checker.ts'

const place = (position: number, fields: Partial<Placed> = {}): Placed => ({
  id: `e${position}`,
  stream: 'a',
  position,
  version: position,
  ...fields,
})

const history = [place(1), place(2), place(3, { stream: 'b', version: 1 }), place(4, { version: 3 })]

test('the order checker accepts a complete history in order', () => {
  expect(orderViolations(history, history.toReversed())).toEqual([])
})

test.each<[string, Placed[], Placed[], RegExp]>([
  ['a missed event', history.slice(0, 3), history, /^missed: event e4 at 4$/],
  ['a hole', [place(1), place(3, { version: 2 })], [], /^hole: 3 after 1$/],
  ['a first event that is not the first', [place(2, { version: 1 })], [], /^hole: 2 after 0$/],
  ['a doubled event', [place(1), place(1)], [place(1)], /^doubled: event e1 at 1$/],
  ['events out of order', [place(1), place(3), place(2)], [], /^out of order: 2 after 3$/],
  ['a hole in the versions of a stream', [place(1), place(2, { version: 3 })], [], /^versions: a has 3 after 1$/],
  ['a version that comes twice', [place(1), place(2, { version: 1 })], [], /^versions: a has 1 after 1$/],
  [
    'another position than was acknowledged',
    [place(1)],
    [place(7, { id: 'e1', version: 1 })],
    /^other place: event e1/,
  ],
  ['an event that nobody wrote', history, history.slice(1), /^nobody's: event e1 at 1/],
])('the order checker finds %s', (_, seen, acknowledged, violation) => {
  expect(orderViolations(seen, acknowledged)).toContainEqual(expect.stringMatching(violation))
})

test('the watcher reads from the last position until it is over and nothing more comes', async () => {
  const asked: number[] = []
  let turns = 0
  const readAfter = async (position: number) => {
    asked.push(position)
    turns += 1
    return turns % 2 === 1 ? history.slice(position, position + 2) : []
  }
  expect(await watchLog(readAfter, () => turns >= 3)).toEqual(history)
  expect(asked).toEqual([0, 2, 2, 4])
})
