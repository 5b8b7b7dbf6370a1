import type { RecordedEvent } from '../../../events/base/definition.ts'
import type { Sent } from '../../../events/base/word.ts'
import { chatStreams, OPEN_CHAT_VERSION } from '../../../events/chat/chat.ts'
import { chatRated, chatRatingStreams } from '../../../events/chat/rating.ts'
import type { chatRating } from '../../../events/chat/wire.ts'
import { deterministicUuid } from '../../../events/log/event-id.ts'
import { handle } from '../../../events/log/handle.ts'
import { readNewest, readVersions } from '../../../events/log/read.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import type { ApiNode } from '../../node/node.ts'
import { type Frame, FrameError } from '../socket/frame.ts'

/** The visitor's rating of a chat, read from the log; null if there is none. */
export const readRating = async (sql: Sql, sessionId: string): Promise<Sent<typeof chatRating> | null> => {
  const [rated] = await readNewest(sql, chatRatingStreams.of(sessionId), { limit: 1 })
  if (!rated) return null
  const { data, personal, recordedAt } = rated
  return { score: data.score, comment: personal?.comment ?? null, timestamp: recordedAt.toISOString() }
}

export const isRated = async (sql: Sql, sessionId: string): Promise<boolean> => {
  const stream = chatRatingStreams.of(sessionId)
  return ((await readVersions(sql, [stream])).get(stream) ?? 0) > 0
}

/**
 * Stores a visitor's rating of an ended chat, once: a retry with the same rating is accepted, another rating is
 * refused.
 * @throws a FrameError if the rating is refused, and a LogError `erased` if the chat has been erased.
 */
export const rateChat = async (
  { sql, log }: Pick<ApiNode, 'sql' | 'log'>,
  { sessionId, score, comment }: Frame<'rate_chat'>,
): Promise<RecordedEvent<typeof chatRated> | undefined> => {
  const stream = chatRatingStreams.of(sessionId)
  const { appended } = await handle(log, {
    read: async () => {
      const [versions, rated] = await Promise.all([
        readVersions(sql, [chatStreams.of(sessionId)]),
        readRating(sql, sessionId),
      ])
      const hasEnded = (versions.get(chatStreams.of(sessionId)) ?? 0) > OPEN_CHAT_VERSION
      return { hasEnded, rated, stream, version: rated ? 1 : 0 }
    },
    decide: ({ hasEnded, rated }) => {
      if (!hasEnded) throw new FrameError('not_allowed', 'A chat can be rated once it has ended')
      if (rated?.score === score && rated.comment === comment) return undefined
      if (rated) throw new FrameError('not_allowed', 'You have rated this chat already')
      const event = chatRated({ score }, { subjectId: sessionId, personal: { comment } })
      return { id: deterministicUuid('chat rated', sessionId), ...event }
    },
  })
  return appended
}
