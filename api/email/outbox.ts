import { Hono } from 'hono'
import { listOutbox } from '../../events/projections/deliveries.ts'
import type { outbox } from '../../events/wire/email.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { ApiNode } from '../node.ts'
import { requireStaff, type StaffEnv } from '../staff/staff.ts'
import { readEachContents } from './emails.ts'

const MAX_OUTBOX_EMAILS = 200

/** `GET /api/outbox`: the emails that were kept here because no email service is set, the newest 200 first, for staff. */
export const outboxRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const kept = await listOutbox(node.reading, MAX_OUTBOX_EMAILS)
    const emails: Sent<typeof outbox> = (await readEachContents(node, kept, () => true)).map(
      ({ email: { eventId, keptAt }, contents: { subject, fields } }) => {
        return { id: eventId, keptAt: keptAt.toISOString(), subject, fields }
      },
    )
    return c.json(emails)
  })
