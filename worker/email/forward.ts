import type { Logger } from 'pino'
import { activationStream } from '../../events/email.ts'
import { type Email, emailOf } from '../../events/email-fields.ts'
import type { Appender } from '../../events/log/append.ts'
import type { Sql } from '../../events/log/connection.ts'
import { idFromKey } from '../../events/log/event-id.ts'
import { readEvent } from '../../events/log/read.ts'
import {
  type AttemptResult,
  activationIsDone,
  activationPause,
  type ClaimedDelivery,
  claimDelivery,
  outcomeIsLogged,
  postponeDelivery,
  recordAttempt,
  unloggedOutcomes,
} from '../../events/projections/deliveries.ts'
import type { Config } from '../config.ts'
import { judgeAttempt, type Verdict } from './attempt.ts'
import { type SendResult, sendEmail } from './send.ts'

/** What forwarding works with. */
export type Forwarding = { sql: Sql; log: Appender; logger: Logger; config: Config }

/** The delivery failed and is to be tried again soon, `retryAfterMs` from now. */
export class RetrySoon extends Error {
  override name = 'RetrySoon'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super(`to be tried again in ${retryAfterMs} ms`)
    this.retryAfterMs = retryAfterMs
  }
}

type OutcomeEvent = Parameters<Appender['append']>[0]['events'][number]

/** What the log has to be told of an attempt: only what is news, so that hourly retries do not fill it. */
const outcomeOf = (
  { eventId, attempt, previousState }: ClaimedDelivery,
  { kind }: SendResult,
  { state, isPassing }: Verdict,
): OutcomeEvent | null => {
  if (state === previousState) return null
  const id = idFromKey('forward', eventId, String(attempt))
  const about = { forwardId: eventId, attempt }
  const nobody = { subjectId: null, personal: null }
  if (state === 'delivered') return { id, type: 'EmailForwarded', data: { ...about, to: 'service' }, ...nobody }
  if (isPassing && (kind === 'busy' || kind === 'unknown' || kind === 'rejected')) {
    return { id, type: 'EmailForwardFailed', data: { ...about, willRetry: true, reason: kind }, ...nobody }
  }
  if (kind === 'needs_activation' || kind === 'blocked' || kind === 'rejected') {
    return { id, type: 'EmailForwardFailed', data: { ...about, willRetry: false, reason: kind }, ...nobody }
  }
  return null
}

const logOutcome = async ({ sql, log }: Forwarding, eventId: string, stream: string, outcome: OutcomeEvent) => {
  await log.append({ stream, expectedVersion: 'any', events: [outcome] })
  await outcomeIsLogged(sql, eventId, outcome)
}

const record = async (
  forwarding: Forwarding,
  claim: ClaimedDelivery,
  result: AttemptResult & { outcome: OutcomeEvent | null },
) => {
  const isRecorded = await recordAttempt(forwarding.sql, claim, result)
  if (isRecorded && result.outcome) await logOutcome(forwarding, claim.eventId, claim.stream, result.outcome)
}

/** A retry may reach an inbox that has the first try already: its subject says which submission it is. */
const withReference = (email: Email, { eventId, attempt }: ClaimedDelivery): Email =>
  attempt === 1 ? email : { ...email, subject: `${email.subject} (reference ${eventId.slice(0, 8)})` }

/**
 * Sends what an event asks for: claim, send, record, append the outcome. At least once: who dies between sending and
 * recording leaves a claim that runs out, and then it is sent again. Throws RetrySoon where it is to be tried again.
 */
export const forward = async (forwarding: Forwarding, eventId: string): Promise<void> => {
  const { sql, config, logger } = forwarding
  const claim = await claimDelivery(sql, eventId)
  if (!claim) return
  const event = await readEvent(sql, eventId)
  const email = event && emailOf(event)
  if (!email) {
    await recordAttempt(sql, claim, { state: 'rejected', answer: 'erased', retryAfterMs: undefined, outcome: null })
    return
  }
  const { emailForwardUrl: url, publicUrl, agencyEmail } = config
  if (!url) {
    const data = { forwardId: eventId, attempt: claim.attempt, to: 'outbox' as const }
    const id = idFromKey('forward', eventId, String(claim.attempt))
    const outcome: OutcomeEvent = { id, type: 'EmailForwarded', data, subjectId: null, personal: null }
    await record(forwarding, claim, { state: 'outbox', answer: 'kept here', retryAfterMs: undefined, outcome })
    return
  }
  const isTest = claim.stream === activationStream(eventId)
  const pausedUntil = isTest ? undefined : await activationPause(sql)
  if (pausedUntil) return await postponeDelivery(sql, claim, pausedUntil)
  const service = { url, publicUrl, ...(isTest && { copyTo: agencyEmail }) }
  const result = await sendEmail(service, withReference(email, claim))
  const verdict = judgeAttempt(result, { attempt: claim.attempt, isTest, random: Math.random() })
  const { state, retryAfterMs } = verdict
  const outcome = outcomeOf(claim, result, verdict)
  await record(forwarding, claim, { state, answer: result.answer, retryAfterMs, outcome })
  if (result.kind === 'delivered') await activationIsDone(sql)
  if (verdict.needsSomebody) logger.error({ eventId, kind: result.kind }, 'e-mail is stuck: somebody has to act')
  if (verdict.isPassing && retryAfterMs !== undefined) throw new RetrySoon(retryAfterMs)
}

/** Appends the outcomes that a worker recorded and then died with. */
export const logLeftOutcomes = async (forwarding: Forwarding): Promise<void> => {
  for (const { eventId, stream, outcome } of await unloggedOutcomes(forwarding.sql)) {
    await logOutcome(forwarding, eventId, stream, outcome as OutcomeEvent)
  }
}
