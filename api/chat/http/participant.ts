import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Party } from '../../../events/chat/parties.ts'
import { tokenGeneration } from '../../../events/chat/store/resume-token.ts'
import type { CallerKeys } from '../../admission/admission.ts'
import { clientAddress } from '../../admission/client-address.ts'
import { RequestError } from '../../http/errors.ts'
import type { ApiNode } from '../../node/node.ts'
import { sessionOf, signedToken } from '../../staff/session.ts'

const BEARER = 'Bearer '

/** A participant of a chat, and how their requests are counted. Staff do not count towards their address. */
export type Participant = { party: Party; caller: CallerKeys; generation?: number }

/** The context of a route for the participants of a chat. */
export type ParticipantEnv = { Bindings: HttpBindings; Variables: { participant: Participant } }

export const stranger = () =>
  new RequestError('not_signed_in', 'Send the resume token of this chat, or sign in at /login')

/** The generation of a request's token for a chat; undefined if it has no valid one. */
const broughtToken = ({ config }: ApiNode, c: Context, sessionId: string): number | undefined => {
  const authorization = c.req.header('authorization') ?? ''
  if (!authorization.startsWith(BEARER)) return undefined
  return tokenGeneration(config.signingKeys, sessionId, authorization.slice(BEARER.length))
}

/**
 * The participant of a chat who sends a request: its visitor, by the chat's resume token, or staff, by their cookie.
 * All others are refused, whether or not the chat exists.
 */
export const identifyParticipant = async (node: ApiNode, c: Context, sessionId: string): Promise<Participant> => {
  const generation = broughtToken(node, c, sessionId)
  if (generation !== undefined) {
    return { party: 'visitor', caller: { address: clientAddress(node, c), session: sessionId }, generation }
  }
  const staff = await sessionOf(node, await signedToken(node, c))
  if (!staff) throw stranger()
  return { party: 'admin', caller: { account: staff.id } }
}
