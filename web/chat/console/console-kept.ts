import { stored } from '../../client/stored.ts'
import { type Conversation, emptyConversation, type UnsentMessage } from '../line/conversation.ts'
import type { ConsoleState } from './console-state.ts'

/**
 * What a console keeps over a reload of its tab: answers and notes that are not written or not sent yet, and what was
 * looked at.
 */
type KeptConsole = Pick<ConsoleState, 'drafts' | 'handoverNotes' | 'seen' | 'conversations'>

/** Kept under the id of who wrote it: the next person who signs in here may be someone else. */
type Stored = Omit<KeptConsole, 'conversations'> & { staffId: string; unsent: Record<string, UnsentMessage[]> }

const storedConsole = stored('staff-chats', 'tab', (value) => value as Partial<Stored>)

const unsentOf = (conversations: KeptConsole['conversations']) =>
  Object.fromEntries(
    Object.entries(conversations).flatMap(([id, { unsent }]) => (unsent.length > 0 ? [[id, unsent] as const] : [])),
  )

const conversationsOf = (unsent: Stored['unsent']): Record<string, Conversation> =>
  Object.fromEntries(Object.entries(unsent).map(([id, messages]) => [id, { ...emptyConversation, unsent: messages }]))

/** What this tab has kept of a member of staff; nothing where there is none, or it cannot be read. */
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

/** The chats of which this tab keeps what a member of staff has not sent: replies, and notes for who takes them over. */
export const unsentInChats = (staffId: string) => {
  const { drafts, handoverNotes, conversations } = readKeptConsole(staffId)
  return {
    replies: [...new Set([...written(drafts), ...Object.keys(conversations)])],
    handoverNotes: written(handoverNotes),
  }
}

/** A browser that allows no storage only loses with the page what is not sent. */
export const keepConsole = (staffId: string, { drafts, handoverNotes, seen, conversations }: KeptConsole) =>
  storedConsole.keep({ staffId, drafts, handoverNotes, seen, unsent: unsentOf(conversations) })

/** Forgets what the tab has kept: the next person who signs in is someone else. */
export const forgetConsole = () => storedConsole.discard()
