import { chatStream, messageStream } from '../chat.ts'
import { chatDeskStream } from '../chat-desk.ts'
import type { ChatEvent } from '../chat-summary.ts'
import { type Queryable, readStreams } from './read.ts'

/** Far beyond what people can say in one chat. */
const MAX_CHAT_EVENTS = 100_000

/** What happened in a chat, in all its streams, in the order of the log, with the version that its desk's stream has. */
export const readChat = async (sql: Queryable, sessionId: string): Promise<{ events: ChatEvent[]; desk: number }> => {
  const desk = chatDeskStream(sessionId)
  const streams = [chatStream(sessionId), messageStream(sessionId), desk]
  const events = await readStreams(sql, streams, { limit: MAX_CHAT_EVENTS })
  return {
    // what became of the chat's e-mails stands in its desk's stream too
    events: events.filter((event) => event.type.startsWith('Chat')) as ChatEvent[],
    desk: events.findLast(({ stream }) => stream === desk)?.version ?? 0,
  }
}
