import type { Logger } from 'pino'
import * as v from 'valibot'
import type { StreamOf } from '../../events/base/definition.ts'
import { errorCode } from '../../events/base/error-code.ts'
import { requiredEmail } from '../../events/base/text.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { chatLink } from '../../events/chat/store/links.ts'
import { activationStreams, type Email, type EmailEvent, emailTestStreams } from '../../events/email/email.ts'
import { composeEmail, needlessBecause, type Sender } from '../../events/email/store/compose.ts'
import {
  type AttemptResult,
  activationIsDone,
  activationPause,
  type ClaimedDelivery,
  claimDelivery,
  type LoggedOutcome,
  postponeDelivery,
  recordAttempt,
} from '../../events/email/store/deliveries.ts'
import { outcomeIsLogged } from '../../events/email/store/unlogged-outcomes.ts'
import { isUnreadable } from '../../events/keys/key-ring.ts'
import { leadIdOf } from '../../events/lead/lead.ts'
import type { Appender } from '../../events/log/append.ts'
import { readEvent, readLog } from '../../events/log/read.ts'
import { type CausingEvent, followFrom, runWith, systemContext } from '../../events/process/context.ts'
import type { LiveSettings } from '../../events/settings/store/live-settings.ts'
import { findResetAccount, passwordLinkToken, passwordLinkUrl } from '../../events/staff/store/password-link.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { withSignedCopy } from '../contracts/signed-copies.ts'
import type { Config } from '../process/config.ts'
import { inboxStatesAfter, isLeft, verdictOnInboxes } from './inboxes.ts'
import { type Lane, perShareOf } from './lanes.ts'
import { outcomeOf, reportOf } from './outcome.ts'
import { MAX_UNCERTAIN_TRIES, UNCERTAIN, verdictOn, verdictOnTest } from './retry-verdict.ts'
import { type SendResult, type Transport, transportFor } from './transport.ts'
import { hasServer } from './ways.ts'

/** The name under which delivering acts in the log. */
export const DELIVERY_ACTOR = 'email'

/** How long after it could not be read an email is tried again. */
const UNREADABLE_RETRY_MS = 15_000
/** The same if a view that it is made from has not been filled yet, as right after the first start. */
const UNFILLED_RETRY_MS = 2_000

/** The dependencies of delivering. */
export type Delivering = {
  sql: Sql
  log: Appender
  logger: Logger
  config: Config
  settings: Pick<LiveSettings, 'current' | 'onChange'>
  /** Counts the result of an attempt, if results are counted. */
  countAttempt?: (result: string) => void
}

/** `share` is the group of the recipient's domain, in which another email may go now. */
export type Delivered = { share: number | null }

/** Appends the outcome of an email, and notes that it is logged. */
export const logOutcome = async (
  { sql, log }: Delivering,
  eventId: string,
  stream: StreamOf<EmailEvent>,
  outcome: LoggedOutcome,
) => {
  await log.append({ stream, expectedVersion: 'any', events: [outcome] })
  await outcomeIsLogged(sql, eventId, outcome)
}

/** Records an attempt. Only a change of a delivery's state goes into the log, so that hourly retries do not fill it. */
const record = async (
  delivering: Delivering,
  claim: ClaimedDelivery,
  result: Omit<AttemptResult, 'outcome' | 'retryAfterMs'> & {
    outcome?: LoggedOutcome | null
    retryAfterMs?: number | undefined
  },
) => {
  const { outcome = null, retryAfterMs } = result
  const { sql, logger } = delivering
  const { eventId, attempt } = claim
  const { isNews } = await recordAttempt(sql, claim, { ...result, outcome, retryAfterMs })
  logger.info({ eventId, attempt, state: result.state, kind: result.kind }, 'email attempted')
  delivering.countAttempt?.(result.kind)
  if (isNews && outcome) await logOutcome(delivering, eventId, claim.stream, outcome)
}

/** A retry may reach an inbox that already has the first attempt: its subject names the submission. */
const withReference = (email: Email, { eventId, attempt }: ClaimedDelivery): Email =>
  attempt === 1 || email.to !== null
    ? email
    : { ...email, subject: `${email.subject} (reference ${eventId.slice(0, 8)})` }

