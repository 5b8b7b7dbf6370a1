import { expect, test } from 'vitest'
import { type Answer, answerRequests, problem } from '../../testing/server.ts'
import { currentToast, dismissToast } from '../../ui/toast/toasts.ts'
import { alerts } from './alerts.ts'
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

test('A browser shows the alerts that the account has chosen, and all while that cannot be read', async () => {
  const noted: string[] = []
  const TestNotification = class {
    static requestPermission = async () => 'granted'
    constructor(title: string) {
      noted.push(title)
    }
  }
  Object.assign(window, { Notification: TestNotification })
  let settings: Answer = { email: null, alerts: ['new-page', 'chat-device'], isPossible: true }
  answerRequests({ 'GET /api/me/alerts': () => settings })
  await alerts.turnDesktop()
  const tell = (subject: 'new' | 'chat') =>
    alerts.tell(subject, { title: subject, body: '', tag: subject, onOpen: () => {} })
  await tell('chat')
  await tell('new')
  expect(noted).toEqual(['new'])
  settings = problem(503)
  await tell('chat')
  expect(noted).toEqual(['new', 'chat'])
  await alerts.turnDesktop()
  Reflect.deleteProperty(window, 'Notification')
})
