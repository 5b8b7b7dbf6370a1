import { distinctAddresses, emailKey } from '../../events/base/address.ts'
import type { Email } from '../../events/email/email.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { Config } from '../process/config.ts'
import { sendEmail } from './form-service.ts'
import type { InboxAnswer } from './inboxes.ts'
import { type Lane, laneOf } from './lanes.ts'
import { type SmtpServer, sendBySmtp } from './smtp.ts'
import { readServer, type WaysOut } from './ways.ts'

/**
 * The parts that are known only when an email is sent: the agency's further inboxes, which of its inboxes have given no
 * final response yet, and the reference that this email has in all its attempts.
 */
export type Sending = {
  inboxAddresses: string[]
  isLeft: (address: string) => boolean
  isTest: boolean
  reference: string
}

/** The result of one attempt to send; `answer` is the response of the service or server, shortened. */
export type SendResult = {
  kind: 'delivered' | 'partial' | 'needs_activation' | 'busy' | 'blocked' | 'rejected' | 'unknown'
  answer: string
  /** The response of each of several recipients: set if they may differ. */
  inboxes?: InboxAnswer[]
  /** How long the service asked us to wait, in milliseconds. */
  retryAfterMs?: number
  /** Set if the same email would be refused again, so that no retry is worthwhile. */
  isFinal?: boolean
}

/** One way out for email. */
export type Transport = { name: Lane; send: (email: Email, sending: Sending) => Promise<SendResult> }

type Ways = Pick<Config, 'publicUrl' | 'agencyEmail' | 'agencyName' | 'emailForwardUrl'>

/** Whether the service's own address names an inbox, as `https://forms.example/inbox@agency.example` does. */
const namesInbox = (url: string, key: string) =>
  new URL(url).pathname.toLowerCase().endsWith(encodeURI(`/${key}`).toLowerCase())

/** The service knows the agency's address by itself; a test submission goes there too, to show in both. */
const byService = (url: string, { publicUrl, agencyEmail }: Ways): Transport => ({
  name: 'service',
  send: (email, { inboxAddresses, isTest }) => {
    const copies = distinctAddresses([agencyEmail, ...inboxAddresses])
      .slice(isTest ? 0 : 1)
      .filter((address) => !namesInbox(url, emailKey(address) ?? ''))
    return sendEmail({ url, publicUrl, copyTo: email.to === null ? copies : [email.to] }, email)
  },
})

/** Staff asked for it again, and all inboxes that are set now have it. */
const ALL_DELIVERED: SendResult = { kind: 'delivered', answer: 'Every inbox that is set has it already' }

/** Replies of visitors reach the agency, not the sender. */
const bySmtp = (server: SmtpServer, { publicUrl, agencyEmail, agencyName }: Ways): Transport => ({
  name: 'smtp',
  send: async (letter, { inboxAddresses, isLeft, reference }) => {
    const messageId = `<${reference}@${new URL(publicUrl).hostname}>`
    if (letter.to !== null) {
      const email = { ...letter, replyTo: { name: agencyName, address: agencyEmail } }
      const { inboxes: _, ...result } = await sendBySmtp(server, email, { to: [letter.to], messageId })
      return result
    }
    const all = distinctAddresses([agencyEmail, ...inboxAddresses])
    const to = all.filter(isLeft)
    if (to.length === 0) return ALL_DELIVERED
    const { inboxes, ...result } = await sendBySmtp(server, letter, { to, messageId })
    return inboxes && all.length > 1 ? { ...result, inboxes } : result
  },
})

/** The password of the settings is lost, or belongs to another DATA_KEY. */
const LOST: SendResult = {
  kind: 'blocked',
  answer: 'The password of the mail server cannot be read: an owner enters it again in the settings',
}

/** The transport of an email, by the lane of its recipient; undefined leaves it in the local outbox. */
export const transportFor = async (sql: Sql, ways: WaysOut, email: Email): Promise<Transport | undefined> => {
  const { config } = ways
  const { emailForwardUrl } = config
  const lane = laneOf(email.to === null ? 'agency' : 'visitor', ways)
  if (lane === 'service') return emailForwardUrl ? byService(emailForwardUrl, config) : undefined
  const server = await readServer(sql, ways)
  return server === 'lost' ? { name: 'smtp', send: async () => LOST } : server && bySmtp(server, config)
}
