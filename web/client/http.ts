import type { TermsChange } from '../../events/contract/terms.ts'
import { learnServerTime } from './server-time.ts'

/** A response that is not OK. The message is the status code, a colon, a space, and the body or status text. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly problem: Problem | undefined
  /** How long the server asks to wait, in seconds. */
  readonly retryAfterS: number | undefined

  constructor(status: number, text: string, problem: Problem | undefined, retryAfterS?: number) {
    super(`${status}: ${text}`)
    this.status = status
    this.problem = problem
    this.retryAfterS = retryAfterS
  }
}

/**
 * A problem document (RFC 9457) with the invalid fields. For leads: `isChanged`, and the lead that one was merged into.
 * `needsCode`: the password must be confirmed together with a second factor. `terms` are a package's new terms.
 */
export type Problem = {
  type?: string
  title?: string
  detail?: string
  errors?: { path: string; message: string }[]
  isChanged?: boolean
  mergedInto?: string
  needsCode?: boolean
  terms?: NewTerms
}

/** Terms that have changed while their contract page was open, and the difference. */
export type NewTerms = { version: number; line: string; agreement: string; changes: TermsChange[] }

const REQUEST_TIMEOUT_MS = 15_000

/** A closing node, or one whose views lag, asks for a retry within seconds. Longer waits are left to the user. */
const LONGEST_WAIT_S = 10

/** The statuses of a busy node. */
const BUSY = [503]

/** The delay in milliseconds before a failed request is repeated; undefined if it is not repeated. */
const waitBeforeRepeat = (error: unknown, statuses: readonly number[]): number | undefined => {
  const waitS = error instanceof HttpError && statuses.includes(error.status) ? error.retryAfterS : undefined
  // up to half as long again, by chance: the node has refused others too
  return waitS !== undefined && waitS <= LONGEST_WAIT_S ? waitS * 1_000 * (1 + Math.random() / 2) : undefined
}

/**
 * Sends a request at most `tries` times while a node is busy (503 with `Retry-After`, or another of `statuses`), and
 * waits in between.
 */
export const repeatedly = async <Answer>(
  send: () => Promise<Answer>,
  { tries, statuses = BUSY }: { tries: number; statuses?: readonly number[] },
): Promise<Answer> => {
  for (let done = 1; ; done += 1) {
    try {
      return await send()
    } catch (error) {
      const waitMs = done < tries ? waitBeforeRepeat(error, statuses) : undefined
      if (waitMs === undefined) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

const problemOf = (type: string | null, body: string): Problem | undefined => {
  if (!type?.includes('problem+json')) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The error for a response that is not OK, however it was received. */
export const httpError = (
  { status, statusText, header }: { status: number; statusText: string; header: (name: string) => string | null },
  body: string,
): HttpError => {
  const retryAfterS = Number(header('retry-after')) || undefined
  return new HttpError(status, body || statusText, problemOf(header('content-type'), body), retryAfterS)
}

/** Sends a request with cookies and a timeout of 15 s. Throws an HttpError for a response that is not OK. */
export const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const sentAt = Date.now()
  const response = await fetch(path, {
    credentials: 'include',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...init,
  })
  learnServerTime(response, sentAt)
  if (response.ok) return response
  const { status, statusText, headers } = response
  throw httpError({ status, statusText, header: (name) => headers.get(name) }, await response.text())
}

type AskToConfirm = (problem: Problem) => Promise<boolean>

const CONFIRMATION_REQUIRED = 'urn:problem:confirmation-required'
const cannotConfirm: AskToConfirm = async () => false
let askToConfirm = cannotConfirm

/** Registers `ask`, which is called if a change needs the password again. Returns a function that unregisters it. */
export const whenUnconfirmed = (ask: AskToConfirm) => {
  askToConfirm = ask
  return () => {
    askToConfirm = cannotConfirm
  }
}

let notifySignedOut = () => {}

/** Registers `notify`, which is called if a change is refused because the staff member is signed out. */
export const whenSignedOut = (notify: () => void) => {
  notifySignedOut = notify
}

/**
 * Sends a change, its body as JSON; otherwise as `request`. A change that needs the password again is repeated once after
 * confirmation.
 */
export const send = async (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const init =
    body === undefined
      ? { method, headers }
      : { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  try {
    return await request(path, init)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { status, problem } = error
    if (status === 401) notifySignedOut()
    if (problem?.type !== CONFIRMATION_REQUIRED || !(await askToConfirm(problem))) throw error
    return await request(path, init)
  }
}
