import type { HandedChat } from '../../../events/wire/chat.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { alerts } from './alerts.ts'
import { takeNews } from './told.ts'

const TOLD_KEY = 'staff-handed-told'

/** Tells of a chat that a colleague has handed over, with the note where it is known. `open` shows the chat. */
const tell = ({ sessionId, from, note }: HandedChat & { note?: string | null }, open: (sessionId: string) => void) => {
  const title = `${from} handed you a chat`
  const onOpen = () => open(sessionId)
  const description = note ?? 'It is in your list.'
  toast({ title, description, variant: 'default', action: { label: 'Open', run: onOpen } })
  alerts.tell({ title, body: note ?? '', tag: `handed ${sessionId}`, onOpen })
}

/** Tells of the chats that were handed over and that no tab of this browser has told of. */
export const tellOfHandedChats = async (chats: readonly HandedChat[], open: (sessionId: string) => void) => {
  for (const chat of await takeNews(TOLD_KEY, chats)) tell(chat, open)
}

/** Tells of a chat that was handed over just now: on the console, which knows at once. Other screens do not repeat it. */
export const tellOfHandedChat = (chat: HandedChat & { note: string | null }, open: (sessionId: string) => void) => {
  takeNews(TOLD_KEY, [chat]).catch((error) => console.warn('It could not be noted what was told:', error))
  tell(chat, open)
}
