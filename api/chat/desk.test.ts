import { expect, test } from 'vitest'
import { NO_RECEIPTS } from '../../events/chat-desk.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'
import { type DeskState, openDesk } from './desk.ts'

const SESSION = '0b8d9f64-3a55-4b0c-8d0b-5d8e1c2a9f33'
const page = (version: number) => ({ version, pageUrl: `/${version}`, timestamp: new Date(version).toISOString() })

const NEW_DESK: DeskState = { receipts: NO_RECEIPTS, pageVersion: 0 }

/** A desk, and what it told, in short. */
const open = (known: DeskState = NEW_DESK) => {
  const told: string[] = []
  const deliver = (frame: ServerFrame, to: string) => {
    if (frame.type === 'page_viewed') told.push(frame.pageUrl)
    if (frame.type === 'receipt') told.push(`${frame.party} ${frame.delivered} ${frame.seen} to ${to}`)
  }
  return { desk: openDesk(SESSION, known, deliver), told }
}

test('a page is told once, by whichever way it comes first', () => {
  const { desk, told } = open()
  desk.acceptPage(page(1))
  desk.acceptPage(page(3))
  desk.acceptStored({ receipts: NO_RECEIPTS, pages: [page(1), page(2), page(3)] })
  for (const version of [2, 3, 4]) desk.acceptPage(page(version))
  desk.acceptStored({ receipts: NO_RECEIPTS, pages: [page(4)] })
  desk.acceptStored({ receipts: NO_RECEIPTS, pages: [] })
  expect(told).toEqual(['/1', '/3', '/2', '/4'])
  expect(desk.pageVersion).toBe(4)
})

test('what was stored before the desk opened is not told', () => {
  const { desk, told } = open({ receipts: { ...NO_RECEIPTS, admin: { delivered: 3, seen: 2 } }, pageVersion: 7 })
  desk.acceptPage(page(6))
  desk.acceptReceipt('admin', { delivered: 3, seen: 1 })
  expect(told).toEqual([])
  expect(desk.receipts.admin).toEqual({ delivered: 3, seen: 2 })
})

test('a page that is stored as the desk opens is told once the bus brings it', () => {
  const { desk, told } = open({ receipts: NO_RECEIPTS, pageVersion: 7 })
  for (const version of [7, 7, 8]) desk.acceptPage(page(version))
  desk.acceptStored({ receipts: NO_RECEIPTS, pages: [page(8)] })
  desk.acceptPage(page(7))
  expect(told).toEqual(['/7', '/8'])
})

test('a receipt is told once and never goes back, and what staff have seen is told to the visitor too', () => {
  const { desk, told } = open()
  desk.acceptReceipt('visitor', { delivered: 2, seen: 1 })
  desk.acceptStored({ receipts: { visitor: { delivered: 2, seen: 1 }, admin: { delivered: 1, seen: 1 } }, pages: [] })
  desk.acceptStored({ receipts: NO_RECEIPTS, pages: [] })
  desk.acceptReceipt('visitor', { delivered: 1, seen: 1 })
  expect(told).toEqual(['visitor 2 1 to staff', 'admin 1 1 to all'])
})
