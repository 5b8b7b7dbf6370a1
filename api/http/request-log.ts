import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { requestContext, runWith } from '../../events/process/context.ts'
import type { ApiNode } from '../node/node.ts'
import { protectiveHeaders, setResponseHeaders } from './answer-headers.ts'

/** Calls of people and programs; probes, scrapes and the files of pages are logged at debug level. */
const isCall = (path: string) => path.startsWith('/api/') || path === '/ws'

/**
 * Gives each request a context of its own, whose id goes into X-Request-Id, the log lines and the events of the
 * request. An id that the client sends is ignored: it could be any text. Measures the request and writes one log line
 * about it, with the pattern of its route, since paths and queries contain text that people typed.
 */
export const followRequests = ({ id, config, metrics, logger }: ApiNode) => {
  const fixed = { ...protectiveHeaders(config), 'X-Node': id }
  return createMiddleware((c, next) => {
    const context = requestContext()
    return runWith(context, async () => {
      const stop = metrics.requests.startTimer({ method: c.req.method })
      const headers = { ...fixed, 'X-Request-Id': context.correlationId }
      const areSet = setResponseHeaders(c, headers)
      await next()
      if (!areSet) for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value)
      const [route, { method }, { status }] = [routePath(c), c.req, c.res]
      const ms = Math.round(stop({ route, status }) * 1000)
      logger[isCall(c.req.path) ? 'info' : 'debug']({ method, route, status, ms }, 'request')
    })
  })
}
