import { chatRoutes } from './chat/http/chats.ts'
import { chatFileRoutes } from './chat/http/files.ts'
import { contractListRoutes } from './contracts/list.ts'
import { contractRoutes } from './contracts/signed-copy.ts'
import { stepRoute } from './contracts/steps.ts'
import { termsRoutes } from './contracts/terms.ts'
import { emailActivationRoute } from './email/activation.ts'
import { emailRoutes } from './email/emails.ts'
import { outboxRoute } from './email/local-outbox.ts'
import { emailServerRoutes } from './email/server.ts'
import type { Route } from './http/route.ts'
import { importRoutes } from './leads/imports.ts'
import { leadRoutes } from './leads/lead-routes.ts'
import { metricsRoute } from './node/metrics.ts'
import { openApiRoute } from './openapi/document-route.ts'
import { overviewRoute } from './overview.ts'
import { paletteRoute } from './palette.ts'
import { privacyCaseRoutes } from './privacy/cases.ts'
import { privacyExportRoutes } from './privacy/exports.ts'
import { privacyRoutes } from './privacy/people.ts'
import { healthRoutes } from './process/health.ts'
import { settingsRoutes } from './settings.ts'
import { accountRoutes } from './staff/accounts.ts'
import { login } from './staff/login.ts'
import { ownAlertRoutes } from './staff/own-alerts.ts'
import { ownSessionRoutes } from './staff/own-sessions.ts'
import { ownTwoFactorRoutes } from './staff/own-two-factor.ts'
import { passwordLinkRoutes } from './staff/password-link.ts'
import { pushRoutes } from './staff/push.ts'
import { savedViewRoutes } from './staff/saved-views.ts'
import { signedInRoutes } from './staff/signed-in-routes.ts'
import { tokenRoutes } from './staff/tokens.ts'
import { stalledConsumersRoute } from './stalled-consumers.ts'
import { todayRoute } from './today/today.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every route of a node except its pages, its socket and the board of queues. */
export const ROUTES: readonly Route[] = [
  ...healthRoutes,
  metricsRoute,
  ...leadRoutes,
  ...importRoutes,
  ...termsRoutes,
  ...contractRoutes,
  stepRoute,
  ...contractListRoutes,
  ...chatRoutes,
  ...chatFileRoutes,
  emailActivationRoute,
  ...emailRoutes,
  outboxRoute,
  ...emailServerRoutes,
  ...accountRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  openApiRoute,
  overviewRoute,
  todayRoute,
  ...settingsRoutes,
  stalledConsumersRoute,
  ...savedViewRoutes,
  paletteRoute,
  ...privacyRoutes,
  ...privacyExportRoutes,
  ...privacyCaseRoutes,
  login,
  ...passwordLinkRoutes,
  ...pushRoutes,
  ...signedInRoutes,
  ...ownTwoFactorRoutes,
  ...ownAlertRoutes,
  ...ownSessionRoutes,
]
