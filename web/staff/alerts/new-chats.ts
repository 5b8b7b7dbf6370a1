import type { WaitingChats } from '../../../events/chat/wire.ts'
import { counted } from '../leads/labels.ts'
import { visitorNameOf } from '../visitor-name.ts'
import { alerts } from './alerts.ts'
import { isConsoleOpen } from './open-console.ts'
import { takeNews } from './told.ts'

const TOLD_KEY = 'staff-chats-told'

type Newest = NonNullable<WaitingChats['newest']>

/** Notes that somebody has seen these chats: none of them is told of in this browser any more. */
export const passOverChats = (newest: Newest) => takeNews(TOLD_KEY, newest)

/**
 * Tells of chats that wait for a first answer, and of which nobody was told in this browser: of one by name, of several how
 * many. A console that is open in another tab has told of them by itself. `open` shows a chat, or the list of all.
 */
export const tellOfNewChats = async (newest: Newest, open: (sessionId: string | undefined) => void) => {
  const [last, ...others] = await takeNews(TOLD_KEY, newest)
  if (!last || (await isConsoleOpen())) return
  const name = visitorNameOf(last.visitorName)
  const isOne = others.length === 0
  alerts.tell({
    title: isOne ? `New chat: ${name}` : counted(others.length + 1, 'new chat'),
    body: isOne ? 'Nobody has answered yet.' : `The latest: ${name}`,
    tag: isOne ? last.sessionId : 'chats',
    onOpen: () => open(isOne ? last.sessionId : undefined),
  })
}
