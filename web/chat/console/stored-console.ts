import { stored } from '../../client/stored.ts'
import { type Conversation, emptyConversation, type UnsentMessage } from '../messaging/conversation.ts'
import type { ConsoleState } from './console-state.ts'

/**
 * The state that a console stores over a reload of its tab: unsent replies and notes, and the messages already seen.
 */
type KeptConsole = Pick<ConsoleState, 'drafts' | 'handoverNotes' | 'seen' | 'conversations'>

/** Stored under the id of its writer: the next person who signs in here may be a different one. */
type Stored = Omit<KeptConsole, 'conversations'> & { staffId: string; unsent: Record<string, UnsentMessage[]> }

const storedConsole = stored('staff-chats', 'tab', (value) => value as Partial<Stored>)

const unsentOf = (conversations: KeptConsole['conversations']) =>
  Object.fromEntries(
    Object.entries(conversations).flatMap(([id, { unsent }]) => (unsent.length > 0 ? [[id, unsent] as const] : [])),
  )

const conversationsOf = (unsent: Stored['unsent']): Record<string, Conversation> =>
  Object.fromEntries(Object.entries(unsent).map(([id, messages]) => [id, { ...emptyConversation, unsent: messages }]))

/** The state that this tab has stored for a staff member; empty if there is none or it cannot be read. */
export const readKeptConsole = (staffId: string): KeptConsole => {
  const kept = storedConsole.read()
  if (kept?.staffId === staffId) {
    const { drafts = {}, handoverNotes = {}, seen = {}, unsent = {} } = kept
    return { drafts, handoverNotes, seen, conversations: conversationsOf(unsent) }
  }
  forgetConsole()
  return { drafts: {}, handoverNotes: {}, seen: {}, conversations: {} }
}

const written = (texts: Record<string, string>) => Object.keys(texts).filter((sessionId) => texts[sessionId]?.trim())

/** The chats for which this tab stores unsent text of a staff member: replies, and handover notes. */
export const unsentInChats = (staffId: string) => {
  const { drafts, handoverNotes, conversations } = readKeptConsole(staffId)
  return {
    replies: [...new Set([...written(drafts), ...Object.keys(conversations)])],
    handoverNotes: written(handoverNotes),
  }
}

/** In a browser that allows no storage, unsent text is lost with the page, and nothing else. */
export const keepConsole = (staffId: string, { drafts, handoverNotes, seen, conversations }: KeptConsole) =>
  storedConsole.keep({ staffId, drafts, handoverNotes, seen, unsent: unsentOf(conversations) })

/** Removes the tab's stored state: the next person who signs in is a different one. */
export const forgetConsole = () => storedConsole.discard()
