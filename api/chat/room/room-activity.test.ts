import { expect, test } from 'vitest'
import { NO_RECEIPTS } from '../../../events/chat/activity.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import { RoomActivity, type RoomActivityState } from './room-activity.ts'

const SESSION = '0b8d9f64-3a55-4b0c-8d0b-5d8e1c2a9f33'
const page = (version: number) => ({ version, pageUrl: `/${version}`, timestamp: new Date(version).toISOString() })

const NO_ACTIVITY: RoomActivityState = { receipts: NO_RECEIPTS, pageVersion: 0 }

/** An activity, and a summary of the frames that it sent. */
const open = (known: RoomActivityState = NO_ACTIVITY) => {
  const told: string[] = []
  const deliver = (frame: ServerFrame, to: string) => {
    if (frame.type === 'page_viewed') told.push(frame.pageUrl)
    if (frame.type === 'receipt') told.push(`${frame.party} ${frame.delivered} ${frame.seen} to ${to}`)
  }
  const activity = new RoomActivity(SESSION, deliver)
  activity.open(known)
  return { activity, told }
}

test('a page is sent once, by the first way it arrives', () => {
  const { activity, told } = open()
  activity.acceptPage(page(1))
  activity.acceptPage(page(3))
  activity.acceptStored({ receipts: NO_RECEIPTS, pages: [page(1), page(2), page(3)] })
  for (const version of [2, 3, 4]) activity.acceptPage(page(version))
  activity.acceptStored({ receipts: NO_RECEIPTS, pages: [page(4)] })
  activity.acceptStored({ receipts: NO_RECEIPTS, pages: [] })
  expect(told).toEqual(['/1', '/3', '/2', '/4'])
  expect(activity.pageVersion).toBe(4)
})

test('data stored before the activity opened is not sent', () => {
  const { activity, told } = open({ receipts: { ...NO_RECEIPTS, admin: { delivered: 3, seen: 2 } }, pageVersion: 7 })
  activity.acceptPage(page(6))
  activity.acceptReceipt('admin', { delivered: 3, seen: 1 })
  expect(told).toEqual([])
  expect(activity.receipts.admin).toEqual({ delivered: 3, seen: 2 })
})

test('a page stored as the activity opens is sent once the bus delivers it', () => {
  const { activity, told } = open({ receipts: NO_RECEIPTS, pageVersion: 7 })
  for (const version of [7, 7, 8]) activity.acceptPage(page(version))
  activity.acceptStored({ receipts: NO_RECEIPTS, pages: [page(8)] })
  activity.acceptPage(page(7))
  expect(told).toEqual(['/7', '/8'])
})

test('a receipt is sent once and never decreases, and staff receipts are sent to the visitor too', () => {
  const { activity, told } = open()
  activity.acceptReceipt('visitor', { delivered: 2, seen: 1 })
  activity.acceptStored({
    receipts: { visitor: { delivered: 2, seen: 1 }, admin: { delivered: 1, seen: 1 } },
    pages: [],
  })
  activity.acceptStored({ receipts: NO_RECEIPTS, pages: [] })
  activity.acceptReceipt('visitor', { delivered: 1, seen: 1 })
  expect(told).toEqual(['visitor 2 1 to staff', 'admin 1 1 to all'])
})
