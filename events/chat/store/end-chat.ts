import type { Appender } from '../../log/append.ts'
import type { Queryable } from '../../log/decode.ts'
import { handle } from '../../log/handle.ts'
import { readVersions } from '../../log/read.ts'
import { type ChatMessage, type ChatSessionEvent, chatEnded, chatStreams, OPEN_CHAT_VERSION } from '../chat.ts'

/** Ends an open chat and returns the event; does nothing if it has ended. */
export const endChat = async (
  { sql, log }: { sql: Queryable; log: Pick<Appender, 'append'> },
  sessionId: string,
  endedBy: ChatMessage['senderType'],
): Promise<ChatSessionEvent | undefined> => {
  const stream = chatStreams.of(sessionId)
  const { appended } = await handle(log, {
    read: async () => ({ stream, version: (await readVersions(sql, [stream])).get(stream) ?? 0 }),
    decide: ({ version }) => (version === OPEN_CHAT_VERSION ? chatEnded({ endedBy }) : undefined),
  })
  return appended
}
