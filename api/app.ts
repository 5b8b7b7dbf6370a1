import { Hono } from 'hono'
import { limitBody, MAX_BODY_BYTES } from './body.ts'
import type { ChatGateway } from './chat/gateway.ts'
import { chatSocket } from './chat/sockets.ts'
import { answerError, RequestError } from './errors.ts'
import { mountRoutes } from './http/route.ts'
import type { ApiNode } from './node.ts'
import { checkOrigin } from './origin.ts'
import { pathOf } from './path.ts'
import { QUEUE_BOARD_PATH } from './queue-board/page.ts'
import { queueBoardRoutes } from './queue-board/routes.ts'
import { followRequests } from './request-log.ts'
import { ROUTES } from './routes.ts'
import { refuseUpgrades, SOCKET_PATH } from './upgrade.ts'

const limitBodies = limitBody(MAX_BODY_BYTES)

const refuseUnknown = () => {
  throw new RequestError('not_found', 'There is nothing at this address')
}

/** The node's HTTP and socket, all of it. */
export const createApp = (node: ApiNode, { pages, gateway }: { pages: Hono; gateway: ChatGateway }) => {
  const app = new Hono({ getPath: pathOf }).use(followRequests(node)).use(refuseUpgrades).use(checkOrigin(node.config))
  mountRoutes(app, node, ROUTES)
  return app
    .get(SOCKET_PATH, chatSocket(node, gateway))
    .all('/api/*', limitBodies, refuseUnknown)
    .use(`${QUEUE_BOARD_PATH}/*`, limitBodies)
    .route(QUEUE_BOARD_PATH, queueBoardRoutes(node))
    .route('/', pages)
    .notFound(refuseUnknown)
    .onError((error, c) => answerError(node, error, c))
}
