import { NO_RECEIPTS, type Receipts } from '../../events/chat-desk.ts'
import type { ChatMessage } from '../../events/wire/chat.ts'
import type { UnsentMessage } from './conversation.ts'
import { CHAT_STORAGE_KEY } from './storage.ts'

/** So much of a conversation shows at once after a reload; the server brings the rest. */
const MAX_KEPT_MESSAGES = 50

export type View = 'closed' | 'minimised' | 'expanded'

/**
 * A chat that a visitor has started. Its id and token are there once the server knows it; a chat that a link resumes has
 * no name until its messages tell one.
 */
export type Session = {
  visitorName: string
  visitorEmail: string
  joinKey: string
  sessionId?: string
  resumeToken?: string
  welcome?: { message: string; timestamp: string }
}

/** A visitor's chat as it is kept for the next page of the same tab. */
export type KeptChat = {
  view: View
  session: Session
  messages: ChatMessage[]
  unsent: UnsentMessage[]
  receipts: Receipts
  seen: number
  draft: string
}

/** The chat that this tab was in; undefined where there is none, or it cannot be read. */
export const readKeptChat = (): KeptChat | undefined => {
  try {
    const kept: Partial<KeptChat> | null = JSON.parse(sessionStorage.getItem(CHAT_STORAGE_KEY) ?? 'null')
    if (!kept?.session) return undefined
    return {
      view: 'closed',
      messages: [],
      unsent: [],
      receipts: NO_RECEIPTS,
      seen: 0,
      draft: '',
      ...kept,
      session: kept.session,
    }
  } catch {
    return undefined
  }
}

/** Keeps a chat, or none. A browser that allows no storage only loses the chat with the page. */
export const keepChat = (kept: KeptChat | undefined) => {
  try {
    if (!kept) return sessionStorage.removeItem(CHAT_STORAGE_KEY)
    const messages = kept.messages.slice(-MAX_KEPT_MESSAGES)
    sessionStorage.setItem(CHAT_STORAGE_KEY, JSON.stringify({ ...kept, messages }))
  } catch {
    // storage is switched off, or full
  }
}
