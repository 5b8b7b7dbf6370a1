import { messageStreams, sessionIdOf } from '../../events/chat.ts'
import type { Lead, LeadEvent } from '../../events/lead.ts'
import { leadAnswerStreams } from '../../events/lead-answer.ts'
import { leadContactStreams } from '../../events/lead-contact.ts'
import { chatAnswerId, countsAsAnswer } from '../../events/log/answer-changes.ts'
import { readNewest, readStreams, readVersions } from '../../events/log/read.ts'
import { findChats } from '../../events/projections/people.ts'
import { isMissingView } from '../errors.ts'
import type { ApiNode } from '../node.ts'

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
export const readSaid = async (
  { sql }: Pick<ApiNode, 'sql'>,
  streams: ReturnType<typeof messageStreams.of>[],
  limit = MAX_SAID,
) => {
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

/**
 * What staff have answered to these leads, by email and by other ways; which of it was noted by mistake, by the ids of the
 * answers; and what they have `said` in the chats of which these leads were made. `guards` fail if an answer is stored or
 * taken back after this was read.
 */
export const readAnswers = async (node: ApiNode, ids: string[]) => {
  const { sql } = node
  const chats = await findChats(sql, { leadIds: ids, emails: [] }).catch((error) => {
    if (isMissingView(error)) return []
    throw error
  })
  const messages = chats.map(({ session }) => messageStreams.of(session.sessionId))
  const answers = ids.map(leadAnswerStreams.of)
  const contacts = ids.map(leadContactStreams.of)
  const versions = await readVersions(sql, [...answers, ...contacts, ...messages])
  const [given, removals, said] = await Promise.all([
    readStreams(sql, answers, { types: ['LeadEmailWritten', 'LeadContacted'] }),
    readStreams(sql, contacts, { types: ['LeadContactRemoved'] }),
    readSaid(node, messages),
  ])
  return {
    emails: given.filter(({ type }) => type === 'LeadEmailWritten').map(givenBy),
    contacts: given.filter(({ type }) => type === 'LeadContacted').map(givenBy),
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
