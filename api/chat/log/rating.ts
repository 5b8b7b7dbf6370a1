import type { RecordedEvent } from '../../../events/base/definition.ts'
import type { Sent } from '../../../events/base/word.ts'
import { chatStreams, RATE_WITHIN_MS } from '../../../events/chat/chat.ts'
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

const alreadyRated = () => new FrameError('not_allowed', 'You have rated this chat already')

/**
 * Stores a visitor's rating of an ended chat, once, and later the comment on it: a retry with the same rating is
 * accepted, another rating is refused, and so is one that comes more than RATE_WITHIN_MS after the chat's end.
 * @throws a FrameError if the rating is refused, and a LogError `erased` if the chat has been erased.
 */
export const rateChat = async (
  { sql, log }: Pick<ApiNode, 'sql' | 'log'>,
  { sessionId, score, comment }: Pick<Frame<'rate_chat'>, 'sessionId' | 'score' | 'comment'>,
  now = new Date(),
): Promise<RecordedEvent<typeof chatRated> | undefined> => {
  const stream = chatRatingStreams.of(sessionId)
  const { appended } = await handle(log, {
    read: async () => {
      const [[end], versions, rated] = await Promise.all([
        readNewest(sql, chatStreams.of(sessionId), { limit: 1, types: ['ChatEnded'] }),
        readVersions(sql, [stream]),
        readRating(sql, sessionId),
      ])
      return { endedAt: end?.recordedAt, rated, stream, version: versions.get(stream) ?? 0 }
    },
    decide: ({ endedAt, rated, version }) => {
      if (!endedAt) throw new FrameError('not_allowed', 'A chat can be rated once it has ended')
      if (
        rated &&
        (rated.score !== score || (comment !== null && rated.comment !== null && rated.comment !== comment))
      ) {
        throw alreadyRated()
      }
      if (rated && (comment === null || rated.comment === comment)) return undefined
      if (now.getTime() - endedAt.getTime() > RATE_WITHIN_MS) {
        throw new FrameError('not_allowed', 'A chat can be rated for 24 hours after its end')
      }
      const event = chatRated({ score }, { subjectId: sessionId, personal: { comment } })
      return { id: deterministicUuid('chat rated', sessionId, String(version)), ...event }
    },
  })
  return appended
}
