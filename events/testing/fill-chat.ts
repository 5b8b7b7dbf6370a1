import { randomUUID } from 'node:crypto'
import { chatMessagePosted, messageStreams } from '../chat/chat.ts'
import { openAppender } from '../log/append.ts'
import { TEST_KEYS } from './keys.ts'

/** How many messages are appended at once. */
const AT_ONCE = 500

/** For tests: writes this many messages as the visitor of a chat, the nth with the text of `textOf`. */
export const fillChat = async (
  databaseUrl: string,
  { sessionId, count, textOf }: { sessionId: string; count: number; textOf: (number: number) => string },
): Promise<void> => {
  const log = openAppender(databaseUrl, { keys: TEST_KEYS })
  const post = (number: number) => {
    const personal = { senderName: 'Ana', message: textOf(number), clientMessageId: null }
    const event = chatMessagePosted({ senderType: 'visitor' }, { subjectId: sessionId, personal })
    const events = [{ id: randomUUID(), ...event }]
    return log.append({ stream: messageStreams.of(sessionId), expectedVersion: 'any', events })
  }
  // the first one loads the key: those after it keep their order
  await post(1)
  for (let from = 2; from <= count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from + 1) }, (_, index) => from + index)
    await Promise.all(numbers.map(post))
  }
  await log.close()
}
