import { Hono, type MiddlewareHandler } from 'hono'
import type { ChatGateway } from './chat/gateway.ts'
import { chatSocket } from './chat/sockets.ts'
import { limitBody, MAX_BODY_BYTES } from './http/body.ts'
import { RequestError, respondWithError } from './http/errors.ts'
import { checkOrigin } from './http/origin.ts'
import { pathOf } from './http/path.ts'
import { followRequests } from './http/request-log.ts'
import { mountRoutes } from './http/route.ts'
import type { ApiNode } from './node/node.ts'
import { refuseUpgrade, SOCKET_PATH } from './process/upgrade.ts'
import { QUEUE_BOARD_PATH } from './queue-board/page.ts'
import { queueBoardRoutes } from './queue-board/routes.ts'
import { ROUTES } from './routes.ts'

const limit = limitBody(MAX_BODY_BYTES)
const limitBodies: MiddlewareHandler = async (c, next) => {
  await limit(c)
  await next()
}

const refuseUnknown = () => {
  throw new RequestError('not_found', 'There is nothing at this address')
}

/** The whole of the node's HTTP and sockets. */
export const createApp = (node: ApiNode, { pages, gateway }: { pages: Hono; gateway: ChatGateway }) => {
  const app = new Hono({ getPath: pathOf }).use(followRequests(node)).use((c, next) => {
    refuseUpgrade(c)
    checkOrigin(node.config, c)
    return next()
  })
  mountRoutes(app, node, ROUTES)
  return app
    .get(SOCKET_PATH, chatSocket(node, gateway))
    .all('/api/*', limitBodies, refuseUnknown)
    .use(`${QUEUE_BOARD_PATH}/*`, limitBodies)
    .route(QUEUE_BOARD_PATH, queueBoardRoutes(node))
    .route('/', pages)
    .notFound(refuseUnknown)
    .onError((error, c) => respondWithError(node, error, c))
}
