import { DAY_MS } from '../../../events/base/time.ts'
import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import { RESUME_DAYS } from '../../../events/chat/chat.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { stored } from '../../client/stored.ts'
import type { UnsentMessage } from '../messaging/conversation.ts'
import { CHAT_STORAGE_KEY } from './storage-key.ts'

/** The number of messages shown at once after a reload; the server sends the rest. */
const MAX_KEPT_MESSAGES = 50

export type View = 'closed' | 'minimised' | 'expanded'

/**
 * A chat that a visitor has started. Its id and token are set once the server knows it; a chat that a link resumes has
 * no name until its messages contain one. `visitorEmail` is empty if none was given; `pendingEmail` was given later,
 * and the server has not confirmed it yet. `greeting` is the greeting that they replied to.
 */
export type Session = {
  visitorName: string
  visitorEmail: string
  pendingEmail?: { visitorEmail: string; clientMessageId: string }
  joinKey: string
  sessionId?: string
  resumeToken?: string
  welcome?: { message: string; timestamp: string }
  greeting?: string
}

/** A visitor's chat as it is stored: whole by the tab, and by the device for later tabs. */
export type KeptChat = {
  view: View
  session: Session
  messages: ChatMessage[]
  unsent: UnsentMessage[]
  receipts: Receipts
  seen: number
  draft: string
}

/**
 * The entry that a device stores for a moment about a chat that its visitor has removed, or that staff have erased, to
 * notify other tabs.
 */
type Forgotten = { forgotten: string; isErased?: boolean }

const forgetting = stored(CHAT_STORAGE_KEY, 'device', (value) => value as Forgotten)

/** The ids of the chats last removed from this device: a tab that slept since then must not bring them back. */
const FORGOTTEN_KEY = `${CHAT_STORAGE_KEY}-forgotten`
const MAX_FORGOTTEN = 20

const storedIds = stored(FORGOTTEN_KEY, 'device', (value) => value as string[] | undefined)
const forgottenIds = () => storedIds.read() ?? []

const hasForgotten = ({ sessionId }: Session) => sessionId !== undefined && forgottenIds().includes(sessionId)

/**
 * Whether a chat came to this tab by a link. Anyone may have sent that link: no other tab takes the chat over, and the
 * name in its messages need not be the name of the person at this tab.
 */
export const isOfLink = ({ sessionId, welcome }: Session) => sessionId !== undefined && welcome === undefined

/** The address that the visitor gave last. */
export const latestEmail = ({ visitorEmail, pendingEmail }: Session) => pendingEmail?.visitorEmail ?? visitorEmail

const chatOf = (value: unknown): KeptChat | undefined => {
  const { session, ...kept } = value as Partial<KeptChat>
  if (!session) return undefined
  return { view: 'closed', messages: [], unsent: [], receipts: NO_RECEIPTS, seen: 0, draft: '', ...kept, session }
}

const chatOfTab = stored(CHAT_STORAGE_KEY, 'tab', chatOf)
const chatOfDevice = stored(CHAT_STORAGE_KEY, 'device', chatOf)

const chatIn = (place: typeof chatOfTab): KeptChat | undefined => {
  const kept = place.read()
  if (!kept || !hasForgotten(kept.session)) return kept
  place.discard()
  return undefined
}

/** Whether the server no longer lets visitors return to a chat, by the time of its last message. */
const isOver = ({ session, messages, unsent }: KeptChat) => {
  const last = [session.welcome, ...messages, ...unsent].map((said) => Date.parse(said?.timestamp ?? ''))
  return serverNow().getTime() - Math.max(...last.filter(Number.isFinite)) > RESUME_DAYS * DAY_MS
}

/** The device's chat for a new tab, which does not open it. */
const takeUp = (): KeptChat | undefined => {
  const kept = chatIn(chatOfDevice)
  if (kept && !isOver(kept)) return { ...kept, view: 'closed' }
  chatOfDevice.discard()
  return undefined
}

/** The chat that this tab was in, or else this device; undefined if there is none, or it cannot be read. */
export const readKeptChat = (): KeptChat | undefined => chatIn(chatOfTab) ?? takeUp()

/**
 * Stores a chat for the tab, and while it is open for the device too; a tab that is in no chat does not change the
 * device's chat. In a browser that allows no storage, the chat is lost with the page, and nothing else.
 */
export const keepChat = (chat: KeptChat | undefined, hasEnded: boolean) => {
  if (!chat || hasForgotten(chat.session)) return chatOfTab.discard()
  // on a phone an open chat covers the page: an ended one returns minimised
  const view = hasEnded && chat.view === 'expanded' ? 'minimised' : chat.view
  const kept = { ...chat, view, messages: chat.messages.slice(-MAX_KEPT_MESSAGES) }
  chatOfTab.keep(kept)
  if (isOfLink(chat.session)) return
  if (!hasEnded) chatOfDevice.keep(kept)
  else forgetKeptChat(chat.session, { inAllTabs: false })
}

/** Removes a chat from the device: for later tabs only, or in all open ones too. */
export const forgetKeptChat = (
  { joinKey, sessionId }: Session,
  { inAllTabs, isErased = false }: { inAllTabs: boolean; isErased?: boolean },
) => {
  if (inAllTabs) {
    if (sessionId) storedIds.keep([...forgottenIds(), sessionId].slice(-MAX_FORGOTTEN))
    forgetting.keep({ forgotten: joinKey, isErased })
  } else if (chatIn(chatOfDevice)?.session.joinKey !== joinKey) return
  chatOfDevice.discard()
}

/** Allows a removed chat to be stored again: its visitor returned by a link. */
export const keepAgain = (sessionId: string) => storedIds.keep(forgottenIds().filter((id) => id !== sessionId))

/** The entry by which another tab removed this chat from the device; undefined if it is about something else. */
export const forgottenBy = ({ key, newValue }: StorageEvent, { joinKey }: Session): Forgotten | undefined => {
  if (key !== CHAT_STORAGE_KEY || !newValue) return undefined
  const told: Partial<Forgotten> = JSON.parse(newValue)
  return told.forgotten === joinKey ? { ...told, forgotten: joinKey } : undefined
}
