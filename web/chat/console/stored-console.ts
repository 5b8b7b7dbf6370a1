import { stored } from '../../client/stored.ts'
import type { LiveChat } from './console-state.ts'

/** The fields of a chat that a console stores over a reload of its tab. */
const STORED_FIELDS = ['draft', 'handoverNote', 'seen', 'unsent'] as const

type StoredPart = Pick<LiveChat, (typeof STORED_FIELDS)[number]>

/** Stored under the id of its writer: the next person who signs in here may be a different one. */
const storedConsole = stored(
  'staff-chats',
  'tab',
  (value) => value as { staffId: string; chats: Record<string, StoredPart> } | undefined,
)

/** The parts of chats that this tab has stored for a staff member, by session; none if they cannot be read. */
export const readStoredConsole = (staffId: string): [sessionId: string, chat: StoredPart][] => {
  const found = storedConsole.read()
  if (found?.staffId !== staffId) clearStoredConsole()
  return found?.staffId === staffId ? Object.entries(found.chats) : []
}

/** The chats for which this tab stores unsent text of a staff member: replies, and handover notes. */
export const unsentInChats = (staffId: string) => {
  const chats = readStoredConsole(staffId)
  const idsOf = (isOne: (chat: StoredPart) => boolean) => chats.filter(([, chat]) => isOne(chat)).map(([id]) => id)
  return {
    replies: idsOf(({ draft, unsent }) => draft.trim() !== '' || unsent.length > 0),
    handoverNotes: idsOf(({ handoverNote }) => handoverNote.trim() !== ''),
  }
}

/** Whether a change of a chat is to be stored. */
export const isStoredChange = (before: LiveChat, after: LiveChat) =>
  STORED_FIELDS.some((name) => before[name] !== after[name])

/** In a browser that allows no storage, unsent text is lost with the page, and nothing else. */
export const storeConsole = (staffId: string, chats: Readonly<Record<string, StoredPart>>) => {
  const entries = Object.entries(chats).map(([sessionId, { draft, handoverNote, seen, unsent }]) => {
    return [sessionId, { draft, handoverNote, seen, unsent }] as const
  })
  const isEmpty = ({ draft, handoverNote, seen, unsent }: StoredPart) => !draft && !handoverNote && !seen && !unsent[0]
  storedConsole.keep({ staffId, chats: Object.fromEntries(entries.filter(([, chat]) => !isEmpty(chat))) })
}

/** Removes the tab's stored state: the next person who signs in is a different one. */
export const clearStoredConsole = () => storedConsole.discard()
