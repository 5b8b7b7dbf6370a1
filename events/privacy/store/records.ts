import type { AnyRecordedEvent } from '../../catalogue.ts'
import { chatActivityStreams } from '../../chat/activity.ts'
import { chatAssignmentStreams } from '../../chat/assignment.ts'
import { chatStreams, messageStreams } from '../../chat/chat.ts'
import { chatEmailStreams } from '../../chat/given-email.ts'
import { chatLinksStreams } from '../../chat/links.ts'
import { chatRatingStreams } from '../../chat/rating.ts'
import { contractStreams } from '../../contract/signed-copy.ts'
import { leadCopyStreams } from '../../lead/email/copy.ts'
import { leadStreams } from '../../lead/lead.ts'
import { mergeStreams } from '../../lead/person/merge.ts'
import { leadAnswerStreams } from '../../lead/reply/answer.ts'
import { leadContactStreams } from '../../lead/reply/contact.ts'
import { readStream, readStreams } from '../../log/read.ts'
import type { Sql } from '../../stores/connection.ts'
import { CASES_STREAM } from '../case.ts'
import { privacyExportStreams } from '../export.ts'

/** The streams about a person's lead; alerts to staff about it are about those. */
const LEAD_STREAMS = [
  leadStreams,
  leadContactStreams,
  mergeStreams,
  leadCopyStreams,
  leadAnswerStreams,
  contractStreams,
  privacyExportStreams,
]

/** The streams about a chat, without its messages. */
const CHAT_STREAMS = [
  chatStreams,
  chatActivityStreams,
  chatEmailStreams,
  chatAssignmentStreams,
  chatLinksStreams,
  chatRatingStreams,
  privacyExportStreams,
]

/** The streams about leads. */
export const streamsOfLeads = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => LEAD_STREAMS.map(({ of }) => of(id)))

/** The streams about chats; their messages are in others. */
export const streamsOfChats = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => CHAT_STREAMS.map(({ of }) => of(id)))

/** How many leads and chats are read together, and how many events at a time: signed copies are the largest. */
const BATCH_SUBJECTS = 50
const PAGE_EVENTS = 250

/** The requests of a person about their data, with what was done. */
export const readRequests = async (
  sql: Sql,
  subjectIds: readonly string[],
  upTo: number,
): Promise<AnyRecordedEvent[]> => {
  const own = new Set(subjectIds)
  const events = (await readStream(sql, CASES_STREAM)).filter(({ position }) => position <= upTo)
  const caseIds = new Set(
    events.flatMap(({ subjectId, data }) => (subjectId && own.has(subjectId) ? [data.caseId] : [])),
  )
  return events.filter(({ data }) => caseIds.has(data.caseId))
}

const batchesOf = (leadIds: readonly string[], sessionIds: readonly string[]): string[][] => {
  const batches: string[][] = []
  for (let from = 0; from < leadIds.length; from += BATCH_SUBJECTS) {
    batches.push(streamsOfLeads(leadIds.slice(from, from + BATCH_SUBJECTS)))
  }
  for (const id of sessionIds) batches.push([...streamsOfChats([id]), messageStreams.of(id)])
  return batches
}

/**
 * Reads all events of a person's leads and chats up to a position of the log, a page at a time, in the order of the log
 * within 50 leads or chats: memory holds one page, however many there are.
 */
export async function* readRecords(
  sql: Sql,
  { leadIds, sessionIds }: { leadIds: readonly string[]; sessionIds: readonly string[] },
  upTo: number,
): AsyncGenerator<{ events: AnyRecordedEvent[]; done: number }> {
  yield { events: await readRequests(sql, [...leadIds, ...sessionIds], upTo), done: 0 }
  const batches = batchesOf(leadIds, sessionIds)
  for (const [index, streams] of batches.entries()) {
    for (let after = 0; ; ) {
      const events = await readStreams(sql, streams, { after, upTo, limit: PAGE_EVENTS })
      yield { events, done: (index + 1) / batches.length }
      if (events.length < PAGE_EVENTS) break
      after = events.at(-1)?.position ?? after
    }
  }
}

/** An email about a person, with its attempts and the responses of the other side. */
type SentEmail = {
  eventId: string
  state: string
  recipient: string
  askedAt: Date
  attempts: { at: Date; result: string | null; response: string | null }[]
}

/** Reads the emails about a person, those to staff apart, the ones of 50 leads or one chat at a time. */
export async function* readSentEmails(
  sql: Sql,
  { leadIds, sessionIds }: { leadIds: readonly string[]; sessionIds: readonly string[] },
): AsyncGenerator<SentEmail[]> {
  for (const streams of batchesOf(leadIds, sessionIds)) {
    yield await sql<SentEmail[]>`
      select event_id as "eventId", state, recipient, asked_at as "askedAt", coalesce((
        select jsonb_agg(jsonb_build_object('at', tried_at, 'result', kind, 'response', answer) order by attempt)
        from delivery_tries t where t.event_id = d.event_id
      ), '[]') as attempts
      from deliveries d where stream = any(${streams}) and recipient <> 'staff' order by event_position`
  }
}
