import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import { RequestError, respondWithError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { identifyOwner } from '../staff/staff.ts'
import { BOARD_POLICY, QUEUE_BOARD_PATH, refusedPage } from './page.ts'

/** One request calls Redis several times in sequence, each with a time-out of its own. */
const BOARD_TIMEOUT_MS = 5_000

const RETRY_AFTER_S = 5
const REDIS_IS_AWAY =
  'Redis cannot be reached, so the queues cannot be shown. Nothing is lost: the work is in the database and continues when Redis is back.'

/**
 * Bull Board's files have the hash of their content in their names; only owners get them, so no shared cache may store
 * them.
 */
const CACHED_FILES = 'private, max-age=31536000, immutable'

const pathOf = (c: Context) => c.req.path.slice(QUEUE_BOARD_PATH.length)

const readOnly: MiddlewareHandler = async (c, next) => {
  if (!['GET', 'HEAD'].includes(c.req.method)) throw new RequestError('not_allowed', 'The queues can only be read here')
  await next()
}

const isPageView = (c: Context) => c.req.method === 'GET' && c.req.header('accept')?.includes('text/html') === true

const explained = (error: unknown) =>
  error instanceof RequestError
    ? error
    : new RequestError('unavailable', REDIS_IS_AWAY, { cause: error, retryAfterS: RETRY_AFTER_S })

/** Loads Bull Board when an owner first asks for it: a node starts without. */
const load = async (node: ApiNode): Promise<Hono> => {
  const { openBoard } = await import('./board.ts')
  return await openBoard(node)
}

/** Opens the board when Redis is available. Rejects within 5 s with a RequestError if Redis is away. */
const boardOf = (node: ApiNode) => {
  let opening: Promise<Hono> | undefined
  const open = () => {
    opening ??= load(node).catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return async <T>(request: (board: Hono) => T | PromiseLike<T>): Promise<T> => {
    if (!node.bus.isUp) {
      throw new RequestError('unavailable', REDIS_IS_AWAY, { retryAfterS: RETRY_AFTER_S })
    }
    try {
      return await withDeadline(open().then(request), { deadlineMs: BOARD_TIMEOUT_MS })
    } catch (error) {
      throw explained(error)
    }
  }
}

/** Sends people a page or the sign-in, and Bull Board's script the text that it shows. */
const respondToRefusal = (node: ApiNode) => async (error: Error, c: Context) => {
  const answer = await respondWithError(node, error, c)
  const problem: { title: string; detail: string; status: number } = await answer.clone().json()
  const { title, detail } = problem
  if (answer.status === 401 && isPageView(c)) return c.redirect(`/login?next=${QUEUE_BOARD_PATH}`)
  if (isPageView(c)) {
    const page = refusedPage(node.config.agency.name, problem)
    return c.html(page, { status: answer.status as ContentfulStatusCode })
  }
  return new Response(JSON.stringify({ ...problem, error: title, message: detail }), answer)
}

/** Sets the headers of every response of the board. */
const protect: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Content-Security-Policy', BOARD_POLICY)
  if (c.res.ok && pathOf(c).startsWith('/static/')) c.header('Cache-Control', CACHED_FILES)
}

/** `/admin-queues`: Bull Board for owners, read-only. Returns 503 while Redis is away. */
export const queueBoardRoutes = (node: ApiNode) => {
  const requestBoard = boardOf(node)
  const ownersOnly: MiddlewareHandler = async (c, next) => {
    await identifyOwner(node, c)
    await next()
  }
  return new Hono()
    .use(protect, compress(), ownersOnly, readOnly)
    .all('*', (c) => requestBoard((board) => board.fetch(c.req.raw, c.env)))
    .onError(respondToRefusal(node))
}
