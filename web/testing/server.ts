/** A request as a screen sent it. */
export type Sent = { method: string; path: string; query: URLSearchParams; body: unknown; headers: Headers }

/**
 * A response: JSON with status 200, a whole response, or a function that makes one from a request; undefined is 204.
 */
export type Answer = unknown | ((sent: Sent) => unknown)

const SKIP = Symbol('skip')

let answers: Record<string, Answer> = {}
let requests: Sent[] = []
let unexpected: string[] = []
/** The server's time in the responses. */
let dated: ResponseInit = {}

/** An error response in the API's format (RFC 9457). */
export const problem = (status: number, more: object = {}, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ status, ...more }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })

const respond = async (sent: Sent): Promise<Response> => {
  const { method, path } = sent
  const exact = answers[`${method} ${path}${sent.query.size ? `?${sent.query}` : ''}`] ?? answers[`${method} ${path}`]
  const key = exact === undefined && !(`${method} ${path}` in answers) ? patternOf(method, path) : undefined
  const answer = key === undefined ? (exact ?? (`${method} ${path}` in answers ? undefined : SKIP)) : answers[key]
  if (answer === SKIP) {
    unexpected.push(`${method} ${path}`)
    return problem(404)
  }
  const made = typeof answer === 'function' ? await answer(sent) : answer
  if (made instanceof Response) return made
  return made === undefined ? new Response(null, { status: 204 }) : Response.json(made, dated)
}

/** The key with `*` for one part of the path that fits a request. */
const patternOf = (method: string, path: string): string | undefined =>
  Object.keys(answers).find((key) => {
    if (!key.includes('*')) return false
    const pattern = key.replace(/[.?+^$()[\]{}|\\]/g, '\\$&').replaceAll('*', '[^/]+')
    return new RegExp(`^${pattern}$`).test(`${method} ${path}`)
  })

/** Rejects once a request is aborted. */
const abortion = (signal: AbortSignal) =>
  new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))

const send = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
  const url = new URL(String(input instanceof Request ? input.url : input), location.href)
  const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
  const sent = {
    method: init.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    body,
    headers: new Headers(init.headers),
  }
  requests.push(sent)
  const { signal } = init
  return await (signal ? Promise.race([respond(sent), abortion(signal)]) : respond(sent))
}

/**
 * Replaces the API for one test: `answers` by `METHOD /path`, in which `*` stands for one part of the path and a query
 * may follow. A request that matches none of them fails the test.
 */
export const answerRequests = (given: Record<string, Answer>): void => {
  answers = { ...answers, ...given }
  globalThis.fetch = send
}

/** The requests of this test by `METHOD /path`, in order; all without one. */
export const requestsOf = (call?: string): Sent[] =>
  requests.filter(({ method, path }) => call === undefined || `${method} ${path}` === call)

/** Stops the server's clock at a moment; without this call responses have no Date header. */
export const stopServerClock = (at: string | Date): void => {
  dated = { headers: { date: new Date(at).toUTCString() } }
}

export const unexpectedRequests = (): string[] => unexpected

export const forgetRequests = (): void => {
  answers = {}
  requests = []
  unexpected = []
  dated = {}
}
