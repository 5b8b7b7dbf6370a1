import { messageStreams, sessionIdOf } from '../chat.ts'
import type { Lead, LeadEvent } from '../lead.ts'
import { type LeadAnswerEvent, leadAnswerStreams } from '../lead-answer.ts'
import { leadContactStreams } from '../lead-contact.ts'
import { chatAnswerId, countsAsAnswer } from '../log/answer-changes.ts'
import type { Sql } from '../log/connection.ts'
import { readNewest, readStreams, readVersions } from '../log/read.ts'
import { findChats } from './people.ts'
import { isMissingView } from './projection.ts'

/** An answer to a lead: its id, who gave it, when (`at`, ISO 8601), and where the log tells of it. */
export type GivenAnswer = { id: string; by: string; at: string; position: number }

/** How many messages of staff are looked through, the newest of a chat. */
const MAX_SAID = 1_000

type Told = { id: string; position: number; recordedAt: Date; data: { by: string } }

const givenBy = ({ id, position, recordedAt, data: { by } }: Told): GivenAnswer => ({
  id,
  by,
  at: recordedAt.toISOString(),
  position,
})

/** The newest of what staff have said in some chats, of each at most so much, without the words. */
export const readSaid = async (sql: Sql, streams: ReturnType<typeof messageStreams.of>[], limit = MAX_SAID) => {
  const newest = { limit, types: ['ChatMessagePosted'], data: { senderType: 'admin' }, isOutline: true } as const
  return (await Promise.all(streams.map((stream) => readNewest(sql, stream, newest)))).flat()
}

type Said = Awaited<ReturnType<typeof readSaid>>

/**
 * The first of what was said in a chat since a lead `came`, by whom and when. A lead that was made of the chat (`isMade`) may
 * have been answered there before: then it was answered as it came. Undefined where nothing was said that counts.
 */
export const saidTo = (said: Said, { came, isMade }: { came: Date; isMade: boolean }) => {
  const known = said.flatMap(({ recordedAt: at, data: { by } }) => (by === undefined ? [] : [{ by, at }]))
  const first = known.find(({ at }) => at > came)
  if (first) return first
  const before = known.at(-1)
  return before && isMade ? { by: before.by, at: came } : undefined
}

/** With these an email has reached nobody for certain. What may have arrived counts as an answer. */
const NOT_ARRIVED: readonly string[] = ['rejected', 'expired']

/** Whether an event says that an email has reached nobody, and is not tried again by itself. */
export const isFinalFailure = ({ type, data }: LeadAnswerEvent): boolean =>
  type === 'EmailForwardFailed' && !data.willRetry && NOT_ARRIVED.includes(data.reason)

/** The emails among answers that have reached nobody, by their ids. */
const failedEmails = (told: readonly LeadAnswerEvent[]): Set<string> => {
  const failed = new Set<string>()
  for (const event of told) {
    if (event.type !== 'EmailForwarded' && event.type !== 'EmailForwardFailed') continue
    if (isFinalFailure(event)) failed.add(event.data.forwardId)
    else if (event.type === 'EmailForwarded' && event.data.to !== 'outbox') failed.delete(event.data.forwardId)
  }
  return failed
}

/**
 * What staff have answered to these leads, by email and by other ways; which emails have `failed`, and what was noted
 * by mistake, by the ids of the answers; and what they have `said` in the chats of which these leads were made.
 * `guards` fail if an answer is stored or taken back after this was read.
 */
export const readAnswers = async (sql: Sql, ids: string[]) => {
  const chats = await findChats(sql, { leadIds: ids, emails: [] }).catch((error) => {
    if (isMissingView(error)) return []
    throw error
  })
  const messages = chats.map(({ session }) => messageStreams.of(session.sessionId))
  const answers = ids.map(leadAnswerStreams.of)
  const contacts = ids.map(leadContactStreams.of)
  const versions = await readVersions(sql, [...answers, ...contacts, ...messages])
  const [told, removals, said] = await Promise.all([
    readStreams(sql, answers),
    readStreams(sql, contacts, { types: ['LeadContactRemoved'] }),
    readSaid(sql, messages),
  ])
  return {
    emails: told.flatMap((event) => (event.type === 'LeadEmailWritten' ? [givenBy(event)] : [])),
    contacts: told.flatMap((event) => (event.type === 'LeadContacted' ? [givenBy(event)] : [])),
    failed: failedEmails(told),
    removed: removals.map(({ data }) => data.contactId),
    said,
    guards: [...versions].map(([stream, version]) => ({ stream, version })),
  }
}

/** What counts of it as an answer to a lead: of each chat the first. */
export const answersInChats = (said: Said, { lead, events }: { lead: Lead; events: LeadEvent[] }): GivenAnswer[] => {
  const answers = said.flatMap(({ stream, position, recordedAt, data: { by } }) => {
    const sessionId = sessionIdOf(stream)
    if (by === undefined || !countsAsAnswer({ sessionId, position }, events)) return []
    return [givenBy({ id: chatAnswerId(lead.id, sessionId), position, recordedAt, data: { by } })]
  })
  return [...new Map(answers.toReversed().map((answer) => [answer.id, answer])).values()]
}
