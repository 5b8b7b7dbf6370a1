import type { Email } from '../../events/email.ts'
import type { Config } from '../config.ts'
import { type SendResult, sendEmail } from './send.ts'
import { sendBySmtp } from './smtp.ts'

/** What is known only when it is sent: the agency's further inboxes, and what names this e-mail in all its tries. */
export type Sending = { inboxAddresses: string[]; isTest: boolean; reference: string }

/** A way out of the house. */
export type Transport = { name: 'service' | 'smtp'; send: (email: Email, sending: Sending) => Promise<SendResult> }

type Ways = Pick<Config, 'publicUrl' | 'agencyEmail' | 'agencyName' | 'emailForwardUrl' | 'smtpUrl' | 'emailFrom'>

/** The service knows the agency's address by itself; a test submission goes there too, so that it is seen in both. */
const byService = (url: string, { publicUrl, agencyEmail }: Ways): Transport => ({
  name: 'service',
  send: (email, { inboxAddresses, isTest }) => {
    const forAgency = isTest ? [agencyEmail, ...inboxAddresses] : inboxAddresses
    const copyTo = email.to === null ? [...new Set(forAgency)] : [email.to]
    return sendEmail({ url, publicUrl, copyTo }, email)
  },
})

/** What visitors answer reaches the agency, whoever the sender is. */
const bySmtp = (url: string, { publicUrl, agencyEmail, agencyName, emailFrom }: Ways): Transport => ({
  name: 'smtp',
  send: (letter, { inboxAddresses, reference }) => {
    const to = letter.to === null ? [...new Set([agencyEmail, ...inboxAddresses])] : [letter.to]
    const agency = { name: agencyName, address: agencyEmail }
    const email = letter.to === null ? letter : { ...letter, replyTo: agency }
    const server = { url, from: { name: agencyName, address: emailFrom } }
    return sendBySmtp(server, email, { to, messageId: `<${reference}@${new URL(publicUrl).hostname}>` })
  },
})

/**
 * How an e-mail goes out: to visitors by SMTP where there is a server, to the agency by the form-to-e-mail service where
 * there is one, else by the other; undefined keeps it in the local outbox.
 */
export const transportFor = (ways: Ways, email: Email): Transport | undefined => {
  const { emailForwardUrl, smtpUrl } = ways
  const service = emailForwardUrl ? byService(emailForwardUrl, ways) : undefined
  const smtp = smtpUrl ? bySmtp(smtpUrl, ways) : undefined
  return email.to === null ? (service ?? smtp) : (smtp ?? service)
}
