import { distinctAddresses, emailKey } from '../../events/base/address.ts'
import type { Email } from '../../events/email/email.ts'
import type { Config } from '../process/config.ts'
import { type SendResult, sendEmail } from './form-service.ts'
import { type Lane, laneOf } from './lanes.ts'
import { sendBySmtp } from './smtp.ts'

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

/** One way out for email. */
export type Transport = { name: Lane; send: (email: Email, sending: Sending) => Promise<SendResult> }

type Ways = Pick<Config, 'publicUrl' | 'agencyEmail' | 'agencyName' | 'emailForwardUrl' | 'smtpUrl' | 'emailFrom'>

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
const bySmtp = (url: string, { publicUrl, agencyEmail, agencyName, emailFrom }: Ways): Transport => ({
  name: 'smtp',
  send: async (letter, { inboxAddresses, isLeft, reference }) => {
    const server = { url, from: { name: agencyName, address: emailFrom } }
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

/** The transport of an email, by the lane of its recipient; undefined leaves it in the local outbox. */
export const transportFor = (ways: Ways, email: Email): Transport | undefined => {
  const { emailForwardUrl, smtpUrl } = ways
  const lane = laneOf(email.to === null ? 'agency' : 'visitor', ways)
  if (lane === 'service') return emailForwardUrl ? byService(emailForwardUrl, ways) : undefined
  return smtpUrl ? bySmtp(smtpUrl, ways) : undefined
}
