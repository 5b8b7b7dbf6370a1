import { Hono } from 'hono'
import { listOutbox } from '../../events/projections/deliveries.ts'
import { readEmail } from '../../events/projections/emails.ts'
import type { outbox } from '../../events/wire/email.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { ApiNode } from '../node.ts'
import { requireStaff, type StaffEnv } from '../staff/staff.ts'
import { senderOf } from './emails.ts'

const MAX_OUTBOX_EMAILS = 200

/** `GET /api/outbox`: the e-mails that were kept here because no e-mail service is set, the newest 200 first, for staff. */
export const outboxRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const rows = await listOutbox(node.sql, MAX_OUTBOX_EMAILS)
    const emails: Sent<typeof outbox> = await Promise.all(
      rows.map(async ({ eventId, keptAt }) => {
        const email = await readEmail(node.sql, eventId, senderOf(node, { isOutbox: true }))
        return {
          id: eventId,
          keptAt: keptAt.toISOString(),
          subject: email?.subject ?? 'Erased',
          fields: email?.fields ?? [],
        }
      }),
    )
    return c.json(emails)
  })
