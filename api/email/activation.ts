import { randomUUID } from 'node:crypto'
import { activationStreams, emailActivationRequested } from '../../events/email/email.ts'
import { limitAddresses, route } from '../http/route.ts'

/** Requests the test submission that makes the email service verify the agency's address. */
export const emailActivationRoute = route('POST', '/api/email-activation', {
  access: 'anyone',
  summary: 'Requests a test submission, by which the email service confirms the agency’s address',
  limit: limitAddresses('email_activations'),
  status: 202,
  handler: async ({ node }) => {
    const id = randomUUID()
    await node.log.append({
      stream: activationStreams.of(id),
      expectedVersion: 0,
      events: [{ id, ...emailActivationRequested({}) }],
    })
  },
})
