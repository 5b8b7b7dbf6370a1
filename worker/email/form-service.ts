import { errorCode } from '../../events/base/error-code.ts'
import { DAY_MS } from '../../events/base/time.ts'
import type { Email } from '../../events/email/email.ts'
import { readRetryAfter } from '../process/outside-request.ts'
import { excerpt } from './response-excerpt.ts'
import type { SendResult } from './transport.ts'

const SEND_TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024

/**
 * The service and how we present ourselves to it. `url` is its endpoint, `publicUrl` the website's own address,
 * `copyTo` the recipients of a copy besides the address that the service knows.
 */
export type EmailService = { url: string; publicUrl: string; copyTo: string[] }

const formOf = ({ subject, fields, autoresponse, attachment }: Email, { publicUrl, copyTo }: EmailService) => {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  form.append('_subject', subject)
  form.append('_template', 'table')
  form.append('_captcha', 'false')
  form.append('_next', `${publicUrl}/thanks`)
  if (autoresponse) form.append('_autoresponse', autoresponse)
  if (copyTo.length > 0) form.append('_cc', copyTo.join(','))
  if (attachment) {
    form.append('attachment', new Blob([attachment.content], { type: 'application/pdf' }), attachment.name)
  }
  return form
}

/** Reads the part of a response that can matter; the rest is cut. */
const readText = async (response: Response) => {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    text += decoder.decode(chunk, { stream: true })
    if (bytes > MAX_ANSWER_BYTES) break
  }
  return text
}

/** How long the service asks to wait; at most a day. */
const retryAfter = (response: Response) => {
  const ms = readRetryAfter(response.headers.get('retry-after') ?? undefined)
  return ms === undefined ? {} : { retryAfterMs: Math.min(ms, DAY_MS) }
}

/** The verdict of a JSON response, or undefined if it is not a JSON object. */
const parseVerdict = (text: string): { isSuccess: boolean; message: string } | undefined => {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null) return undefined
    const { success, message } = answer as { success?: unknown; message?: unknown }
    return { isSuccess: success === true || success === 'true', message: typeof message === 'string' ? message : '' }
  } catch {
    return undefined
  }
}

/**
 * Classifies a response: the service reports failure inside HTTP 200, and shows an HTML page to clients that it blocks.
 */
const classify = (response: Response, text: string): SendResult => {
  const answer = `${response.status} ${excerpt(text)}`
  if (response.status === 429) return { kind: 'busy', answer, ...retryAfter(response) }
  if (response.status === 403) return { kind: 'blocked', answer }
  if (response.status >= 500) return { kind: 'busy', answer, ...retryAfter(response) }
  const verdict = parseVerdict(text)
  if (!verdict) return { kind: /<(!doctype|html)/i.test(text) ? 'blocked' : 'rejected', answer }
  if (response.ok && verdict.isSuccess) return { kind: 'delivered', answer }
  if (/activat|confirm/i.test(verdict.message)) return { kind: 'needs_activation', answer }
  return { kind: 'rejected', answer }
}

/** Whether no server accepted the connection, so that nothing can have been sent: by name, by address, in time. */
const isUnreached = (cause: unknown) =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/.test(errorCode(cause))

/**
 * Submits one email to the form-to-email service. Never throws: a service that cannot be reached is busy; no response
 * at all is `unknown`, it may have been sent.
 */
export const sendEmail = async (service: EmailService, email: Email): Promise<SendResult> => {
  const { publicUrl, url } = service
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: formOf(email, service),
      headers: { Accept: 'application/json', Origin: new URL(publicUrl).origin, Referer: `${publicUrl}/` },
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    })
    return classify(response, await readText(response))
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const answer = excerpt(cause instanceof Error ? cause.message : String(cause))
    return { kind: isUnreached(cause) ? 'busy' : 'unknown', answer }
  }
}
