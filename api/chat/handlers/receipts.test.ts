import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Receipt } from '../../../events/chat/activity.ts'
import { openReceiptBook } from './receipts.ts'

const SESSION = '0b8d9f64-3a55-4b0c-8d0b-5d8e1c2a9f33'

/** A book that takes some time to store, and fails as often as requested. */
const openBook = ({ failures = 0 } = {}) => {
  const noted: Receipt[] = []
  const errors: unknown[] = []
  let left = failures
  const book = openReceiptBook(
    async (_, __, receipt) => {
      await delay(5)
      left -= 1
      if (left >= 0) throw new Error('not now')
      noted.push(receipt)
    },
    { onError: (error) => errors.push(error) },
  )
  return { ...book, noted, errors }
}

test('the first report is stored at once, and of those within the next second the furthest', async () => {
  const book = openBook()
  for (let count = 1; count <= 1_000; count += 1) book.report(SESSION, 'visitor', { delivered: count, seen: count - 1 })
  book.report(SESSION, 'visitor', { delivered: 3, seen: 2 })
  await book.close()
  expect(book.noted).toEqual([
    { delivered: 1, seen: 0 },
    { delivered: 1_000, seen: 999 },
  ])
})

test('each side of each chat is stored separately', async () => {
  const book = openBook()
  book.report(SESSION, 'visitor', { delivered: 1, seen: 1 })
  book.report(SESSION, 'admin', { delivered: 2, seen: 2 })
  book.report('another', 'visitor', { delivered: 3, seen: 3 })
  await book.close()
  expect(book.noted.map(({ seen }) => seen).sort()).toEqual([1, 2, 3])
})

test('a report that could not be stored is retried when the node closes, and then dropped', async () => {
  const [short, long] = [openBook({ failures: 1 }), openBook({ failures: 9 })]
  for (const book of [short, long]) book.report(SESSION, 'visitor', { delivered: 1, seen: 1 })
  await delay(20)
  await Promise.all([short.close(), long.close()])
  expect(short.noted).toEqual([{ delivered: 1, seen: 1 }])
  expect(long.noted).toEqual([])
  expect(long.errors).toHaveLength(2)
})
