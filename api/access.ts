/**
 * Owners and agents. Agents work with leads and chats. Owners also keep accounts and settings, and erase people or
 * single chats. There is always at least one owner. A session ends on all nodes at once, with its sockets and streams:
 * by sign-out here or from another browser (/admin-account lists them), another sign-in in the same browser, a new
 * password, a removal or a demotion; after a week; or once nobody has used it for a day. A new password and a change of
 * the second factor give the session in which they are made another token.
 *
 * Programs call some routes by a token (`Authorization: Bearer`), which owners make at /admin-settings, each with
 * scopes. What they do is in the log under the token, by its id. A token that is revoked ends on all nodes at once,
 * with its exports and streams. Tokens and webhooks end with the role of the owner who made them, unless another owner
 * keeps them.
 */

import type { TokenScope } from '../events/api-token.ts'
import type { ReceivedFrame } from '../events/chat-frames.ts'

/**
 * Who a call serves. `staff` are owners and agents, as their cookie says; all others get 401, and an agent 403 where
 * only owners are served. `participants` of a chat are its visitor, by the chat's resume token, and staff; all others
 * get 401. `inner network` goes by the address alone (403), however somebody is signed in. An id that is no UUID is
 * answered 404, whoever asks.
 */
export type RouteAccess = 'anyone' | 'participants' | 'staff' | 'owners' | 'inner network'

/**
 * Every route of a node, by method and path, with whom it serves. `ALL` is what holds for a whole path: there nothing else
 * answers. A route that is not here fails `access.e2e.test.ts`, which goes through all of them as everybody.
 */
export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  'ALL /*': 'anyone',
  'GET /*': 'anyone',
  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'inner network',
  'GET /ws': 'anyone',

  'ALL /api/*': 'anyone',
  'POST /api/submit-website-info': 'anyone',
  'POST /api/email-activation': 'anyone',
  'GET /api/openapi.json': 'anyone',
  'GET /api/support-hours': 'anyone',
  'GET /api/site-content': 'anyone',
  'ALL /api/login/*': 'anyone',
  'POST /api/login': 'anyone',
  'POST /api/login/forgotten': 'anyone',
  'POST /api/login/password': 'anyone',
  'POST /api/login/password-link': 'anyone',

  'POST /api/logout': 'staff',
  'GET /api/me': 'staff',
  'POST /api/me/confirm': 'staff',
  'POST /api/me/password': 'staff',
  'GET /api/me/sessions': 'staff',
  'DELETE /api/me/sessions/:id': 'staff',
  'ALL /api/me/two-factor/*': 'staff',
  'GET /api/me/two-factor': 'staff',
  'POST /api/me/two-factor': 'staff',
  'POST /api/me/two-factor/secret': 'staff',
  'POST /api/me/two-factor/codes': 'staff',
  'POST /api/me/two-factor/off': 'staff',
  'ALL /api/me/views/*': 'staff',
  'GET /api/me/views': 'staff',
  'POST /api/me/views': 'staff',
  'PATCH /api/me/views/:id': 'staff',
  'DELETE /api/me/views/:id': 'staff',
  'GET /api/palette': 'staff',
  'GET /api/pipeline': 'staff',
  'POST /api/me/profile': 'staff',
  'GET /api/me/alerts': 'staff',
  'POST /api/me/alerts': 'staff',
  'GET /api/me/push': 'staff',
  'POST /api/me/push': 'staff',
  'DELETE /api/me/push': 'staff',
  'GET /api/staff': 'staff',
  'GET /api/staff/:id/photo': 'staff',

  'POST /api/leads': 'anyone',
  'GET /api/leads': 'staff',
  'POST /api/leads/by-hand': 'staff',
  'GET /api/leads/summary': 'staff',
  'GET /api/leads/waiting': 'staff',
  'GET /api/leads/stream': 'staff',
  'GET /api/leads/export': 'staff',
  'GET /api/leads/:id': 'staff',
  'PATCH /api/leads/:id': 'staff',
  'PATCH /api/leads/:id/contact': 'staff',
  'POST /api/leads/:id/notes': 'staff',
  'POST /api/leads/:id/emails': 'staff',
  'POST /api/leads/:id/contacts': 'staff',
  'POST /api/leads/:id/chat-answers': 'staff',
  'POST /api/leads/:id/merge': 'staff',
  'POST /api/leads/:id/undo': 'staff',
  'POST /api/leads/:id/flag': 'staff',
  'POST /api/leads/:id/release': 'staff',
  'GET /api/leads/:id/person': 'staff',
  'GET /api/leads/:id/history': 'staff',
  'GET /api/leads/:id/erase': 'owners',
  'POST /api/leads/:id/erase': 'owners',

  'ALL /api/imports/*': 'staff',
  'POST /api/imports': 'staff',
  'GET /api/imports': 'staff',
  'GET /api/imports/:id': 'staff',
  'GET /api/imports/:id/work': 'staff',
  'GET /api/imports/:id/leads': 'staff',
  'GET /api/imports/:id/left-out': 'staff',
  'GET /api/imports/:id/left-out.csv': 'staff',
  'GET /api/imports/:id/incomplete': 'staff',
  'POST /api/imports/:id/check': 'staff',
  'POST /api/imports/:id/start': 'staff',
  'POST /api/imports/:id/undo': 'staff',

  'GET /api/chats': 'staff',
  'GET /api/chats/waiting': 'staff',
  'GET /api/chats/:id': 'staff',
  'POST /api/chats/:id/assign': 'staff',
  'POST /api/chats/:id/lead': 'staff',
  'POST /api/chats/:id/transcript': 'staff',
  'POST /api/chats/:id/revoke-links': 'staff',
  'POST /api/chats/:id/erase': 'owners',

  'POST /api/chat-files/:id': 'participants',
  'GET /api/chat-files/:id/:file': 'participants',

  'GET /api/emails': 'staff',
  'GET /api/emails/summary': 'staff',
  'POST /api/emails/:id/resend': 'staff',
  'GET /api/outbox': 'staff',
  'GET /api/overview': 'staff',
  'GET /api/today': 'staff',
  'GET /api/standstill': 'staff',

  'ALL /api/accounts/*': 'owners',
  'GET /api/accounts': 'owners',
  'GET /api/accounts/history': 'owners',
  'POST /api/accounts': 'owners',
  'PATCH /api/accounts/:id': 'owners',
  'DELETE /api/accounts/:id': 'owners',
  'POST /api/accounts/:id/password-link': 'owners',
  'DELETE /api/accounts/:id/two-factor': 'owners',
  'GET /api/accounts/sign-in-rules': 'owners',
  'PUT /api/accounts/sign-in-rules': 'owners',

  'ALL /api/tokens/*': 'owners',
  'GET /api/tokens': 'owners',
  'POST /api/tokens': 'owners',
  'DELETE /api/tokens/:id': 'owners',

  'ALL /api/webhooks/*': 'owners',
  'GET /api/webhooks': 'owners',
  'POST /api/webhooks': 'owners',
  'PATCH /api/webhooks/:id': 'owners',
  'DELETE /api/webhooks/:id': 'owners',
  'POST /api/webhooks/:id/secret': 'owners',
  'POST /api/webhooks/:id/test': 'owners',
  'ALL /api/webhook-deliveries/*': 'staff',
  'GET /api/webhook-deliveries': 'staff',
  'POST /api/webhook-deliveries/:id/resend': 'staff',

  'ALL /api/settings/*': 'owners',
  'GET /api/settings': 'staff',
  'PUT /api/settings/support-hours': 'owners',
  'PUT /api/settings/canned-replies': 'owners',
  'PUT /api/settings/inbox-addresses': 'owners',
  'PUT /api/settings/offer': 'owners',
  'PUT /api/settings/showcase': 'owners',
  'PUT /api/settings/package-texts': 'owners',
  'PUT /api/settings/answer-templates': 'owners',
  'PUT /api/settings/quote-choices': 'owners',
  'PUT /api/settings/chat-greetings': 'owners',
  'PUT /api/settings/company': 'owners',
  'PUT /api/settings/week-start': 'owners',

  'ALL /admin-queues/*': 'owners',
}

