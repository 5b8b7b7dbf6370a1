import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { activationStreams, emailActivationRequested } from '../../events/email.ts'
import { clientAddress } from '../client-address.ts'
import type { ApiNode } from '../node.ts'
import { limitRate } from '../rate-limit.ts'

const MAX_REQUESTS = 3
const WINDOW_S = 60 * 60

/**
 * `POST /api/email-activation`: asks the worker for the test submission that makes the e-mail service verify the
 * agency's address.
 */
export const emailActivationRoutes = (node: ApiNode) => {
  const limit = limitRate(node, { name: 'email-activation', points: MAX_REQUESTS, windowS: WINDOW_S })
  return new Hono().post('/', async (c) => {
    await limit.consume(clientAddress(node, c))
    const id = randomUUID()
    await node.log.append({
      stream: activationStreams.of(id),
      expectedVersion: 0,
      events: [{ id, ...emailActivationRequested({}) }],
    })
    return c.body(null, 202)
  })
}
