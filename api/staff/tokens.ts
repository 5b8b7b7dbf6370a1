import { Hono } from 'hono'
import { tokenForm } from '../../events/api-token.ts'
import type { apiTokens } from '../../events/wire/api-token.ts'
import type { Sent } from '../../events/wire/word.ts'
import { readBody } from '../body.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { listTokens, makeToken, revokeToken } from './api-token.ts'
import { requireConfirmed } from './confirmation.ts'
import { tellSessionsEnded } from './session.ts'
import { requireOwner, requireStaff, type StaffEnv } from './staff.ts'
import { openTrail } from './trail.ts'
import { whereFrom } from './where-from.ts'

/**
 * `/api/tokens`: owners make, list and revoke the tokens by which programs call the API. One ends with the role of the
 * owner who made it, unless it is handed over. A token that is revoked ends on all nodes at once, with its exports and
 * streams.
 */
export const tokenRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>()
    .use(requireStaff(node), requireOwner)
    .get('/', async (c) => c.json((await listTokens(node.sql)) satisfies Sent<typeof apiTokens>))
    .post('/', requireConfirmed, async (c) => {
      const form = await readBody(c, tokenForm)
      const { id } = c.get('staff')
      const made = await makeToken(node.sql, form, id, openTrail(node.log, { by: id, from: whereFrom(node, c) }))
      if (!made) throw new RequestError('conflict', 'There are many tokens already: revoke those that nobody uses')
      return c.json(made, 201)
    })
    .delete('/:id', async (c) => {
      const id = c.req.param('id')
      const trail = openTrail(node.log, { by: c.get('staff').id, from: whereFrom(node, c) })
      const isRevoked = await revokeToken(node.sql, id, trail)
      if (!isRevoked) throw new RequestError('not_found', 'There is no token with this id')
      await tellSessionsEnded(node.bus)
      return c.body(null, 204)
    })
