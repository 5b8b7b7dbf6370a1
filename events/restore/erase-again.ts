import { chatActivityStreams, chatErased } from '../chat/activity.ts'
import { chatAssignmentStreams } from '../chat/assignment.ts'
import { chatEnded, chatStreams, messageStreams, OPEN_CHAT_VERSION } from '../chat/chat.ts'
import { chatEmailStreams } from '../chat/given-email.ts'
import { chatRatingStreams } from '../chat/rating.ts'
import { contractStreams } from '../contract/signed-copy.ts'
import { readErasedStreams } from '../erasure/append-erasures.ts'
import type { ErasedSubject } from '../erasure/erased-subjects.ts'
import { leadAlertStreams } from '../lead/email/alert.ts'
import { leadCopyStreams } from '../lead/email/copy.ts'
import { leadErased, leadStreams } from '../lead/lead.ts'
import { leadAnswerStreams } from '../lead/reply/answer.ts'
import { leadContactStreams } from '../lead/reply/contact.ts'
import type { Appender } from '../log/append.ts'
import { deterministicUuid } from '../log/event-id.ts'
import { readVersions } from '../log/read.ts'
import { runWith, systemContext } from '../process/context.ts'
import { passwordLinkStreams } from '../staff/password-link.ts'
import type { Sql } from '../stores/connection.ts'

const BATCH_SUBJECTS = 500

/** The owner in erasures that were lost: the ledger does not hold who requested them. */
const UNKNOWN_OWNER = '00000000-0000-8000-8000-000000000000'

/** All streams that may be about a data subject, whose id is that of the lead, of the chat, or of a password link. */
export const streamsOfSubject = (subjectId: string): string[] => [
  leadStreams.of(subjectId),
  leadCopyStreams.of(subjectId),
  leadAlertStreams.of(subjectId),
  leadAnswerStreams.of(subjectId),
  leadContactStreams.of(subjectId),
  contractStreams.of(subjectId),
  chatStreams.of(subjectId),
  messageStreams.of(subjectId),
  chatActivityStreams.of(subjectId),
  chatEmailStreams.of(subjectId),
  chatAssignmentStreams.of(subjectId),
  chatRatingStreams.of(subjectId),
  passwordLinkStreams.of(subjectId),
]

const appendOnce = (
  log: Appender,
  stream: string,
  event: ReturnType<typeof leadErased | typeof chatErased | typeof chatEnded>,
) =>
  log.append({
    stream,
    expectedVersion: 'any',
    events: [{ id: deterministicUuid('erased again', stream, event.type), ...event }],
  })

const eraseChatAgain = async (log: Appender, sessionId: string, version: number) => {
  if (version === OPEN_CHAT_VERSION) await appendOnce(log, chatStreams.of(sessionId), chatEnded({ endedBy: 'admin' }))
  await appendOnce(log, chatActivityStreams.of(sessionId), chatErased({ by: UNKNOWN_OWNER }))
}

/**
 * Appends the erasures that a restored log has lost: leads and chats of erased people count as erased again, and chats
 * that were still open end. Returns the number of lost erasures. Repeating it appends nothing more.
 */
export const eraseAgain = (sql: Sql, log: Appender, erased: readonly ErasedSubject[]): Promise<number> =>
  runWith(systemContext('restore'), async () => {
    let count = 0
    for (let from = 0; from < erased.length; from += BATCH_SUBJECTS) {
      const ids = erased.slice(from, from + BATCH_SUBJECTS).map(({ subjectId }) => subjectId)
      const streams = ids.flatMap(streamsOfSubject)
      const versions = await readVersions(sql, streams)
      const done = await readErasedStreams(sql, streams)
      const isLost = (stream: string, erasedIn: string) => (versions.get(stream) ?? 0) > 0 && !done.has(erasedIn)
      const leads = ids.filter((id) => isLost(leadStreams.of(id), leadStreams.of(id)))
      const chats = ids.filter((id) => isLost(chatStreams.of(id), chatActivityStreams.of(id)))
      await Promise.all([
        ...leads.map((id) => appendOnce(log, leadStreams.of(id), leadErased({ by: UNKNOWN_OWNER }))),
        ...chats.map((id) => eraseChatAgain(log, id, versions.get(chatStreams.of(id)) ?? 0)),
      ])
      count += leads.length + chats.length
    }
    return count
  })
