import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { activationStreams, emailActivationRequested } from '../../events/email.ts'
import { clientAddress } from '../admission/client-address.ts'
import type { ApiNode } from '../node.ts'

/**
 * `POST /api/email-activation`: asks the worker for the test submission that makes the email service verify the
 * agency's address.
 */
export const emailActivationRoutes = (node: ApiNode) =>
  new Hono().post('/', async (c) => {
    await node.admission.admit('email_activations', { address: clientAddress(node, c) })
    const id = randomUUID()
    await node.log.append({
      stream: activationStreams.of(id),
      expectedVersion: 0,
      events: [{ id, ...emailActivationRequested({}) }],
    })
    return c.body(null, 202)
  })
