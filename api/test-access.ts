import { TOKEN_SCOPES } from '../events/api-token.ts'
import type { ErrorCode } from '../events/wire/chat-frames.ts'
import { type FrameAccess, ROUTE_ACCESS, TOKEN_ROUTES } from './access.ts'

/**
 * Everybody who may come to a node. The visitor is the one whose chat it is; a link holder came by a link to it. Who is not
 * admitted is an owner, signed in without the second factor that is required of everybody.
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

/** A token is good for the routes of its scope alone: on others its program is nobody. */
const refusalOfProgram = (route: string, program: Program) => {
  const scope = TOKEN_ROUTES[route]
  if (!scope) return refusalOf(route, 'nobody')
  if (program === 'revoked token') return 401
  return program === scope ? undefined : 403
}

/** What somebody may do who still has to set up the second factor: that, see who they are, and sign out. */
const isForNotAdmitted = (route: string) =>
  route.includes(' /api/me/two-factor') || ['GET /api/me', 'POST /api/me/confirm', 'POST /api/logout'].includes(route)

/** How a refused call is answered; undefined where the caller is served. */
export const refusalOf = (route: string, actor: Actor | Program): 401 | 403 | undefined => {
  if (isProgram(actor)) return refusalOfProgram(route, actor)
  const access = ROUTE_ACCESS[route] ?? 'anyone'
  if (actor === 'not admitted' && (access === 'staff' || access === 'owners')) {
    return isForNotAdmitted(route) ? undefined : 403
  }
  switch (access) {
    case 'anyone':
      return undefined
    case 'inner network':
      return 403
    case 'staff':
      return actor === 'agent' || actor === 'owner' ? undefined : 401
    case 'participants':
      return isOfChat(actor) || actor === 'agent' || actor === 'owner' ? undefined : 401
    case 'owners':
      if (actor === 'owner') return undefined
      return actor === 'agent' ? 403 : 401
    default:
      return access satisfies never
  }
}

/** What comes of a frame: it is served, or refused with this code. */
export type Outcome = 'served' | ErrorCode

/** What the table says of a frame about the visitor's chat. */
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
