import { stored } from '../../client/stored.ts'
import { type ConsoleState, emptyChat, idsOf, type LiveChat } from './console-state.ts'

/** The fields of a chat that a console stores over a reload of its tab. */
const KEPT = ['draft', 'handoverNote', 'seen', 'unsent'] as const

type KeptChat = Pick<LiveChat, (typeof KEPT)[number]>

/** Stored under the id of its writer: the next person who signs in here may be a different one. */
const storedConsole = stored(
  'staff-chats',
  'tab',
  (value) => value as { staffId: string; chats: Record<string, KeptChat> } | undefined,
)

/** The chats of which this tab has stored something for a staff member; none if it cannot be read. */
export const readKeptConsole = (staffId: string): ConsoleState['chats'] => {
  const kept = storedConsole.read()
  if (kept?.staffId !== staffId) forgetConsole()
  const chats = kept?.staffId === staffId ? Object.entries(kept.chats) : []
  return Object.fromEntries(chats.map(([sessionId, chat]) => [sessionId, { ...emptyChat, ...chat }]))
}

/** The chats for which this tab stores unsent text of a staff member: replies, and handover notes. */
export const unsentInChats = (staffId: string) => {
  const chats = readKeptConsole(staffId)
  return {
    replies: idsOf(chats, ({ draft, unsent }) => draft.trim() !== '' || unsent.length > 0),
    handoverNotes: idsOf(chats, ({ handoverNote }) => handoverNote.trim() !== ''),
  }
}

/** Whether a change of a chat is to be stored. */
export const isKeptChange = (before: LiveChat, after: LiveChat) => KEPT.some((name) => before[name] !== after[name])

/** In a browser that allows no storage, unsent text is lost with the page, and nothing else. */
export const keepConsole = (staffId: string, chats: Readonly<Record<string, KeptChat>>) => {
  const kept = Object.entries(chats).map(([sessionId, { draft, handoverNote, seen, unsent }]) => {
    return [sessionId, { draft, handoverNote, seen, unsent }] as const
  })
  const isEmpty = ({ draft, handoverNote, seen, unsent }: KeptChat) => !draft && !handoverNote && !seen && !unsent[0]
  storedConsole.keep({ staffId, chats: Object.fromEntries(kept.filter(([, chat]) => !isEmpty(chat))) })
}

/** Removes the tab's stored state: the next person who signs in is a different one. */
export const forgetConsole = () => storedConsole.discard()
