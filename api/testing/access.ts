import type { ReceivedFrame } from '../../events/chat/client-frames.ts'
import type { ErrorCode } from '../../events/chat/server-frames.ts'
import { TOKEN_SCOPES } from '../../events/staff/api-token.ts'
import type { Route } from '../http/route.ts'

/**
 * Every kind of caller of a node. The visitor is the one whose chat it is; a link holder came by a link to it. `not
 * admitted` is an owner, signed in without the second factor that everyone must have.
 */
export const ACTORS = [
  'nobody',
  'visitor',
  'link holder',
  'another visitor',
  'removed account',
  'not admitted',
  'agent',
  'owner',
] as const

export type Actor = (typeof ACTORS)[number]

/** Programs that call routes by a token, by its scope; the last one's token is revoked. */
export const PROGRAMS = [...TOKEN_SCOPES, 'revoked token'] as const

export type Program = (typeof PROGRAMS)[number]

const isProgram = (caller: Actor | Program): caller is Program => (PROGRAMS as readonly string[]).includes(caller)

const isOfChat = (actor: Actor) => actor === 'visitor' || actor === 'link holder'

/** The properties of a route that decide access. */
export type Guarded = Pick<Route, 'path' | 'access' | 'scope'> & { method: Route['method'] | 'ALL' }

/** A program without a token of the route's scope is refused with 403; other routes treat it as anonymous. */
const refusalOfProgram = (route: Guarded, program: Program) => {
  if (!route.scope) return refusalOf(route, 'nobody')
  if (program === 'revoked token') return 401
  return program === route.scope ? undefined : 403
}

/** The status that refuses a call; undefined if the caller is served. */
export const refusalOf = (route: Guarded, actor: Actor | Program): 401 | 403 | undefined => {
  if (isProgram(actor)) return refusalOfProgram(route, actor)
  const isStaff = actor === 'agent' || actor === 'owner'
  switch (route.access) {
    case 'anyone':
      return undefined
    case 'inner network':
      return 403
    case 'participants':
      return isOfChat(actor) || isStaff ? undefined : 401
    case 'signed in':
      return isStaff || actor === 'not admitted' ? undefined : 401
    case 'staff':
      if (actor === 'not admitted') return 403
      return isStaff ? undefined : 401
    case 'owners':
      if (actor === 'owner') return undefined
      return actor === 'agent' || actor === 'not admitted' ? 403 : 401
    default:
      return route.access satisfies never
  }
}

/**
 * The senders that a frame about a chat serves. `token`: those who have the chat's resume token, or the key that began
 * it. `participants`: the visitor of the chat, and staff. `device`: the visitor on the device that began the chat, by
 * the key that began it; others who have a link to the chat take part in it without one.
 */
type FrameAccess = 'anyone' | 'token' | 'device' | 'participants' | 'staff'

/** Every frame that a client may send, with the senders that it serves. */
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

/** The result of a frame: it is served, or refused with this code. */
export type Outcome = 'served' | ErrorCode

/** The expected result of a frame about the visitor's chat, by the table. */
export const outcomeOf = (access: FrameAccess, actor: Actor): Outcome => {
  const isStaff = actor === 'agent' || actor === 'owner'
  const isInAChat = isOfChat(actor) || actor === 'another visitor'
  switch (access) {
    case 'anyone':
      return 'served'
    case 'token':
      return isOfChat(actor) ? 'served' : 'unknown_session'
    case 'staff':
      return isStaff ? 'served' : 'not_allowed'
    case 'device':
      if (actor === 'visitor') return 'served'
      return isStaff || isInAChat ? 'not_allowed' : 'not_joined'
    case 'participants':
      if (isStaff || isOfChat(actor)) return 'served'
      return isInAChat ? 'not_allowed' : 'not_joined'
    default:
      return access satisfies never
  }
}
