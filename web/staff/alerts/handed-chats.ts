import type { HandedChat } from '../../../events/chat/wire.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { visitorNameOf } from '../chat/visitor-name.ts'
import { alerts } from './alerts.ts'
import { takeUnseenOnce } from './shown-alerts.ts'

/** Each person's notified chats are stored separately: the next one at this browser is another. */
const shownKey = (accountId: string) => `staff-handed-told-${accountId}`

/** The visitor's name is missing if the chat was handed over before the console had read its session. */
type Handed = Omit<HandedChat, 'visitorName'> & { visitorName?: string; note?: string | null }

/** `open` shows a chat; `isOpen` returns whether a chat is already shown. */
type Way = { open: (sessionId: string) => void; isOpen: (sessionId: string) => boolean }

/** Notifies of a chat that a colleague has handed over, with the note if it is available. */
const showAlert = ({ sessionId, visitorName, from, note }: Handed, { open, isOpen }: Way) => {
  const fromVisitor = visitorName === undefined ? '' : `: ${visitorNameOf(visitorName)}`
  const title = `${from} handed you a chat${fromVisitor}`
  const onOpen = () => open(sessionId)
  const isShown = isOpen(sessionId)
  toast({
    title,
    description: note ?? (isShown ? 'You have it open.' : 'It is in your list.'),
    ...(!isShown && { action: { label: 'Open', run: onOpen } }),
  })
  alerts.tell('handed', { title, body: note ?? '', tag: `handed ${sessionId}`, onOpen })
}

/** Notifies a staff member of the chats handed to them for which no tab of this browser has notified them. */
export const notifyOfHandedChats = async (accountId: string, chats: readonly Handed[], way: Way) => {
  // the server lists only those without a reply
  const unseen = await takeUnseenOnce(shownKey(accountId), chats, { isFirstShown: true })
  for (const chat of unseen) showAlert(chat, way)
}

type Options = { accountId: string; read: () => Promise<readonly Handed[]> } & Way

/**
 * Notifies, on the console, which learns of it at once, of handed-over chats that no tab has shown. In order: `read`,
 * which returns those handed over while there was no connection, runs before later ones.
 */
export const openHandedChats = ({ accountId, read, ...way }: Options) => {
  let showing = Promise.resolve()
  const showInTurn = (find: () => Promise<readonly Handed[]>) => {
    showing = showing
      .then(async () => notifyOfHandedChats(accountId, await find(), way))
      .catch((error) => console.warn('Chats that were handed over could not be announced:', error))
  }
  return {
    /** The console has joined a node. */
    joined: () => showInTurn(read),
    /** A chat was handed over just now. */
    handed: (chat: Handed) => showInTurn(async () => [chat]),
  }
}
