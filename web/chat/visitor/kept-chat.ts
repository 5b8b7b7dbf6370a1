import { DAY_MS } from '../../../events/base/time.ts'
import { NO_RECEIPTS, type Receipts } from '../../../events/chat/activity.ts'
import { RESUME_DAYS } from '../../../events/chat/chat.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { serverNow } from '../../client/server-time.ts'
import { stored } from '../../client/stored.ts'
import type { UnsentMessage } from '../line/conversation.ts'
import { CHAT_STORAGE_KEY } from './storage.ts'

/** So much of a conversation shows at once after a reload; the server brings the rest. */
const MAX_KEPT_MESSAGES = 50

export type View = 'closed' | 'minimised' | 'expanded'

/**
 * A chat that a visitor has started. Its id and token are there once the server knows it; a chat that a link resumes
 * has no name until its messages tell one. `visitorEmail` is empty where none was given; `pendingEmail` was given
 * later, and the server has not confirmed it yet. `greeting` is the message beside the chat's button that they answered.
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

/** A visitor's chat as it is kept: whole by the tab, and by the device for tabs that come later. */
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
 * What a device holds for a moment about a chat that its visitor wants forgotten, or that staff have erased, so that other
 * tabs hear of it.
 */
type Forgotten = { forgotten: string; isErased?: boolean }

const forgetting = stored(CHAT_STORAGE_KEY, 'device', (value) => value as Forgotten)

/** The ids of the chats that this device has forgotten last: a tab that slept meanwhile must not bring them back. */
const FORGOTTEN_KEY = `${CHAT_STORAGE_KEY}-forgotten`
const MAX_FORGOTTEN = 20

const storedIds = stored(FORGOTTEN_KEY, 'device', (value) => value as string[] | undefined)
const forgottenIds = () => storedIds.read() ?? []

const hasForgotten = ({ sessionId }: Session) => sessionId !== undefined && forgottenIds().includes(sessionId)

/**
 * Whether a chat came to this tab by a link. Anybody may have sent that link: no other tab takes the chat up, and the name
 * in its messages need not be the name of the person at this tab.
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

/** Whether the server no longer lets anybody come back to a chat, going by the last thing that was said in it. */
const isOver = ({ session, messages, unsent }: KeptChat) => {
  const last = [session.welcome, ...messages, ...unsent].map((said) => Date.parse(said?.timestamp ?? ''))
  return serverNow().getTime() - Math.max(...last.filter(Number.isFinite)) > RESUME_DAYS * DAY_MS
}

/** The device's chat as a new tab takes it up: without opening it. */
const takeUp = (): KeptChat | undefined => {
  const kept = chatIn(chatOfDevice)
  if (kept && !isOver(kept)) return { ...kept, view: 'closed' }
  chatOfDevice.discard()
  return undefined
}

/** The chat that this tab was in, or else this device; undefined where there is none, or it cannot be read. */
export const readKeptChat = (): KeptChat | undefined => chatIn(chatOfTab) ?? takeUp()

/**
 * Keeps a chat for the tab, and while it goes on for the device too; a tab that is in no chat leaves the device's alone.
 * A browser that allows no storage only loses the chat with the page.
 */
export const keepChat = (chat: KeptChat | undefined, hasEnded: boolean) => {
  if (!chat || hasForgotten(chat.session)) return chatOfTab.discard()
  // on a phone an open chat covers the page: one that is over comes back minimised
  const view = hasEnded && chat.view === 'expanded' ? 'minimised' : chat.view
  const kept = { ...chat, view, messages: chat.messages.slice(-MAX_KEPT_MESSAGES) }
  chatOfTab.keep(kept)
  if (isOfLink(chat.session)) return
  if (!hasEnded) chatOfDevice.keep(kept)
  else forgetKeptChat(chat.session, { inAllTabs: false })
}

/** Has the device forget a chat: for tabs that come later, or in all that are open too. */
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

/** Lets a chat be kept again that the device has forgotten: its visitor came back by a link. */
export const keepAgain = (sessionId: string) => storedIds.keep(forgottenIds().filter((id) => id !== sessionId))

/** What another tab has told as it had the device forget this chat; undefined where it is about something else. */
export const forgottenBy = ({ key, newValue }: StorageEvent, { joinKey }: Session): Forgotten | undefined => {
  if (key !== CHAT_STORAGE_KEY || !newValue) return undefined
  const told: Partial<Forgotten> = JSON.parse(newValue)
  return told.forgotten === joinKey ? { ...told, forgotten: joinKey } : undefined
}
