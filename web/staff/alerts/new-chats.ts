import type { WaitingChats } from '../../../events/chat/wire.ts'
import { visitorNameOf } from '../chat/visitor-name.ts'
import { counted } from '../leads/shown/labels.ts'
import { alerts } from './alerts.ts'
import { isConsoleOpen } from './console-lock.ts'
import { takeUnseenOnce } from './shown-alerts.ts'

const SHOWN_KEY = 'staff-chats-told'

type Newest = NonNullable<WaitingChats['newest']>

/** Marks these chats as seen: this browser no longer notifies of them. */
export const passOverChats = (newest: Newest) => takeUnseenOnce(SHOWN_KEY, newest)

/**
 * Notifies of chats that wait for a first reply and were not shown in this browser yet: of one by name, of several by
 * number. A console that is open in another tab has done so by itself. `open` shows a chat, or the list of all.
 */
export const notifyOfNewChats = async (newest: Newest, open: (sessionId: string | undefined) => void) => {
  const [last, ...others] = await takeUnseenOnce(SHOWN_KEY, newest)
  if (!last || (await isConsoleOpen())) return
  const name = visitorNameOf(last.visitorName)
  const isOne = others.length === 0
  alerts.tell('chat', {
    title: isOne ? `New chat: ${name}` : counted(others.length + 1, 'new chat'),
    body: isOne ? 'No reply yet.' : `The latest: ${name}`,
    tag: isOne ? last.sessionId : 'chats',
    onOpen: () => open(isOne ? last.sessionId : undefined),
  })
}
