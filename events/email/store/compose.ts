import type { RecordedEvent } from '../../base/definition.ts'
import type { AnyRecordedEvent } from '../../catalogue.ts'
import type { ChatEmailEvent, chatAnswersUnread } from '../../chat/activity.ts'
import { type ChatMessage, chatMessage, chatStreams, messageStreams, sessionIdOf } from '../../chat/chat.ts'
import { readReceiptsOf } from '../../chat/store/receipts.ts'
import { type EmailedStep, isEmailedStep, stepEmailOf } from '../../contract/step-email.ts'
import { readLife } from '../../contract/store/life.ts'
import { isUnanswered, leadAlertEmail, type leadAlertRequested } from '../../lead/email/alert.ts'
import { leadCopyOf, type leadCopyRequested, MAX_COPIES_A_DAY } from '../../lead/email/copy.ts'
import { leadIdOf, leadStreams, type leadSubmitted } from '../../lead/lead.ts'
import { leadInWords } from '../../lead/name.ts'
import { answerEmailOf, type leadEmailWritten } from '../../lead/reply/answer.ts'
import { readOwnLead } from '../../lead/store/own-lead.ts'
import { countCopiesBefore } from '../../lead/store/people.ts'
import { readEvent, readNewest, readStream, readStreams } from '../../log/read.ts'
import { type Company, NO_COMPANY } from '../../settings/company.ts'
import { SETTINGS_STREAM } from '../../settings/settings.ts'
import { passwordLinkEmail, passwordLinkEnds, type passwordLinkRequested } from '../../staff/password-link.ts'
import { isEmailed, readAlertSettings } from '../../staff/store/alerts.ts'
import type { Sql } from '../../stores/connection.ts'
import { webhookAlertEmail, type webhookAlertRequested } from '../../webhook/alert.ts'
import { stillFails } from '../../webhook/store/webhooks.ts'
import type { Email, emailTestRequested } from '../email.ts'
import { agencyEmailOf } from './agency-email.ts'
import { type ChatEmailContext, chatEmailOf, isForChat, messagesWanted } from './chat-emails.ts'

/** How many messages are read for one email: the newest. */
const MAX_MESSAGES = 2_000

/** An account's own address, or else the agency's. */
const addressOf = async (sql: Sql, accountId: string, agencyEmail: string): Promise<string> => {
  const { email } = await readAlertSettings(sql, accountId)
  return email ?? agencyEmail
}

const composeTest = async (
  sql: Sql,
  { data: { by } }: RecordedEvent<typeof emailTestRequested>,
  { agencyName, agencyEmail, publicUrl }: Sender,
): Promise<Email> => ({
  subject: `Test email from ${agencyName}`,
  fields: [['message', `This test was sent from ${publicUrl}. Email works: this site can reach people.`]],
  to: await addressOf(sql, by, agencyEmail),
  replyTo: null,
  about: null,
})

/** The sender, and the function that makes the link to resume a chat. */
export type Sender = Pick<ChatEmailContext, 'agencyName' | 'publicUrl'> & {
  agencyEmail: string
  /**
   * Whether the email to the agency makes the service send the visitor a copy, because nothing else can reach visitors.
   */
  answersVisitor?: boolean
  resumeUrl: (sessionId: string) => Promise<string | undefined>
  /** The link to choose a new password of an account: only its owner may read it. */
  passwordUrl: (accountId: string, link: { linkId: string; expires: Date }) => Promise<string | undefined>
}

const readMessages = async (sql: Sql, event: ChatEmailEvent): Promise<ChatMessage[]> => {
  const { after, upTo } = messagesWanted(event)
  const from = Math.max(after, upTo - MAX_MESSAGES)
  const events = await readStream(sql, messageStreams.of(sessionIdOf(event.stream)), {
    after: from,
    limit: upTo - from,
  })
  return events.map(chatMessage)
}

const readVisitorName = async (sql: Sql, sessionId: string) => {
  const [started] = await readStream(sql, chatStreams.of(sessionId), { limit: 1 })
  return (started?.type === 'ChatStarted' && started.personal?.visitorName) || 'there'
}

/** The complete email that the event with this id requests. Undefined if there is none, or it was erased. */
export const readEmail = async (sql: Sql, eventId: string, sender: Sender): Promise<Email | undefined> => {
  const event = await readEvent(sql, eventId)
  return event && (await composeEmail(sql, event, sender))
}

/** The agency's legal identity when a contract was signed, whatever owners have set since. No other copy names it. */
const companyOf = async (sql: Sql, { data, position }: RecordedEvent<typeof leadSubmitted>): Promise<Company> => {
  if (!data.isContract) return NO_COMPANY
  const changes = await readStreams(sql, [SETTINGS_STREAM], { types: ['CompanyDetailsChanged'] })
  return changes.findLast((change) => change.position < position)?.data ?? NO_COMPANY
}

const composeCopy = async (
  sql: Sql,
  { data: { leadId }, personal }: RecordedEvent<typeof leadCopyRequested>,
  { agencyName, publicUrl }: Sender,
) => {
  const [submission] = await readStream(sql, leadStreams.of(leadId), { limit: 1 })
  if (submission?.type !== 'LeadSubmitted' || !personal) return undefined
  const company = await companyOf(sql, submission)
  return leadCopyOf(submission, { to: personal.to, leadId, agencyName, publicUrl, company })
}

const composeAlert = async (
  sql: Sql,
  { data: { leadId, alert }, personal }: RecordedEvent<typeof leadAlertRequested>,
  { publicUrl }: Sender,
) => {
  if (!personal) return undefined
  const known = await readOwnLead(sql, leadId)
  if (!known || known.isErased) return undefined
  return leadAlertEmail(known.lead, { alert, to: personal.to, publicUrl })
}

