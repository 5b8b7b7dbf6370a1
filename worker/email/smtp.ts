import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Email } from '../../events/email/email.ts'
import { findPublicAddress, InnerAddressError } from '../../events/process/public-address.ts'
import { SUBMISSION_PORT, TLS_PORT } from '../../events/settings/email-server.ts'
import { letterOf, letterPicture } from './html.ts'
import type { InboxAnswer } from './inboxes.ts'
import { excerpt } from './response-excerpt.ts'
import type { SendResult } from './transport.ts'

/** The limit for sending one email; otherwise a server that responds slowly would hold it for ever. */
const SEND_TIMEOUT_MS = 20_000
/** A server that says nothing. */
const SILENCE_TIMEOUT_MS = 10_000

/** RFC 4954, 6: the server wants other credentials, or will not take any this way. */
const AUTH_REFUSALS = [530, 534, 535, 538]

/**
 * The server, as `smtp://user:password@host:587` or `smtps://…`, and our own name to it. One that a person has entered
 * `isOutside`: it has to be on the internet, or one of the `testOrigins`.
 */
export type SmtpServer = {
  url: string
  from: { name: string; address: string }
  isOutside?: { testOrigins: readonly string[] }
}

/** The envelope and header fields besides the email itself. */
export type Addressed = { to: string[]; messageId: string }

const isLoopback = (host: string) => host === 'localhost' || (isIP(host) > 0 && /^(127\.|::1$)/.test(host))