/** A chat's visitor may have typed anything, several addresses too. */
const isAddress = (text: string) => v.is(requiredEmail('Not an address'), text)

/** Names an email in all its tries; one that staff ask for again is another one, or inboxes would hide it. */
const referenceOf = ({ eventId, resendPosition }: ClaimedDelivery) =>
  resendPosition > 0 ? `${eventId}.${resendPosition}` : eventId

const sendBy = (transport: Transport, { settings }: Delivering, claim: ClaimedDelivery, email: Email) => {
  if (email.to !== null && !isAddress(email.to)) {
    const refusal: SendResult = { kind: 'rejected', answer: 'This is no usable address', isFinal: true }
    return refusal
  }
  if (email.isSecret && transport.name !== 'smtp') {
    const refusal: SendResult = {
      kind: 'rejected',
      answer: 'A link to choose a password goes out by SMTP alone',
      isFinal: true,
    }
    return refusal
  }
  return transport.send(withReference(email, claim), {
    inboxAddresses: settings.current.inboxAddresses,
    isLeft: (address) => isLeft(claim, address),
    isTest: isTest(claim),
    reference: referenceOf(claim),
  })
}

const isTest = ({ stream, eventId }: ClaimedDelivery) => stream === activationStreams.of(eventId)

/** An owner waits for the result of a test of the mail server. */
const isOwnersTest = ({ stream, eventId }: ClaimedDelivery) => stream === emailTestStreams.of(eventId)

const conclude = async (
  delivering: Delivering,
  claim: ClaimedDelivery,
  { result, transport }: { result: SendResult; transport: Transport },
): Promise<void> => {
  const { eventId, attemptSinceRequest, uncertainTries, triedForMs } = claim
  const attempts = { attempt: attemptSinceRequest, uncertainTries, triedForMs, isTest: isTest(claim) }
  const inboxStates = inboxStatesAfter(claim, result.inboxes ?? [])
  const after = verdictOn(result, { ...attempts, random: Math.random() })
  const verdict = isOwnersTest(claim) ? verdictOnTest(result) : verdictOnInboxes(after, inboxStates)
  const { state, retryAfterMs } = verdict
  const kind = state === 'partial' ? state : result.kind
  const outcome = outcomeOf(claim, reportOf(verdict, result.kind, transport.name))
  await record(delivering, claim, { state, kind, answer: result.answer, outcome, retryAfterMs, inboxStates })
  if (kind === 'delivered' && transport.name === 'service') await activationIsDone(delivering.sql)
  if (verdict.needsAttention) delivering.logger.error({ eventId, kind, state }, 'email is stuck: staff have to act')
}

/** Attempts that were cut off may all have sent it: nothing more is sent before a staff member has checked. */
const endUncertain = async (delivering: Delivering, claim: ClaimedDelivery): Promise<void> => {
  const { state } = UNCERTAIN
  const outcome = outcomeOf(claim, { isPassing: false, state })
  const answer = 'Not sent again: earlier tries were cut off, and each may have arrived'
  await record(delivering, claim, { state, kind: 'withheld', answer, outcome })
  delivering.logger.error({ eventId: claim.eventId, state }, 'email is stuck: staff have to act')
}

/**
 * Names the cause of an attempt: the event that holds the email, or the one by which staff requested it again. In both
 * cases it belongs to the request that the email is from.
 */
const nameCause = async (sql: Sql, { resendPosition }: ClaimedDelivery, event: CausingEvent) => {
  const [resendRequest] = resendPosition > 0 ? await readLog(sql, resendPosition - 1, 1) : []
  followFrom({ ...event, id: resendRequest?.id ?? event.id })
}

/** The lead of the contract that an email is about, to the agency or to the client; undefined for any other email. */
const contractOf = (event: AnyRecordedEvent): string | undefined => {
  if (event.type === 'LeadCopyRequested') return event.data.leadId
  return event.type === 'LeadSubmitted' && event.data.terms ? leadIdOf(event.stream) : undefined
}

