import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type * as v from 'valibot'
import { errorCode } from '../../events/base/error-code.ts'
import { KeyStoreError, LogError, LogIntegrityError } from '../../events/keys/errors.ts'
import { KeyError } from '../../events/keys/key-ring.ts'
import { isMissingView } from '../../events/projections/projection.ts'
import { BusyError } from '../../events/stores/postgres/slots.ts'
import { OverLimitError } from '../admission/admission.ts'
import type { ApiNode } from '../node/node.ts'
import { GuessablePasswordError } from '../staff/accepted-password.ts'
import { type Again, afterRefusedForm, agreeAgain, ERROR_PAGE_POLICY, errorPage } from './error-page.ts'
import { isFormPost } from './media-type.ts'
import { ownReferrer } from './referrer.ts'

const STATUS = {
  malformed_body: 400,
  upgrade_not_offered: 400,
  not_signed_in: 401,
  wrong_credentials: 401,
  code_required: 401,
  wrong_code: 401,
  second_factor_lost: 403,
  foreign_origin: 403,
  not_allowed: 403,
  two_factor_required: 403,
  confirmation_required: 403,
  not_found: 404,
  conflict: 409,
  chat_ended: 409,
  chat_full: 409,
  last_owner: 409,
  terms_changed: 409,
  length_required: 411,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  idempotency_key_reused: 422,
  precondition_required: 428,
  too_many_requests: 429,
  unavailable: 503,
} as const satisfies Record<string, ContentfulStatusCode>

const TITLES: Record<RequestErrorCode, string> = {
  malformed_body: 'The body cannot be read',
  upgrade_not_offered: 'This upgrade is not supported',
  not_signed_in: 'Not signed in',
  wrong_credentials: 'Wrong username or password',
  code_required: 'A second factor is needed',
  wrong_code: 'Wrong code',
  second_factor_lost: 'The second factor cannot be checked',
  foreign_origin: 'Requests from this origin are not accepted',
  not_allowed: 'Not allowed',
  two_factor_required: 'Two-factor sign-in is required',
  confirmation_required: 'Confirm that it is you',
  not_found: 'Not found',
  conflict: 'Conflict with the current state',
  chat_ended: 'The chat has ended',
  chat_full: 'The chat cannot hold more files',
  last_owner: 'At least one Admin is required',
  terms_changed: 'The terms have changed',
  length_required: 'Content-Length is required',
  body_too_large: 'The body is too large',
  unsupported_media_type: 'This media type is not accepted',
  invalid: 'Some fields are not valid',
  idempotency_key_reused: 'The Idempotency-Key belongs to another request',
  precondition_required: 'If-Match is required',
  too_many_requests: 'Too many requests',
  unavailable: 'Temporarily unavailable',
}

const RETRY_AFTER_S = 2
/** Longer, so that refused callers do not all return to the same queue. */
const BUSY_RETRY_AFTER_S = 5

export type RequestErrorCode = keyof typeof STATUS

type FieldError = { path: string; message: string }

/**
 * A request that is refused. `detail` explains what would have been allowed. `retryAfterS` is in seconds; `members` are
 * additional members of the problem document; `again` is the form to post again on a page without script.
 */
export class RequestError extends Error {
  override name = 'RequestError'
  readonly code: RequestErrorCode
  readonly fields: FieldError[] | undefined
  readonly retryAfterS: number | undefined
  readonly members: Record<string, unknown> | undefined
  readonly again: Again | undefined

  constructor(
    code: RequestErrorCode,
    detail: string,
    options: {
      cause?: unknown
      fields?: FieldError[]
      retryAfterS?: number
      members?: Record<string, unknown>
      again?: Again
    } = {},
  ) {
    super(detail, { cause: options.cause })
    this.code = code
    this.fields = options.fields
    this.retryAfterS = options.retryAfterS
    this.members = options.members
    this.again = options.again
  }
}

/** A list may have 32,000 invalid items. */
const MAX_LISTED_ISSUES = 100

/** The error for input that does not fit its schema: one message per field, the schema's own if it has one. */
export const invalidInput = (issues: readonly v.BaseIssue<unknown>[]) => {
  const fields = issues.slice(0, MAX_LISTED_ISSUES).map((issue) => ({
    path: issue.path?.map(({ key }) => String(key)).join('.') ?? '',
    message: issue.message,
  }))
  return new RequestError('invalid', fields.map(({ message }) => message).join(', '), { fields })
}

/** The error for one field that only the server can check. */
export const invalidField = (path: string, message: string) =>
  new RequestError('invalid', message, { fields: [{ path, message }] })

