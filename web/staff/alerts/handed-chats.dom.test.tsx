import { expect, test } from 'vitest'
import { currentToast, dismissToast } from '../../ui/toast/toasts.ts'
import { notifyOfHandedChats } from './handed-chats.ts'

const way = { open: () => {}, isOpen: () => false }

/** The notifications that a staff member at this browser gets for the chats handed to them. */
const toldTo = async (accountId: string, sessionIds: string[]) => {
  dismissToast(currentToast()?.id ?? 0)
  const timestamp = '2026-11-18T08:40:00.000Z'
  const chats = sessionIds.map((sessionId) => ({ sessionId, visitorName: 'Long ago', from: 'Thandi', timestamp }))
  await notifyOfHandedChats(accountId, chats, way)
  return currentToast()?.title
}

test('A handed-over chat is announced once per browser, on the first check, to the staff member it was handed to', async () => {
  expect(await toldTo('lerato', [])).toBeUndefined()
  expect(await toldTo('sipho', ['chat'])).toBe('Thandi handed you a chat: Long ago')
  expect(await toldTo('sipho', ['chat'])).toBeUndefined()
  expect(Object.keys(localStorage).filter((key) => key.includes('handed'))).toHaveLength(2)
})
