import type { Logger } from 'pino'
import * as v from 'valibot'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import type { StreamOf } from '../../events/definition.ts'
import {
  activationStreams,
  type Email,
  type EmailEvent,
  emailForwarded,
  emailForwardFailed,
} from '../../events/email.ts'
import type { Appender } from '../../events/log/append.ts'
import type { Sql } from '../../events/log/connection.ts'
import { type CausingEvent, contextCausedBy, followFrom, runWith, systemContext } from '../../events/log/context.ts'
import { KeyStoreError } from '../../events/log/errors.ts'
import { idFromKey } from '../../events/log/event-id.ts'
import { KeyError } from '../../events/log/key-ring.ts'
import type { LiveSettings } from '../../events/log/live-settings.ts'
import { readEvent, readLog } from '../../events/log/read.ts'
import { resumeToken } from '../../events/log/resume-token.ts'
import {
  type AttemptResult,
  activationIsDone,
  activationPause,
  type ClaimedDelivery,
  claimDelivery,
  type LoggedOutcome,
  outcomeIsLogged,
  postponeDelivery,
  recordAttempt,
  unloggedOutcomes,
} from '../../events/projections/deliveries.ts'
import { composeEmail, isSeenByVisitor } from '../../events/projections/emails.ts'
import { requiredEmail } from '../../events/text.ts'
import type { Config } from '../config.ts'
import { judgeAttempt, type Verdict } from './attempt.ts'
import type { SendResult } from './send.ts'
import { type Transport, transportFor } from './transport.ts'

/** The name under which forwarding acts in the log. */
const FORWARDING = 'email'

/** How long after it could not be read an e-mail is tried again. */
const UNREADABLE_RETRY_MS = 15_000

/** What forwarding works with. */
export type Forwarding = {
  sql: Sql
  log: Appender
  logger: Logger
  config: Config
  settings: Pick<LiveSettings, 'current'>
}

/** The delivery failed and is to be tried again soon, `retryAfterMs` from now. */
export class RetrySoon extends Error {
  override name = 'RetrySoon'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super(`to be tried again in ${retryAfterMs} ms`)
    this.retryAfterMs = retryAfterMs
  }
}

type Told = { to: 'service' | 'smtp' | 'outbox' } | { willRetry: boolean; reason: SendResult['kind'] }

/** The event that tells the log of an attempt, the same one however often it is told. */
const outcomeOf = ({ eventId, attempt }: ClaimedDelivery, told: Told): LoggedOutcome | null => {
  const id = idFromKey('forward', eventId, String(attempt))
  const about = { forwardId: eventId, attempt }
  if ('to' in told) return { id, ...emailForwarded({ ...about, to: told.to }) }
  const { willRetry, reason } = told
  if (willRetry && (reason === 'busy' || reason === 'unknown' || reason === 'rejected')) {
    return { id, ...emailForwardFailed({ ...about, willRetry, reason }) }
  }
  if (!willRetry && (reason === 'needs_activation' || reason === 'blocked' || reason === 'rejected')) {
    return { id, ...emailForwardFailed({ ...about, willRetry, reason }) }
  }
  return null
}

const logOutcome = async (
  { sql, log }: Forwarding,
  eventId: string,
  stream: StreamOf<EmailEvent>,
  outcome: LoggedOutcome,
) => {
  await log.append({ stream, expectedVersion: 'any', events: [outcome] })
  await outcomeIsLogged(sql, eventId, outcome)
}

/** Only what changes where a delivery stands goes into the log, so that hourly retries do not fill it. */
const record = async (
  forwarding: Forwarding,
  claim: ClaimedDelivery,
  result: Omit<AttemptResult, 'outcome' | 'retryAfterMs'> & { outcome?: LoggedOutcome | null; retryAfterMs?: number },
) => {
  const { outcome = null, retryAfterMs } = result
  const { sql, logger } = forwarding
  const { eventId, attempt } = claim
  const { isNews } = await recordAttempt(sql, claim, { ...result, outcome, retryAfterMs })
  logger.info({ eventId, attempt, state: result.state, kind: result.kind }, 'e-mail attempted')
  if (isNews && outcome) await logOutcome(forwarding, eventId, claim.stream, outcome)
}

/** A retry may reach an inbox that has the first try already: its subject says which submission it is. */
const withReference = (email: Email, { eventId, attempt }: ClaimedDelivery): Email =>
  attempt === 1 || email.to !== null
    ? email
    : { ...email, subject: `${email.subject} (reference ${eventId.slice(0, 8)})` }

/** A chat's visitor may have typed anything, several addresses too. */
const isAddress = (text: string) => v.is(requiredEmail('Not an address'), text)

/** Names an e-mail in all its tries; one that staff ask for again is another one, or inboxes would hide it. */
const referenceOf = ({ eventId, resendPosition }: ClaimedDelivery) =>
  resendPosition > 0 ? `${eventId}.${resendPosition}` : eventId

const sendBy = (transport: Transport, { settings }: Forwarding, claim: ClaimedDelivery, email: Email) => {
  if (email.to !== null && !isAddress(email.to)) {
    const refusal: SendResult = { kind: 'rejected', answer: 'The visitor gave no usable address', isFinal: true }
    return refusal
  }
  const { inboxAddresses } = settings.current
  const sending = { inboxAddresses, isTest: isTest(claim), reference: referenceOf(claim) }
  return transport.send(withReference(email, claim), sending)
}

