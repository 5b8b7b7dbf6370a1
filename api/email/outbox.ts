import { Hono } from 'hono'
import { listOutbox } from '../../events/projections/deliveries.ts'
import type { outbox } from '../../events/wire/email.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { ApiNode } from '../node.ts'
import { requireStaff, type StaffEnv } from '../staff/staff.ts'
import { type Contents, readContents } from './emails.ts'

const MAX_OUTBOX_EMAILS = 200

/** `GET /api/outbox`: the emails that were kept here because no email service is set, the newest 200 first, for staff. */
export const outboxRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const emails: Sent<typeof outbox> = []
    // one after the other: together they would take the places of other requests that wait to read
    let contents: Contents | undefined
    for (const { eventId, keptAt } of await listOutbox(node.reading, MAX_OUTBOX_EMAILS)) {
      // a database of keys that is away may take its time to say so: it is not asked again for each
      if (!contents?.areKeysAway) contents = await readContents(node, { eventId, isOutbox: true })
      const { subject, fields } = contents
      emails.push({ id: eventId, keptAt: keptAt.toISOString(), subject, fields })
    }
    return c.json(emails)
  })