const attempt = async (
  delivering: Delivering,
  claim: ClaimedDelivery,
  { event, lane }: { event: AnyRecordedEvent | undefined; lane: Lane | undefined },
): Promise<void> => {
  const { sql, config } = delivering
  const { publicUrl, agencyName, agencyEmail, signingKeys } = config
  const resumeUrl = async (sessionId: string) =>
    signingKeys && (await chatLink(sql, { publicUrl, signingKeys }, sessionId))
  const passwordUrl: Sender['passwordUrl'] = async (accountId, { linkId, expires }) => {
    const account = await findResetAccount(sql, accountId)
    const token = account && signingKeys && passwordLinkToken(signingKeys, { ...account, linkId }, expires)
    return token && passwordLinkUrl(publicUrl, token)
  }
  // once: neither a retry nor a request by staff responds to the visitor a second time
  const answersVisitor = !hasServer(delivering) && claim.attempt === 1
  const composed =
    event &&
    (await composeEmail(sql, event, { publicUrl, agencyName, agencyEmail, resumeUrl, passwordUrl, answersVisitor }))
  const contractId = event && contractOf(event)
  const email = composed && contractId ? await withSignedCopy(delivering, contractId, composed) : composed
  if (!event || !email) {
    const outcome = outcomeOf(claim, { isPassing: false, state: 'rejected' })
    const answer = 'The person has been erased'
    await record(delivering, claim, { state: 'rejected', kind: 'erased', answer, outcome })
    return
  }
  const needless = claim.resendPosition === 0 ? await needlessBecause(sql, event) : undefined
  if (needless) {
    await record(delivering, claim, { state: 'delivered', kind: needless.kind, answer: needless.reason })
    return
  }
  if (claim.uncertainTries >= MAX_UNCERTAIN_TRIES) return await endUncertain(delivering, claim)
  const transport = await transportFor(sql, delivering, email)
  if (!transport) {
    const outcome = outcomeOf(claim, { to: 'outbox' })
    const answer = 'Stored here: no way to send it is set up'
    await record(delivering, claim, { state: 'outbox', kind: 'outbox', answer, outcome })
    return
  }
  if (lane !== undefined && lane !== transport.name) {
    await postponeDelivery(sql, claim, new Date()) // the settings have changed since: it is queued again, in its own lane
    return
  }
  const mayPause = transport.name === 'service' && !isTest(claim) && !claim.isResent
  const pausedUntil = mayPause ? await activationPause(sql) : undefined
  if (pausedUntil) {
    await postponeDelivery(sql, claim, pausedUntil)
    return
  }
  await conclude(delivering, claim, { result: await sendBy(transport, delivering, claim, email), transport })
}

/** Postgres's code for a table that is not there. One of a view: a worker is about to fill it, and nothing was tried. */
const isUnfilled = (error: unknown) => errorCode(error) === '42P01' && (error as Error).message.includes('"view_')

/** Makes an attempt. A delivery whose content cannot be read, or not yet, is put back. */
const attemptReadable = async (delivering: Delivering, claim: ClaimedDelivery, lane: Lane | undefined) => {
  const { sql, logger } = delivering
  try {
    const event = await readEvent(sql, claim.eventId)
    if (event) await nameCause(sql, claim, event)
    await attempt(delivering, claim, { event, lane })
  } catch (error) {
    if (isUnfilled(error)) {
      await postponeDelivery(sql, claim, new Date(Date.now() + UNFILLED_RETRY_MS))
      logger.warn({ eventId: claim.eventId }, 'an email waits for a view that is being filled')
      return
    }
    if (isUnreadable(error)) await postponeDelivery(sql, claim, new Date(Date.now() + UNREADABLE_RETRY_MS))
    throw error
  }
}

/**
 * Sends the email that an event requests, from the lane of a queue: claim, send, record, append the outcome. At least
 * once: a worker that dies between sending and recording leaves a claim that expires, and then it is sent again. Throws
 * if it broke off; its row says when it is retried.
 */
export const deliver = (delivering: Delivering, eventId: string, lane?: Lane): Promise<Delivered> =>
  runWith(systemContext(DELIVERY_ACTOR), async () => {
    const { sql, logger } = delivering
    try {
      const claim = await claimDelivery(sql, eventId, { perShare: perShareOf(delivering) })
      if (!claim) return { share: null }
      await attemptReadable(delivering, claim, lane)
      return { share: claim.share }
    } catch (error) {
      logger.error({ eventId, err: error }, 'the delivery of an email failed')
      throw error
    }
  })
