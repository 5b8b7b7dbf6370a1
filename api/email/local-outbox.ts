import { listOutbox } from '../../events/email/store/deliveries.ts'
import { outbox } from '../../events/email/wire.ts'
import { route } from '../http/route.ts'
import { readEachContents } from './emails.ts'

const MAX_OUTBOX_EMAILS = 200

/** The emails that were stored here because no email service is set, the newest 200 first. */
export const outboxRoute = route('GET', '/api/outbox', {
  access: 'staff',
  summary: 'Emails that were stored here because no service is set',
  answer: outbox,
  handler: async ({ node }) => {
    const stored = await listOutbox(node.reading, MAX_OUTBOX_EMAILS)
    return (await readEachContents(node, stored, () => true)).map(
      ({ email: { eventId, storedAt }, contents: { subject, fields } }) => {
        return { id: eventId, storedAt: storedAt.toISOString(), subject, fields }
      },
    )
  },
})