/** A password goes to another machine through TLS only: a server that offers none is refused. */
const optionsOf = (url: string) => {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = protocol === 'smtps:'
  const auth = username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return {
    host,
    port: Number(port) || (secure ? TLS_PORT : SUBMISSION_PORT),
    secure,
    ...(auth && { auth, requireTLS: !secure && !isLoopback(host) }),
    connectionTimeout: SILENCE_TIMEOUT_MS,
    greetingTimeout: SILENCE_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    dnsTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The agency gets a list of fields, a visitor a message: as text, and drawn for mail programs that show HTML. */
const contentsOf = async ({ fields, to, attachment }: Email, agencyName: string) => {
  const attached = attachment
    ? [{ filename: attachment.name, content: Buffer.from(attachment.content), contentType: 'application/pdf' }]
    : []
  if (to === null) {
    return { text: fields.map(([name, value]) => `${name}: ${value}`).join('\n'), attachments: attached }
  }
  const text = fields.map(([, value]) => value).join('\n')
  return { text, html: letterOf(text, agencyName), attachments: [await letterPicture(), ...attached] }
}

type SmtpError = Error & {
  code?: string
  syscall?: string
  responseCode?: number
  response?: string
  recipient?: string
  rejectedErrors?: SmtpError[]
}

/** Whether no server accepted the connection, so that nothing can have been sent. */
const isUnreached = ({ code = '', syscall = '', message }: SmtpError) =>
  code === 'EDNS' || /^(connect|query)/.test(syscall) || message === 'Connection timeout'

/** Whether the two sides agree on no encryption, before anything is sent. */
const hasNoTls = ({ code = '', message }: SmtpError) =>
  code === 'ETLS' || /certificate|altname|self-signed|wrong version number|SSL routines/i.test(message)

/** The cause of a failure in the words of the settings; undefined if the server's own words have to do. */
const causeOf = (error: SmtpError): string | undefined => {
  const { code = '', responseCode = 0, message } = error
  if (error instanceof InnerAddressError)
    return 'The mail server is not on the internet: only SMTP_URL may name one in your own network'
  if (responseCode === 530 || code === 'ENOAUTH') return 'The server wants a user name and a password'
  if (code === 'EAUTH' || AUTH_REFUSALS.includes(responseCode))
    return 'The server refused the user name or the password'
  if (/certificate|altname|self-signed/i.test(message)) return 'The server’s certificate is not valid for this host'
  if (hasNoTls(error)) return `The server offers no encryption at this port: try ${TLS_PORT} or ${SUBMISSION_PORT}`
  if (code === 'EDNS' || /ENOTFOUND|ENODATA/.test(`${code} ${message}`))
    return 'No server has this name: check the host'
  if (/ECONNREFUSED/.test(message)) return 'No mail server listens at this port: check the port'
  if (/timeout|ETIMEDOUT|aborted|Greeting never received/i.test(message))
    return 'The server did not respond in time: check host and port'
  return undefined
}

const answerOf = (error: SmtpError) => {
  const cause = causeOf(error)
  const answer = excerpt(error.response ?? error.message)
  return cause ? `${cause} (${answer})` : answer
}

const isTransient = ({ responseCode }: SmtpError) => responseCode !== undefined && responseCode < 500

/** The key by which addresses are compared, whether their domain is in letters of any script or in `xn--`. */
const keyOf = (address: string) => {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return `${name}@${domainToASCII(domain)}`
}

/** Whether a name has letters that only a server with SMTPUTF8 accepts (RFC 6531). */
const isInternational = (address: string) => /[^\p{ASCII}]/u.test(address.split('@')[0] ?? '')

const answersOf = (refusals: SmtpError[], accepted: string[] = []): InboxAnswer[] => [
  ...accepted.map((address) => ({ address, state: 'delivered' as const })),
  ...refusals.flatMap((refusal) =>
    refusal.recipient === undefined
      ? []
      : [{ address: refusal.recipient, state: isTransient(refusal) ? ('deferred' as const) : ('refused' as const) }],
  ),
]

/**
 * Classifies a failure: 4yz is temporary, 5yz is final (RFC 5321, 4.2.1), and a server that cannot be reached may be
 * there later; a refusal of us rather than of the email needs an operator.
 */
const classify = (error: SmtpError): SendResult => {
  const { code = '', responseCode } = error
  const answer = answerOf(error)
  const isOurFault =
    /^(EAUTH|ENOAUTH|ECONFIG)$/.test(code) ||
    AUTH_REFUSALS.includes(responseCode ?? 0) ||
    hasNoTls(error) ||
    error instanceof InnerAddressError
  if (isTransient(error) || isUnreached(error)) return { kind: 'busy', answer }
  if (isOurFault) return { kind: 'blocked', answer }
  if (responseCode !== undefined || /^(EENVELOPE|EMESSAGE)$/.test(code))
    return { kind: 'rejected', answer, isFinal: true }
  return { kind: 'unknown', answer }
}

/** Several recipients that were all refused may get it later if one of the refusals was temporary. */
const classifyRefusals = (error: SmtpError): SendResult => {
  const refusals = error.rejectedErrors ?? []
  if (refusals.length < 2) return classify(error)
  return { ...classify(refusals.find(isTransient) ?? error), inboxes: answersOf(refusals) }
}

/** An email that the server accepted for some recipients, and refused for others, is not delivered. */
const classifySent = (response: string, accepted: string[], refusals: SmtpError[]): SendResult => {
  if (refusals.length === 0) return { kind: 'delivered', answer: excerpt(response), inboxes: answersOf([], accepted) }
  const [first] = refusals
  const all = accepted.length + refusals.length
  const answer = `${excerpt(response)} (not taken for ${refusals.length} of ${all} recipients: ${excerpt(first?.response ?? '')})`
  return { kind: refusals.some(isTransient) ? 'busy' : 'partial', answer, inboxes: answersOf(refusals, accepted) }
}

/**
 * The options for a server that a person has entered: the connection goes to the very address that was found to be on
 * the internet, and is always encrypted. Rejects with an InnerAddressError.
 */
const outsideOptions = async (options: ReturnType<typeof optionsOf>, testOrigins: readonly string[]) => {
  const { host, port, secure } = options
  if (testOrigins.includes(`http://${host}:${port}`)) return options
  const address = await findPublicAddress(host)
  return { ...options, host: address, requireTLS: !secure, ...(address !== host && { servername: host }) }
}

const submit = async (
  { url, from, isOutside }: SmtpServer,
  email: Email,
  { to, messageId }: Addressed,
): Promise<SendResult> => {
  // loaded with the first email: a worker starts without
  const { createTransport } = await import('nodemailer')
  try {
    const options = optionsOf(url)
    const reached = isOutside ? await outsideOptions(options, isOutside.testOrigins) : options
    const { response, accepted, rejectedErrors } = await createTransport(reached).sendMail({
      from,
      to: to.map((address) => ({ name: '', address })),
      // a server is asked for SMTPUTF8 for the sake of recipients alone: without it no header may have such letters
      ...(email.replyTo && !isInternational(email.replyTo.address) && { replyTo: email.replyTo }),
      subject: email.subject,
      ...(await contentsOf(email, from.name)),
      messageId,
      ...(!email.isHandwritten && { headers: { 'Auto-Submitted': 'auto-generated' } }),
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    })
    return classifySent(response, accepted.map(String), rejectedErrors ?? [])
  } catch (error) {
    return classifyRefusals(error instanceof Error ? error : new Error(String(error)))
  }
}

/**
 * Sends one email over SMTP, and reports the response for each recipient. Never throws: a server that falls silent is
 * `unknown`, it may have been sent. The message id is the same for each retry, so that a recipient recognises a
 * duplicate. The server gets an international domain in `xn--`.
 */
export const sendBySmtp = async (server: SmtpServer, email: Email, addressed: Addressed): Promise<SendResult> => {
  const { inboxes, ...result } = await submit(server, email, addressed)
  if (!inboxes) return result
  const written = new Map(addressed.to.map((address) => [keyOf(address), address]))
  return {
    ...result,
    inboxes: inboxes.map((inbox) => ({ ...inbox, address: written.get(keyOf(inbox.address)) ?? inbox.address })),
  }
}
