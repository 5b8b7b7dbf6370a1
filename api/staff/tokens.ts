import { tokenForm } from '../../events/staff/api-token.ts'
import { apiTokens, madeToken } from '../../events/staff/api-token-wire.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { listTokens, makeToken, revokeToken } from './api-token.ts'
import { notifySessionsEnded } from './session.ts'
import { trailOf } from './trail.ts'

/**
 * Owners make, list and revoke the tokens by which programs call the API. A token ends with the role of the owner who
 * made it, unless it is handed over. A revoked token ends on all nodes at once, with its exports and streams.
 */
export const tokenRoutes = [
  route('GET', '/api/tokens', {
    access: 'owners',
    summary: 'Lists API tokens',
    answer: apiTokens,
    handler: ({ node }) => listTokens(node.sql),
  }),
  route('POST', '/api/tokens', {
    access: 'owners',
    isConfirmed: true,
    summary: 'Makes an API token',
    body: tokenForm,
    answer: madeToken,
    status: 201,
    mayConflict: true,
    handler: async ({ node, c, body }) => {
      const made = await makeToken(node.sql, body, c.get('staff').id, trailOf(node, c))
      if (!made) throw new RequestError('conflict', 'There are too many tokens already: revoke unused ones')
      return made
    },
  }),
  route('DELETE', '/api/tokens/:id', {
    access: 'owners',
    summary: 'Revokes an API token',
    handler: async ({ node, c, params: { id } }) => {
      const isRevoked = await revokeToken(node.sql, id, trailOf(node, c))
      if (!isRevoked) throw new RequestError('not_found', 'There is no token with this id')
      await notifySessionsEnded(node.bus)
    },
  }),
]
