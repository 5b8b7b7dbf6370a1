import type { RecordedEvent } from '../../events/base/definition.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { VISITOR_COPIES } from '../../events/consumers/acting-consumers.ts'
import {
  COPY_UNTIL_MS,
  isCopied,
  leadCopyRequested,
  leadCopyStreams,
  MAX_COPIES_A_DAY,
} from '../../events/lead/email/copy.ts'
import { leadIdOf, leadStreams, type leadSubmitted } from '../../events/lead/lead.ts'
import { countCopiesBefore } from '../../events/lead/store/people.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import type { Appender } from '../../events/log/append.ts'
import { readPosition } from '../../events/log/checkpoints.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readStream } from '../../events/log/read.ts'
import { contextCausedBy, runWith } from '../../events/process/context.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { actOnLog } from '../consumers/act-on-log.ts'

const BATCH_EVENTS = 500

/** `isOn`: whether there is a way to send to visitors, which is an SMTP server. */
type Copying = { sql: Sql; log: Pick<Appender, 'append'>; isOn: boolean }
type Submission = RecordedEvent<typeof leadSubmitted>

/** The submission that an event lets out: one that is not flagged, or one that staff have released and did not flag. */
const submissionOf = async (sql: Sql, event: AnyRecordedEvent): Promise<Submission | undefined> => {
  if (event.type === 'LeadSubmitted') return event.data.suspicion ? undefined : event
  const leadId = leadIdOf(event.stream)
  if (event.type !== 'LeadReleased' || event.data.undoes || leadId === undefined) return undefined
  const [first] = await readStream(sql, leadStreams.of(leadId), { limit: 1 })
  return first?.type === 'LeadSubmitted' ? first : undefined
}

const requestCopy = async ({ sql, log }: Copying, event: AnyRecordedEvent, now: Date) => {
  if (event.recordedAt.getTime() < now.getTime() - COPY_UNTIL_MS) return
  const submission = await submissionOf(sql, event)
  const leadId = leadIdOf(event.stream)
  if (!submission?.personal || leadId === undefined || !isCopied(submission.data.source)) return
  if ((await countCopiesBefore(sql, submission)) >= MAX_COPIES_A_DAY) return
  const { email } = submission.personal
  await runWith(contextCausedBy(event, VISITOR_COPIES.name), () =>
    handle(log, {
      read: () => ({ stream: leadCopyStreams.of(leadId), version: 'any' as const }),
      decide: () => ({
        id: deterministicUuid('copy of lead', leadId),
        ...leadCopyRequested({ leadId }, { subjectId: leadId, personal: { to: email } }),
      }),
      isOnce: true,
    }),
  )
}

/**
 * Reads the next part of the log, and requests a copy of each form for the visitor who sent it. It stays behind the
 * view of leads, by which it counts the copies of an address. Idempotent. Without SMTP it requests none: the
 * form-to-email service responds to those who sign a contract by itself, and anything else would have to go to the
 * agency first. Returns whether there may be more.
 */
export const requestCopies = async (copying: Copying, now = new Date()): Promise<boolean> => {
  const { sql, isOn } = copying
  const known = await readPosition(sql, leadsProjection)
  const limit = Math.min(BATCH_EVENTS, known - (await readPosition(sql, VISITOR_COPIES)))
  return await actOnLog(sql, VISITOR_COPIES, { limit }, async (events) => {
    if (isOn) for (const event of events) await requestCopy(copying, event, now)
    return undefined
  })
}