const isTest = ({ stream, eventId }: ClaimedDelivery) => stream === activationStreams.of(eventId)

const conclude = async (
  forwarding: Forwarding,
  claim: ClaimedDelivery,
  { result, verdict, transport }: { result: SendResult; verdict: Verdict; transport: Transport },
) => {
  const { kind, answer } = result
  const { state, retryAfterMs, isPassing } = verdict
  const told = state === 'delivered' ? { to: transport.name } : { willRetry: isPassing, reason: kind }
  const outcome = outcomeOf(claim, told)
  await record(forwarding, claim, { state, kind, answer, outcome, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  if (kind === 'delivered' && transport.name === 'service') await activationIsDone(forwarding.sql)
  const { eventId } = claim
  if (verdict.needsSomebody) forwarding.logger.error({ eventId, kind }, 'e-mail is stuck: somebody has to act')
  if (isPassing && retryAfterMs !== undefined) throw new RetrySoon(retryAfterMs)
}

/**
 * Names what caused an attempt: the event that holds the e-mail, or the one by which staff asked for it again. Either way
 * it belongs to the request that the e-mail is from.
 */
const nameCause = async (sql: Sql, { resendPosition }: ClaimedDelivery, event: CausingEvent) => {
  const [asked] = resendPosition > 0 ? await readLog(sql, resendPosition - 1, 1) : []
  followFrom({ ...event, id: asked?.id ?? event.id })
}

const attempt = async (forwarding: Forwarding, claim: ClaimedDelivery, event: AnyRecordedEvent | undefined) => {
  const { sql, config } = forwarding
  const { publicUrl, agencyName, secretKeys } = config
  const resumeUrl = (sessionId: string) =>
    secretKeys && `${publicUrl}/#chat=${sessionId}.${resumeToken(secretKeys, sessionId)}`
  const email = event && (await composeEmail(sql, event, { publicUrl, agencyName, resumeUrl }))
  if (!email) {
    const outcome = outcomeOf(claim, { willRetry: false, reason: 'rejected' })
    await record(forwarding, claim, {
      state: 'rejected',
      kind: 'erased',
      answer: 'The person has been erased',
      outcome,
    })
    return
  }
  if (email.to !== null && claim.resendPosition === 0 && (await isSeenByVisitor(sql, claim.eventId))) {
    await record(forwarding, claim, { state: 'delivered', kind: 'seen', answer: 'The visitor has read it in the chat' })
    return
  }
  const transport = transportFor(config, email)
  if (!transport) {
    const outcome = outcomeOf(claim, { to: 'outbox' })
    await record(forwarding, claim, {
      state: 'outbox',
      kind: 'outbox',
      answer: 'Kept here: nothing is set up to send it',
      outcome,
    })
    return
  }
  const mayPause = transport.name === 'service' && !isTest(claim) && !claim.isAskedAgain
  const pausedUntil = mayPause ? await activationPause(sql) : undefined
  if (pausedUntil) return await postponeDelivery(sql, claim, pausedUntil)
  const result = await sendBy(transport, forwarding, claim, email)
  const judged = { attempt: claim.attemptSinceAsked, isTest: isTest(claim), random: Math.random() }
  await conclude(forwarding, claim, { result, verdict: judgeAttempt(result, judged), transport })
}

/** What has to be sent cannot be read for now. Nothing was tried, and nobody counts as erased for that. */
const isUnreadable = (error: unknown) => error instanceof KeyError || error instanceof KeyStoreError

/** Puts a delivery back where what has to be sent cannot be read. */
const attemptReadable = async (forwarding: Forwarding, claim: ClaimedDelivery) => {
  const { sql } = forwarding
  try {
    const event = await readEvent(sql, claim.eventId)
    if (event) await nameCause(sql, claim, event)
    await attempt(forwarding, claim, event)
  } catch (error) {
    if (isUnreadable(error)) await postponeDelivery(sql, claim, new Date(Date.now() + UNREADABLE_RETRY_MS))
    throw error
  }
}

/**
 * Sends what an event asks for: claim, send, record, append the outcome. At least once: a worker that dies between
 * sending and recording leaves a claim that runs out, and then it is sent again. Throws RetrySoon where it is to be tried
 * again.
 */
export const forward = (forwarding: Forwarding, eventId: string): Promise<void> =>
  runWith(systemContext(FORWARDING), async () => {
    const { sql, logger } = forwarding
    try {
      const claim = await claimDelivery(sql, eventId)
      if (claim) await attemptReadable(forwarding, claim)
    } catch (error) {
      if (!(error instanceof RetrySoon)) logger.error({ eventId, err: error }, 'forwarding failed')
      throw error
    }
  })

/** Appends the outcomes that a worker recorded and then died with. */
export const logLeftOutcomes = async (forwarding: Forwarding): Promise<void> => {
  const { sql } = forwarding
  for (const { eventId, stream, outcome } of await unloggedOutcomes(sql)) {
    const event = await readEvent(sql, eventId)
    const context = event ? contextCausedBy(event, FORWARDING) : systemContext(FORWARDING)
    await runWith(context, () => logOutcome(forwarding, eventId, stream, outcome))
  }
}