const composePasswordLink = async (
  { id: linkId, data: { accountId }, personal, recordedAt }: RecordedEvent<typeof passwordLinkRequested>,
  { agencyName, passwordUrl }: Sender,
) => {
  const url = personal && (await passwordUrl(accountId, { linkId, expires: passwordLinkEnds(recordedAt) }))
  return url ? passwordLinkEmail({ to: personal.to, url, agencyName }) : undefined
}

const composeWebhookAlert = (
  { data, personal }: RecordedEvent<typeof webhookAlertRequested>,
  { publicUrl }: Sender,
): Email | undefined => (personal ? webhookAlertEmail(data, { to: personal.to, publicUrl }) : undefined)

const composeAnswer = async (sql: Sql, event: RecordedEvent<typeof leadEmailWritten>) =>
  answerEmailOf(event, (await readOwnLead(sql, event.data.leadId))?.lead)

const composeStep = async (sql: Sql, event: EmailedStep, { agencyName, publicUrl }: Sender) => {
  const known = await readOwnLead(sql, event.data.leadId)
  if (!known || known.isErased) return undefined
  const { lead } = known
  return stepEmailOf(event, { name: lead.name, about: leadInWords(lead), agencyName, publicUrl })
}

/** The email to the agency; if it makes the service reply to the visitor, with the visitor's copy. */
const composeForAgency = async (sql: Sql, event: AnyRecordedEvent, sender: Sender): Promise<Email | undefined> => {
  const email = agencyEmailOf(event)
  const leadId = leadIdOf(event.stream)
  if (!email || !sender.answersVisitor || event.type !== 'LeadSubmitted' || !event.personal || !leadId) return email
  const to = event.personal.email
  const { agencyName, publicUrl } = sender
  if ((await countCopiesBefore(sql, event)) >= MAX_COPIES_A_DAY) return email
  const company = await companyOf(sql, event)
  const copy = leadCopyOf(event, { to, leadId, agencyName, publicUrl, company })
  const [, text] = copy?.fields[0] ?? []
  return text ? { ...email, autoresponse: text } : email
}

/** The complete email that an event requests. Undefined if it requests none, or was erased. */
export const composeEmail = async (sql: Sql, event: AnyRecordedEvent, sender: Sender): Promise<Email | undefined> => {
  if (event.type === 'LeadCopyRequested') return await composeCopy(sql, event, sender)
  if (event.type === 'LeadAlertRequested') return await composeAlert(sql, event, sender)
  if (event.type === 'PasswordLinkRequested') return await composePasswordLink(event, sender)
  if (event.type === 'WebhookAlertRequested') return composeWebhookAlert(event, sender)
  if (event.type === 'EmailTestRequested') return await composeTest(sql, event, sender)
  if (event.type === 'LeadEmailWritten') return await composeAnswer(sql, event)
  if (isEmailedStep(event)) return await composeStep(sql, event, sender)
  if (!isForChat(event)) return await composeForAgency(sql, event, sender)
  if (!event.personal) return undefined
  const sessionId = sessionIdOf(event.stream)
  const [messages, visitorName, resumeUrl] = await Promise.all([
    readMessages(sql, event),
    readVisitorName(sql, sessionId),
    sender.resumeUrl(sessionId),
  ])
  const { agencyName, publicUrl } = sender
  return chatEmailOf(event, { visitorName, messages, agencyName, publicUrl, resumeUrl })
}

/** Why a requested email need not be sent any longer. */
export type Needless = { kind: 'seen' | 'answered' | 'unwanted' | 'over'; reason: string }

/** Why the email of an event is now unnecessary; undefined if it is needed. */
export const needlessBecause = async (sql: Sql, event: AnyRecordedEvent): Promise<Needless | undefined> => {
  if (event.type === 'ChatAnswersUnread') {
    return (await isSeenByVisitor(sql, event))
      ? { kind: 'seen', reason: 'The visitor has read it in the chat' }
      : undefined
  }
  if (event.type === 'PasswordLinkRequested') {
    return new Date() < passwordLinkEnds(event.recordedAt) ? undefined : { kind: 'over', reason: 'The link is over' }
  }
  if (isEmailedStep(event)) {
    const { steps } = await readLife(sql, event.data.leadId)
    return steps.some(({ id }) => id === event.id) ? undefined : { kind: 'over', reason: 'The step was undone' }
  }
  if (event.type !== 'LeadAlertRequested' && event.type !== 'WebhookAlertRequested') return undefined
  const alert = event.type === 'WebhookAlertRequested' ? 'webhook-email' : (`${event.data.alert}-email` as const)
  if (!(await isEmailed(sql, event.data.accountId, alert))) {
    return { kind: 'unwanted', reason: 'This person no longer gets such emails' }
  }
  if (event.type === 'WebhookAlertRequested') {
    const isNeeded = await stillFails(sql, event.data.webhookId, event.recordedAt)
    return isNeeded ? undefined : { kind: 'over', reason: 'The webhook has resumed' }
  }
  const known = await readOwnLead(sql, event.data.leadId)
  return known && isUnanswered(known.lead) ? undefined : { kind: 'answered', reason: 'The lead has been answered' }
}

/** Whether a visitor has seen, or replied to, all messages in the email about unread replies. */
const isSeenByVisitor = async (sql: Sql, event: RecordedEvent<typeof chatAnswersUnread>): Promise<boolean> => {
  const sessionId = sessionIdOf(event.stream)
  const { upTo } = event.data
  const { visitor } = await readReceiptsOf(sql, sessionId)
  if (visitor.seen >= upTo) return true
  const [reply] = await readNewest(sql, messageStreams.of(sessionId), { limit: 1, data: { senderType: 'visitor' } })
  return reply !== undefined && reply.version > upTo
}
