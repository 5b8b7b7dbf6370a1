/**
 * Whether staff's messages in a chat answer a lead. The chat is not a stream of the lead. They count if the lead, or
 * one merged into it, was made of the chat. An address that was typed in the chat proves nothing, and answers no lead.
 * A chat answers a lead by itself once; after that staff can count their messages there, each time as a reply of its
 * own.
 */

import { messageStreams, sessionIdOf } from '../../chat/chat.ts'
import { readNewest, readVersions } from '../../log/read.ts'
import { isMissingView } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { leadAnswered } from '../follow-up/answered.ts'
import { changesBy, leadAfter } from '../follow-up-history.ts'
import type { Lead, LeadEvent } from '../lead.ts'
import { answeredId, chatAnswerId } from './answer-ids.ts'
import { findChats } from './people.ts'

/** How many messages of staff are looked through, the newest of a chat. */
const MAX_REPLIES = 1_000

/** The newest messages of staff in some chats, of each at most `limit`, without their text. */
export const readReplies = async (sql: Sql, streams: ReturnType<typeof messageStreams.of>[], limit = MAX_REPLIES) => {
  const newest = { limit, types: ['ChatMessagePosted'], data: { senderType: 'admin' }, isOutline: true } as const
  return (await Promise.all(streams.map((stream) => readNewest(sql, stream, newest)))).flat()
}

type Replies = Awaited<ReturnType<typeof readReplies>>

/**
 * The first reply in a chat since a lead `came`, by whom and when. A lead that was made of the chat (`isMade`) may have
 * been answered there before: then it was answered as it came. Undefined if no reply counts.
 */
export const replyTo = (replies: Replies, { came, isMade }: { came: Date; isMade: boolean }) => {
  const known = replies.flatMap(({ recordedAt: at, data: { by } }) => (by === undefined ? [] : [{ by, at }]))
  const first = known.find(({ at }) => at > came)
  if (first) return first
  const before = known.at(-1)
  return before && isMade ? { by: before.by, at: came } : undefined
}

/**
 * The replies in the chats that these leads were made of. `guards` fail if another message is stored after this read.
 */
export const readRepliesToLeads = async (sql: Sql, leadIds: string[]) => {
  const chats = await findChats(sql, { leadIds, emails: [], phones: [] }).catch((error) => {
    if (isMissingView(error)) return []
    throw error
  })
  const streams = chats.map(({ session }) => messageStreams.of(session.sessionId))
  const versions = await readVersions(sql, streams)
  const guards = [...versions].map(([stream, version]) => ({ stream, version }))
  return { replies: await readReplies(sql, streams), guards }
}

/** Whether a chat has answered a lead. */
const hasAnswered = (sessionId: string, events: readonly LeadEvent[]) =>
  events.some(({ type, data }) => type === 'LeadAnswered' && data.sessionId === sessionId)

/**
 * Whether a reply at a position of the log, in a chat that the lead was made of, answers it by itself: not if the lead
 * came later or was set back to new since, nor if the chat has answered it before.
 */
export const answersByItself = (
  { sessionId, position }: { sessionId: string; position: number },
  events: LeadEvent[],
): boolean => {
  if (hasAnswered(sessionId, events)) return false
  const changes = changesBy(events)
  const since = events.findLast(({ id }, index) => index === 0 || changes.get(id)?.followUpStatus === 'new')
  return since !== undefined && position >= since.position
}

/** The event by which a reply in a chat answers a lead by itself. */
export const answeredInChat = (
  leadId: string,
  { sessionId, by, at }: { sessionId: string; by: string; at: Date },
): { id: string } & ReturnType<typeof leadAnswered> => {
  const answerId = chatAnswerId(leadId, sessionId)
  const data = { answerId, channel: 'chat' as const, by, at: at.toISOString(), sessionId }
  return { id: answeredId(answerId), ...leadAnswered(data) }
}

const firstReply = (replies: Replies, events: LeadEvent[]) =>
  replies
    .toSorted((one, other) => one.position - other.position)
    .flatMap(({ stream, position, recordedAt: at, data: { by } }) =>
      by === undefined ? [] : [{ sessionId: sessionIdOf(stream), position, by, at }],
    )
    .find((reply) => answersByItself(reply, events))

/**
 * A change that withdraws a lead's reply, and, if the lead would wait again, the reply in a chat that answers it
 * instead.
 */
export const orAnsweredByReply = <Change extends { type: LeadEvent['type']; data: object }>(
  { lead, events }: { lead: Lead; events: LeadEvent[] },
  change: Change,
  replies: Replies,
): [Change, ...ReturnType<typeof answeredInChat>[]] => {
  const isWaitingAgain = lead.followUpStatus !== 'new' && leadAfter(events, change)?.followUpStatus === 'new'
  const reply = isWaitingAgain ? firstReply(replies, events) : undefined
  return reply ? [change, answeredInChat(lead.id, reply)] : [change]
}