const fromLog = (error: LogError): RequestError => {
  const options = { cause: error }
  switch (error.code) {
    case 'wrong_version':
      return new RequestError('conflict', 'It was changed since you read it: read it again and repeat', options)
    case 'event_id_reused':
      return new RequestError('idempotency_key_reused', 'Use a new key for another request', options)
    case 'guard_failed':
      return new RequestError('conflict', 'It was changed since you read it: read it again and repeat', options)
    case 'erased':
      return new RequestError('conflict', 'This person has been erased: nothing can be stored about them', options)
    case 'invalid_event':
      return new RequestError('invalid', 'The request contains values that cannot be stored', options)
    case 'log_full':
    case 'log_unavailable':
      return new RequestError('unavailable', error.message, { ...options, retryAfterS: RETRY_AFTER_S })
    default:
      return error.code satisfies never
  }
}

const unreachable =
  /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|57P0|57014|55P03|40P01|25006|53|DEADLINE)/

const asRequestError = (error: Error): RequestError | undefined => {
  if (error instanceof RequestError) return error
  if (error instanceof OverLimitError) {
    return new RequestError('too_many_requests', error.message, { retryAfterS: error.retryAfterS })
  }
  if (error instanceof GuessablePasswordError) return invalidField(error.field, error.message)
  if (error instanceof LogError) return fromLog(error)
  if (error instanceof LogIntegrityError) {
    const detail = 'A newer version of this site wrote data that this one cannot read: try again'
    return new RequestError('unavailable', detail, { cause: error, retryAfterS: RETRY_AFTER_S })
  }
  if (error instanceof KeyStoreError || error instanceof KeyError) {
    const detail =
      error instanceof KeyError
        ? 'The stored key does not match this data. An operator must fix it.'
        : 'The data keys cannot be reached, so personal data cannot be read: try again'
    return new RequestError('unavailable', detail, { cause: error, retryAfterS: RETRY_AFTER_S })
  }
  if (error instanceof HTTPException && error.status === 413) {
    return new RequestError('body_too_large', 'A body may hold 64 KiB', { cause: error })
  }
  if (unreachable.test(errorCode(error))) {
    return new RequestError('unavailable', 'The database cannot be reached: try again', {
      cause: error,
      retryAfterS: RETRY_AFTER_S,
    })
  }
  if (error instanceof BusyError) {
    return new RequestError('unavailable', 'Too many requests are waiting: try again in a moment', {
      cause: error,
      retryAfterS: BUSY_RETRY_AFTER_S,
    })
  }
  if (isMissingView(error)) {
    return new RequestError('unavailable', 'Updating data, try again shortly', {
      cause: error,
      retryAfterS: RETRY_AFTER_S,
    })
  }
  return undefined
}

/**
 * Responds to a thrown error with a problem document (RFC 9457), or with a page if the sender's page has no script.
 * Only this module maps errors to HTTP status codes.
 */
export const respondWithError = (node: ApiNode, error: Error, c: Context): Response | Promise<Response> => {
  const refusal = asRequestError(error)
  const status = refusal ? STATUS[refusal.code] : 500
  if (status >= 500) {
    const isExpected = refusal && !refusal.cause
    node.logger[isExpected ? 'warn' : 'error']({ err: refusal?.cause ?? error, route: routePath(c) }, 'request failed')
  }
  const problem = {
    ...refusal?.members,
    type: `urn:problem:${refusal?.code.replaceAll('_', '-') ?? 'internal'}`,
    title: refusal ? TITLES[refusal.code] : 'Something went wrong',
    status,
    detail: refusal?.message ?? 'The request failed on our side: try again',
    ...(refusal?.fields && { errors: refusal.fields }),
  }
  if (refusal?.retryAfterS) c.header('Retry-After', String(refusal.retryAfterS))
  if (isFormPost(c) && c.req.header('accept')?.includes('text/html')) {
    const messages = refusal?.fields?.map(({ message }) => message) ?? [problem.detail]
    const { name: agency, phone } = node.config.agency
    const advice = refusal?.again
      ? agreeAgain(refusal.again)
      : afterRefusedForm(phone, ownReferrer(c.req.header('referer'), node.config))
    return c.html(errorPage({ agency, title: problem.title, messages, advice }), status, {
      'Content-Security-Policy': ERROR_PAGE_POLICY,
    })
  }
  return c.body(JSON.stringify(problem), status, { 'Content-Type': 'application/problem+json' })
}
