import { type Context, Hono } from 'hono'
import { limitBody, MAX_BODY_BYTES } from './body.ts'
import { chatRoutes } from './chat/chats.ts'
import { CHAT_FILES_PATH, chatFileRoutes } from './chat/files.ts'
import type { ChatGateway } from './chat/gateway.ts'
import { chatSocket } from './chat/sockets.ts'
import { emailActivationRoutes } from './email/activation.ts'
import { emailRoutes } from './email/emails.ts'
import { outboxRoutes } from './email/outbox.ts'
import { answerError, RequestError } from './errors.ts'
import { healthRoutes } from './health.ts'
import { ERASURE_PATH } from './leads/erasure.ts'
import { IMPORTS_PATH, importRoutes } from './leads/imports.ts'
import { leadRoutes } from './leads/leads.ts'
import { websiteInfoRoutes } from './leads/website-info.ts'
import { metricsRoutes } from './metrics.ts'
import type { ApiNode } from './node.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { checkOrigin } from './origin.ts'
import { overviewRoutes } from './overview.ts'
import { paletteRoutes } from './palette.ts'
import { pathOf, refuseStrangeIds } from './path.ts'
import { pipelineRoutes } from './pipeline.ts'
import { QUEUE_BOARD_PATH } from './queue-board/page.ts'
import { queueBoardRoutes } from './queue-board/routes.ts'
import { followRequests } from './request-log.ts'
import { settingsRoutes, siteContentRoutes, supportHoursRoutes } from './settings.ts'
import { accountRoutes } from './staff/accounts.ts'
import { loginRoutes } from './staff/login.ts'
import { passwordLinkRoutes } from './staff/password-link.ts'
import { pushRoutes } from './staff/push.ts'
import { savedViewRoutes } from './staff/saved-views.ts'
import { signedInRoutes } from './staff/signed-in-routes.ts'
import { tokenRoutes } from './staff/tokens.ts'
import { stalledConsumerRoutes } from './stalled-consumers.ts'
import { todayRoutes } from './today.ts'
import { refuseUpgrades, SOCKET_PATH } from './upgrade.ts'
import { webhookDeliveryRoutes, webhookRoutes } from './webhooks.ts'

const limitBodies = limitBody(MAX_BODY_BYTES)
/** A name, a password, a code and a link: strangers send them, and each is compared. */
const limitSignIns = limitBody(16 * 1024)

/** These routes bound their own bodies, which are larger, before they read any of it. */
const boundsItself = ({ req: { path } }: Context) =>
  path.startsWith(`${CHAT_FILES_PATH}/`) || path === IMPORTS_PATH || ERASURE_PATH.test(path)

/** The node's HTTP and socket, all of it. */
export const createApp = (node: ApiNode, { pages, gateway }: { pages: Hono; gateway: ChatGateway }) =>
  new Hono({ getPath: pathOf })
    .use(followRequests(node))
    .use(refuseUpgrades)
    .use(checkOrigin(node.config))
    .use('/api/*', refuseStrangeIds)
    .use('/api/*', (c, next) => (boundsItself(c) ? next() : limitBodies(c, next)))
    .use('/api/login/*', limitSignIns)
    .use(`${QUEUE_BOARD_PATH}/*`, limitBodies)
    .route('/', healthRoutes(node))
    .route('/', metricsRoutes(node))
    .get(SOCKET_PATH, chatSocket(node, gateway))
    .route('/api/leads', leadRoutes(node))
    .route(IMPORTS_PATH, importRoutes(node))
    .route('/api/chats', chatRoutes(node))
    .route(CHAT_FILES_PATH, chatFileRoutes(node))
    .route('/api/submit-website-info', websiteInfoRoutes(node))
    .route('/api/email-activation', emailActivationRoutes(node))
    .route('/api/emails', emailRoutes(node))
    .route('/api/outbox', outboxRoutes(node))
    .route('/api/accounts', accountRoutes(node))
    .route('/api/tokens', tokenRoutes(node))
    .route('/api/webhooks', webhookRoutes(node))
    .route('/api/webhook-deliveries', webhookDeliveryRoutes(node))
    .route('/api/openapi.json', openApiRoutes(node))
    .route('/api/overview', overviewRoutes(node))
    .route('/api/today', todayRoutes(node))
    .route('/api/settings', settingsRoutes(node))
    .route('/api/standstill', stalledConsumerRoutes(node))
    .route('/api/support-hours', supportHoursRoutes(node))
    .route('/api/site-content', siteContentRoutes(node))
    .route('/api/me/views', savedViewRoutes(node))
    .route('/api/palette', paletteRoutes(node))
    .route('/api/pipeline', pipelineRoutes(node))
    .route('/api/login', loginRoutes(node))
    .route('/api/login', passwordLinkRoutes(node))
    .route('/api/me/push', pushRoutes(node))
    .route('/api', signedInRoutes(node))
    .all('/api/*', () => {
      throw new RequestError('not_found', 'There is no such call')
    })
    .route(QUEUE_BOARD_PATH, queueBoardRoutes(node))
    .route('/', pages)
    .notFound(() => {
      throw new RequestError('not_found', 'There is no such call')
    })
    .onError((error, c) => answerError(node, error, c))
