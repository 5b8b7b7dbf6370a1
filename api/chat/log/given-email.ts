import type { RecordedEvent } from '../../../events/base/definition.ts'
import { chatStreams, OPEN_CHAT_VERSION } from '../../../events/chat/chat.ts'
import { chatEmailGiven, chatEmailStreams, MAX_GIVEN_EMAILS } from '../../../events/chat/given-email.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import { handle } from '../../../events/log/handle.ts'
import { readStream } from '../../../events/log/read.ts'
import type { ApiNode } from '../../node/node.ts'
import { FrameError } from '../socket/frame.ts'
import { readSession } from './sessions.ts'

/** An address given by the visitor; the same `clientMessageId` means the same request. */
type Given = { visitorEmail: string; clientMessageId: string }

/**
 * Stores the address that a visitor gives while the chat is open, and returns the event: once for a clientMessageId
 * however often it is sent, and not if replies already go to it. A chat ends before it is erased, so an address that
 * arrives after an erasure is refused.
 * @throws a LogError `guard_failed` if there is no such chat or it has ended, and a FrameError after 5 addresses.
 */
export const storeEmail = async (
  { sql, log }: Pick<ApiNode, 'sql' | 'log'>,
  sessionId: string,
  { visitorEmail, clientMessageId }: Given,
): Promise<RecordedEvent<typeof chatEmailGiven> | undefined> => {
  const stream = chatEmailStreams.of(sessionId)
  const id = deterministicUuid('chat email', sessionId, clientMessageId)
  const { appended } = await handle(log, {
    read: async () => {
      const given = await readStream(sql, stream, { limit: MAX_GIVEN_EMAILS })
      const session = await readSession({ sql }, sessionId)
      const guards = [{ stream: chatStreams.of(sessionId), version: OPEN_CHAT_VERSION }]
      return { given, session, stream, version: given.length, guards }
    },
    decide: ({ given, session }) => {
      const event = { id, ...chatEmailGiven({}, { subjectId: sessionId, personal: { visitorEmail } }) }
      // the log checks that it holds the same data
      if (given.some((before) => before.id === id)) return event
      if (session?.isActive && session.visitorEmail === visitorEmail) return undefined
      if (given.length < MAX_GIVEN_EMAILS) return event
      throw new FrameError(
        'not_allowed',
        `You have changed your email address ${MAX_GIVEN_EMAILS} times. Write the right one in a message`,
      )
    },
  })
  return appended
}
