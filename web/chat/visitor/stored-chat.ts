import { DAY_MS } from '../../../events/base/time.ts'
import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import { RATE_WITHIN_MS, RESUME_DAYS } from '../../../events/chat/chat.ts'
import type { ChatRatingForm } from '../../../events/chat/rating.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { stored } from '../../client/stored.ts'
import type { UnsentMessage } from '../messaging/conversation.ts'
import { CHAT_STORAGE_KEY } from './storage-key.ts'

/** The number of messages shown at once after a reload; the server sends the rest. */
const MAX_STORED_MESSAGES = 50

export type View = 'closed' | 'minimised' | 'expanded'

/**
 * A chat that a visitor has started. Its id and token are set once the server knows it; a chat that a link resumes has
 * no name until its messages contain one. `visitorEmail` is empty if none was given, perhaps a `visitorPhone` instead;
 * `pendingEmail` was given later, and the server has not confirmed it yet. `greeting` is the greeting that they replied to.
 */
export type Session = {
  visitorName: string
  visitorEmail: string
  visitorPhone?: string
  pendingEmail?: { visitorEmail: string; clientMessageId: string }
  joinKey: string
  sessionId?: string
  resumeToken?: string
  welcome?: { message: string; timestamp: string }
  greeting?: string
}

/**
 * A visitor's chat as it is stored: whole by the tab, and by the device for later tabs. `endedAt` is when it ended, ISO
 * 8601, `rating` a rating that the server has not confirmed.
 */
export type StoredChat = {
  view: View
  session: Session
  messages: ChatMessage[]
  unsent: UnsentMessage[]
  receipts: Receipts
  seen: number
  draft: string
  endedAt?: string
  rating?: ChatRatingForm
}

/**
 * The entry that a device stores for a moment about a chat that its visitor has removed, or that staff have erased, to
 * notify other tabs.
 */
type Removal = { removedKey: string; isErased?: boolean }

const removalSignal = stored(CHAT_STORAGE_KEY, 'device', (value) => value as Removal)

/** The ids of the chats last removed from this device: a tab that slept since then must not bring them back. */
const REMOVED_KEY = `${CHAT_STORAGE_KEY}-forgotten`
const MAX_REMOVED = 20

const storedIds = stored(REMOVED_KEY, 'device', (value) => value as string[] | undefined)
const removedIds = () => storedIds.read() ?? []

const wasRemoved = ({ sessionId }: Session) => sessionId !== undefined && removedIds().includes(sessionId)

/**
 * Whether a chat came to this tab by a link. Anyone may have sent that link: no other tab takes the chat over, and the
 * name in its messages need not be the name of the person at this tab.
 */
export const isOfLink = ({ sessionId, welcome }: Session) => sessionId !== undefined && welcome === undefined

/** The address that the visitor gave last. */
export const latestEmail = ({ visitorEmail, pendingEmail }: Session) => pendingEmail?.visitorEmail ?? visitorEmail

const chatOf = (value: unknown): StoredChat | undefined => {
  const { session, ...rest } = value as Partial<StoredChat>
  if (!session) return undefined
  return { view: 'closed', messages: [], unsent: [], receipts: NO_RECEIPTS, seen: 0, draft: '', ...rest, session }
}

const chatOfTab = stored(CHAT_STORAGE_KEY, 'tab', chatOf)
const chatOfDevice = stored(CHAT_STORAGE_KEY, 'device', chatOf)

/** Whether a chat ended so long ago that it no longer stays on its device. */
export const isPast = (endedAt: string | undefined) =>
  endedAt !== undefined && serverNow().getTime() - Date.parse(endedAt) > RATE_WITHIN_MS

const chatIn = (place: typeof chatOfTab): StoredChat | undefined => {
  const found = place.read()
  if (!found || !(wasRemoved(found.session) || isPast(found.endedAt))) return found
  place.discard()
  return undefined
}

/** Whether the server no longer lets visitors return to a chat, by the time of its last message. */
const isOver = ({ session, messages, unsent }: StoredChat) => {
  const last = [session.welcome, ...messages, ...unsent].map((message) => Date.parse(message?.timestamp ?? ''))
  return serverNow().getTime() - Math.max(...last.filter(Number.isFinite)) > RESUME_DAYS * DAY_MS
}

/** The device's chat for a new tab, which does not open it. */
const adoptDeviceChat = (): StoredChat | undefined => {
  const found = chatIn(chatOfDevice)
  if (found && !isOver(found)) return { ...found, view: 'closed' }
  chatOfDevice.discard()
  return undefined
}

/** The chat that this tab was in, or else this device; undefined if there is none, or it cannot be read. */
export const readStoredChat = (): StoredChat | undefined => chatIn(chatOfTab) ?? adoptDeviceChat()

/**
 * Stores a chat for the tab, and for the device until it has ended for a day; a tab that is in no chat does not change
 * the device's chat. In a browser that allows no storage, the chat is lost with the page, and nothing else.
 */
export const storeChat = (chat: StoredChat | undefined) => {
  if (!chat || wasRemoved(chat.session)) return chatOfTab.discard()
  // on a phone an open chat covers the page: an ended one returns minimised
  const view = chat.endedAt && chat.view === 'expanded' ? 'minimised' : chat.view
  const tabChat = { ...chat, view, messages: chat.messages.slice(-MAX_STORED_MESSAGES) }
  chatOfTab.keep(tabChat)
  // an ended chat does not take the place of one that another tab has begun since then
  const isOther = chat.endedAt !== undefined && chatIn(chatOfDevice)?.session.joinKey !== chat.session.joinKey
  if (!isOfLink(chat.session) && !isOther) chatOfDevice.keep(tabChat)
}

/** Removes a chat from the device: for later tabs only, or in all open ones too. */
export const removeStoredChat = (
  { joinKey, sessionId }: Session,
  { inAllTabs, isErased = false }: { inAllTabs: boolean; isErased?: boolean },
) => {
  if (inAllTabs) {
    if (sessionId) storedIds.keep([...removedIds(), sessionId].slice(-MAX_REMOVED))
    removalSignal.keep({ removedKey: joinKey, isErased })
  } else if (chatIn(chatOfDevice)?.session.joinKey !== joinKey) return
  chatOfDevice.discard()
}

/** Allows a removed chat to be stored again: its visitor returned by a link. */
export const allowAgain = (sessionId: string) => storedIds.keep(removedIds().filter((id) => id !== sessionId))

/** The entry by which another tab removed this chat from the device; undefined if it is about something else. */
export const removalIn = ({ key, newValue }: StorageEvent, { joinKey }: Session): Removal | undefined => {
  if (key !== CHAT_STORAGE_KEY || !newValue) return undefined
  const removal: Partial<Removal> = JSON.parse(newValue)
  return removal.removedKey === joinKey ? { ...removal, removedKey: joinKey } : undefined
}
