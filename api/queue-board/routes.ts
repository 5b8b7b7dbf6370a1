import type { Queue } from 'bullmq'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { withDeadline } from '../../events/log/deadline.ts'
import { askAgain } from '../email/emails.ts'
import { answerError, RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { requireOwner, requireStaff, type StaffEnv } from '../staff/staff.ts'
import type { Board } from './board.ts'
import { releaseAll, releaseOne, sendsEmail } from './email-jobs.ts'
import { asBoard, BOARD_POLICY, QUEUE_BOARD_PATH, refusedPage } from './page.ts'

/** One request asks Redis several things, one after the other, each with a time-out of its own. */
const BOARD_TIMEOUT_MS = 5_000

const RETRY_AFTER_S = 5
const REDIS_IS_AWAY =
  'Redis cannot be reached, so the queues cannot be shown. Nothing is lost: what has to be done is in the database, and is done once Redis is back.'

/** Bull Board's files have the hash of their content in their names; only owners get them, so nothing shared keeps them. */
const KEPT_FILES = 'private, max-age=31536000, immutable'

/**
 * The changes that owners may make: try jobs again, have them done now, remove them, one or all that are in one state. The
 * log and its tables bring back what has to be done. All else is refused: jobs that somebody writes, other schedules and
 * rates, and a pause that somebody forgets.
 */
const ALLOWED = [
  /^\/api\/queues\/[^/]+\/[^/]+\/(retry|promote|clean)$/,
  /^\/api\/queues\/[^/]+\/(retry|clean)\/[^/]+$/,
  /^\/api\/queues\/[^/]+\/promote$/,
  /^\/api\/queues\/[^/]+\/job-schedulers\/[^/]+\/run$/,
]

const pathOf = (c: Context) => c.req.path.slice(QUEUE_BOARD_PATH.length)

const onlyAllowed: MiddlewareHandler<StaffEnv> = async (c, next) => {
  const isRead = ['GET', 'HEAD'].includes(c.req.method)
  if (!isRead && !(c.req.method === 'PUT' && ALLOWED.some((path) => path.test(pathOf(c))))) {
    throw new RequestError('not_allowed', 'Jobs can be retried, promoted and removed here, and nothing else')
  }
  await next()
}

const isPageView = (c: Context) => c.req.method === 'GET' && c.req.header('accept')?.includes('text/html') === true

/** What BullMQ refuses because of the state that a job has come to meanwhile. */
const isRefusal = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code < 0

const explained = (error: unknown) => {
  if (error instanceof RequestError) return error
  if (isRefusal(error)) return new RequestError('conflict', 'The job has gone on meanwhile: look again')
  return new RequestError('unavailable', REDIS_IS_AWAY, { cause: error, retryAfterS: RETRY_AFTER_S })
}

/** Loads Bull Board when an owner first asks for it: a node starts without. */
const load = async (node: ApiNode): Promise<Board> => {
  const { openBoard } = await import('./board.ts')
  return await openBoard(node)
}

/** Opens the board once Redis is there. What asks it is answered within 5 s, with a RequestError where Redis is not. */
const boardOf = (node: ApiNode) => {
  let opening: Promise<Board> | undefined
  const open = () => {
    opening ??= load(node).catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return async <T>(ask: (board: Board) => T | PromiseLike<T>): Promise<T> => {
    if (!node.bus.isUp) {
      throw new RequestError('unavailable', REDIS_IS_AWAY, { retryAfterS: RETRY_AFTER_S })
    }
    try {
      return await withDeadline(open().then(ask), { deadlineMs: BOARD_TIMEOUT_MS })
    } catch (error) {
      throw explained(error)
    }
  }
}

/** People get a page, or the sign-in first; Bull Board's script gets the words that it shows. */
const answerRefusal = (node: ApiNode) => async (error: Error, c: Context) => {
  const answer = await answerError(node, error, c)
  const problem: { title: string; detail: string; status: number } = await answer.clone().json()
  const { title, detail } = problem
  if (answer.status === 401 && isPageView(c)) return c.redirect(`/login?next=${QUEUE_BOARD_PATH}`)
  if (isPageView(c)) {
    const page = refusedPage(node.config.agency.name, problem)
    return c.html(page, { status: answer.status as ContentfulStatusCode })
  }
  return new Response(JSON.stringify({ ...problem, error: title, message: detail }), answer)
}

/** Of several emails some may be gone with their person: the others are asked for all the same. */
const unlessErased = (eventIds: string[]) => (error: unknown) => {
  if (eventIds.length === 1 || !(error instanceof RequestError)) throw error
}

/** Sets what every answer of the board carries. */
const protect: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Content-Security-Policy', BOARD_POLICY)
  if (c.res.ok && pathOf(c).startsWith('/static/')) c.header('Cache-Control', KEPT_FILES)
}

/**
 * `/admin-queues`: Bull Board, for owners. It shows BullMQ's queues, their jobs and schedulers. Trying again, or at once, a
 * job that sends email means to ask for the email again in the log. With Redis away it answers 503.
 */
export const queueBoardRoutes = (node: ApiNode) => {
  const askBoard = boardOf(node)

  const sendAgain = (release: (queue: Queue | undefined, c: Context) => Promise<string[]>) =>
    createMiddleware<StaffEnv>(async (c, next) => {
      const name = c.req.param('queue') ?? ''
      if (!sendsEmail(name)) return await next()
      const eventIds = await askBoard(({ queues }) => release(queues.get(name), c))
      const by = c.get('staff').id
      await Promise.all(eventIds.map((eventId) => askAgain(node, eventId, { by }).catch(unlessErased(eventIds))))
      return c.body(null, 204)
    })

  return new Hono<StaffEnv>()
    .use(protect, compress(), requireStaff(node), requireOwner, onlyAllowed)
    .put(
      '/api/queues/:queue/:job/:change{retry|promote}',
      sendAgain((queue, c) => releaseOne(queue, c.req.param('job') ?? '')),
    )
    .put(
      '/api/queues/:queue/retry/:state',
      sendAgain((queue, c) => releaseAll(queue, c.req.param('state') ?? '')),
    )
    .put(
      '/api/queues/:queue/promote',
      sendAgain((queue) => releaseAll(queue, 'delayed')),
    )
    .all('*', async (c) => {
      const answer = await askBoard(({ app }) => app.fetch(c.req.raw, c.env))
      const isPage = answer.headers.get('content-type')?.startsWith('text/html')
      return isPage ? c.html(asBoard(await answer.text())) : answer
    })
    .onError(answerRefusal(node))
}
