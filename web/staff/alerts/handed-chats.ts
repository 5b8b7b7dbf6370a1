import type { HandedChat } from '../../../events/wire/chat.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { alerts } from './alerts.ts'
import { takeNews } from './told.ts'

const TOLD_KEY = 'staff-handed-told'

type Handed = HandedChat & { note?: string | null }

type Open = (sessionId: string) => void

/** Tells of a chat that a colleague has handed over, with the note where it is known. `open` shows the chat. */
const tell = ({ sessionId, from, note }: Handed, open: Open) => {
  const title = `${from} handed you a chat`
  const onOpen = () => open(sessionId)
  const description = note ?? 'It is in your list.'
  toast({ title, description, variant: 'default', action: { label: 'Open', run: onOpen } })
  alerts.tell({ title, body: note ?? '', tag: `handed ${sessionId}`, onOpen })
}

/** Tells of the chats that were handed over and that no tab of this browser has told of. */
export const tellOfHandedChats = async (chats: readonly Handed[], open: Open) => {
  for (const chat of await takeNews(TOLD_KEY, chats)) tell(chat, open)
}

/**
 * Tells on the console, which knows at once, of what no tab has told of. One after the other: `read`, which answers
 * what was handed over while there was no connection, comes before what follows.
 */
export const openHandedChats = ({ read, open }: { read: () => Promise<readonly Handed[]>; open: Open }) => {
  let telling = Promise.resolve()
  const tellInTurn = (find: () => Promise<readonly Handed[]>) => {
    telling = telling
      .then(async () => tellOfHandedChats(await find(), open))
      .catch((error) => console.warn('Chats that were handed over could not be told of:', error))
  }
  return {
    /** The console has joined a node. */
    joined: () => tellInTurn(read),
    /** A chat was handed over just now. */
    handed: (chat: Handed) => tellInTurn(async () => [chat]),
  }
}