/**
 * The routes that serve programs too, with the scope that their token needs. A change answers the lead that it changed, so
 * `leads:write` reads those. On all other routes a token is nobody's.
 */
export const TOKEN_ROUTES: Readonly<Record<string, TokenScope>> = {
  'GET /api/leads': 'leads:read',
  'GET /api/leads/summary': 'leads:read',
  'GET /api/leads/waiting': 'leads:read',
  'GET /api/leads/stream': 'leads:read',
  'GET /api/leads/export': 'leads:read',
  'GET /api/leads/:id': 'leads:read',
  'GET /api/leads/:id/history': 'leads:read',
  'POST /api/leads/by-hand': 'leads:write',
  'PATCH /api/leads/:id': 'leads:write',
  'PATCH /api/leads/:id/contact': 'leads:write',
  'POST /api/leads/:id/notes': 'leads:write',
  'GET /api/chats': 'chats:read',
  'GET /api/chats/waiting': 'chats:read',
  'GET /api/chats/:id': 'chats:read',
}

/**
 * The routes that let people or programs in, or send personal data elsewhere. They ask for the password first, unless it
 * was given lately (api/staff/confirmation.ts). `partly`: only for some bodies.
 */
export const CONFIRMED_ROUTES: Readonly<Record<string, 'always' | 'partly'>> = {
  'POST /api/accounts': 'always',
  // a role, or a password
  'PATCH /api/accounts/:id': 'partly',
  'DELETE /api/accounts/:id': 'always',
  'POST /api/accounts/:id/password-link': 'always',
  'DELETE /api/accounts/:id/two-factor': 'always',
  'PUT /api/accounts/sign-in-rules': 'always',
  'POST /api/tokens': 'always',
  'POST /api/webhooks': 'always',
  // all but a pause
  'PATCH /api/webhooks/:id': 'partly',
  'POST /api/webhooks/:id/secret': 'always',
  'PUT /api/settings/inbox-addresses': 'always',
  // the present password comes along, so that a second factor alone has to be asked for
  'POST /api/me/password': 'partly',
  // another address, to which links to choose a new password go
  'POST /api/me/alerts': 'partly',
  'POST /api/me/two-factor': 'always',
  'POST /api/me/two-factor/codes': 'always',
  'POST /api/me/two-factor/off': 'always',
}

/**
 * Who a frame about a chat serves. `token`: who has the chat's resume token, or the key that began it. `participants`:
 * the visitor whose chat it is, and staff. `device`: the visitor on the device that began the chat, by the key that
 * began it; others who have a link to the chat take part in it without one. A visitor of another chat is nobody there.
 */
export type FrameAccess = 'anyone' | 'token' | 'device' | 'participants' | 'staff'

/** Every frame that a client may send, with whom it serves. */
export const FRAME_ACCESS: Readonly<Record<ReceivedFrame['type'], FrameAccess>> = {
  join_chat: 'token',
  send_message: 'participants',
  give_email: 'device',
  rate_chat: 'device',
  typing: 'participants',
  end_chat: 'participants',
  receipt: 'participants',
  join_admin: 'staff',
  get_messages: 'staff',
  open_chat: 'staff',
  watch: 'staff',
  follow_visitors: 'staff',
  ping: 'anyone',
}
