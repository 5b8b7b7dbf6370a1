import { agencyClock, agencyDayName } from '../../base/agency-day.ts'
import type { RecordedEvent } from '../../base/definition.ts'
import type { ChatEmailEvent } from '../../chat/activity.ts'
import type { ChatMessage } from '../../chat/chat.ts'
import type { leadCopyRequested } from '../../lead/email/copy.ts'
import type { Email } from '../email.ts'

/** The most of a conversation in one email, in UTF-16 code units: the newest of it. */
const MAX_CONVERSATION_CHARACTERS = 100_000

/** Whether an event requests an email to the visitor of a chat. */
export const isForChat = <Event extends { type: string }>(event: Event): event is Event & ChatEmailEvent =>
  event.type === 'ChatTranscriptRequested' || event.type === 'ChatAnswersUnread'

/** Whether an event requests an email to a visitor, whose address it holds. */
export const isForVisitor = <Event extends { type: string }>(
  event: Event,
): event is Event & (ChatEmailEvent | RecordedEvent<typeof leadCopyRequested>) =>
  isForChat(event) || event.type === 'LeadCopyRequested'

/** The messages in an event's email, by sequence: `after` exclusive, `upTo` inclusive. */
export const messagesWanted = (event: ChatEmailEvent): { after: number; upTo: number } =>
  event.type === 'ChatAnswersUnread' ? event.data : { after: 0, upTo: event.data.upTo }

/** The contents of the email about a chat that its event does not hold. */
export type ChatEmailContext = {
  visitorName: string
  /** Those that the event wants, oldest first. */
  messages: ChatMessage[]
  agencyName: string
  /** The website's address. */
  publicUrl: string
  /** The URL that resumes the chat, undefined if none can be made. */
  resumeUrl: string | undefined
}

/** The newest messages that fit, and whether any were left out. */
const fitting = (messages: ChatMessage[]) => {
  let room = MAX_CONVERSATION_CHARACTERS
  const first = messages.findLastIndex(({ message, senderName }) => {
    room -= message.length + senderName.length
    return room < 0
  })
  return { shown: messages.slice(first + 1), isCut: first >= 0 }
}

const conversation = (messages: ChatMessage[]) => {
  const { shown, isCut } = fitting(messages)
  const days = Map.groupBy(shown, ({ timestamp }) => agencyDayName.format(new Date(timestamp)))
  const parts = [...days].flatMap(([day, ofDay]) => [
    day,
    ...ofDay.map(
      ({ timestamp, senderName, message }) => `${agencyClock.format(new Date(timestamp))} ${senderName}\n${message}`,
    ),
  ])
  return [...(isCut ? ['(Earlier messages not included.)'] : []), ...parts].join('\n\n')
}

/** A name is on one line, whatever was typed. */
const oneLine = (name: string) => name.replace(/\s+/g, ' ').trim()

const MAX_GREETED_CHARACTERS = 60

/**
 * The salutation of the email. Anyone who starts a chat chooses the name and the address: a name that is an
 * advertisement, with the address of a site in it, must not reach a stranger's inbox in our name.
 */
const greetedAs = (visitorName: string) => {
  const name = oneLine(visitorName)
  return name.length > MAX_GREETED_CHARACTERS || /[/@]|\.\p{L}{2}/u.test(name) ? 'there' : name
}

/** The email to the visitor of a chat that an event requests; undefined if it has been erased. */
export const chatEmailOf = (event: ChatEmailEvent, context: ChatEmailContext): Email | undefined => {
  if (!event.personal) return undefined
  const { visitorName, agencyName, publicUrl, resumeUrl } = context
  const messages = context.messages.map((message) => ({ ...message, senderName: oneLine(message.senderName) }))
  const isTranscript = event.type === 'ChatTranscriptRequested'
  const link = isTranscript
    ? []
    : resumeUrl
      ? [`Continue the chat:\n${resumeUrl}\nKeep this link private: anyone with it can read and reply.`]
      : [`Come back to the chat at ${publicUrl}`]
  const text = [
    `Hello ${greetedAs(visitorName)},`,
    isTranscript
      ? `Here is a copy of your chat with ${agencyName}. All times are SAST.`
      : 'We replied while you were away. All times are SAST.',
    conversation(messages),
    ...link,
    `Kind regards\n${agencyName}\n${publicUrl}`,
  ].join('\n\n')
  return {
    subject: isTranscript ? `Your chat with ${agencyName}` : `New reply from ${agencyName}`,
    fields: [['message', text]],
    to: event.personal.to,
    replyTo: null,
    about: visitorName,
  }
}
