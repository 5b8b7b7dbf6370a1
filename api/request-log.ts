import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { requestContext, runWith } from '../events/log/context.ts'
import type { ApiNode } from './node.ts'

/** What people do; probes, scrapes and the pages' files are told at debug. */
const isCall = (path: string) => path.startsWith('/api/') || path === '/ws'

/**
 * Gives each request a context of its own, whose id goes into X-Request-Id, into the log lines and into the events of
 * the request. An id that the client sends is ignored: it could be any text. Measures the request and writes one log line
 * about it, with the pattern of its route: paths and queries hold what people typed.
 */
export const followRequests = ({ id, metrics, logger }: ApiNode) =>
  createMiddleware((c, next) => {
    const context = requestContext()
    return runWith(context, async () => {
      const stop = metrics.requests.startTimer({ method: c.req.method })
      await next()
      // c.header would copy an answer that is made already, body and all
      c.res.headers.set('X-Node', id)
      c.res.headers.set('X-Request-Id', context.correlationId)
      const [route, { method }, { status }] = [routePath(c), c.req, c.res]
      const ms = Math.round(stop({ route, status }) * 1000)
      logger[isCall(c.req.path) ? 'info' : 'debug']({ method, route, status, ms }, 'request')
    })
  })
