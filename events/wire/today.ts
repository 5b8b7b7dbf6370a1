import * as v from 'valibot'
import { assignmentChange } from './chat.ts'
import { listedEmails } from './email.ts'
import { leads } from './lead.ts'
import type { Received } from './word.ts'

const todaysLeads = v.object({ count: v.number(), leads })

/**
 * A chat whose visitor waits. `waitingSince` is ISO 8601, `lastWords` the beginning of what was said last. `assigned` is
 * whose chat it is, and how it became that: null for one that nobody ever had. It is left out where that cannot be read,
 * and by older nodes.
 */
const waitingChat = v.object({
  sessionId: v.string(),
  visitorName: v.string(),
  waitingSince: v.nullable(v.string()),
  lastWords: v.nullable(v.string()),
  assigned: v.exactOptional(v.nullable(assignmentChange)),
})

/**
 * The answer of `GET /api/today`: what staff have to do now, each kind with its first entries, most urgent first, and
 * how many there are. Leads are counted up to 100. Of `dueSoon` less than an hour of the promised time is left, of
 * `fresh` more; an older node has both in `dueSoon`. The `nextActions` are of today and before. `quarantined` are signed
 * contracts that look like spam and that nobody has judged, newest first; an older node leaves them out.
 */
export const today = v.object({
  overdue: todaysLeads,
  dueSoon: todaysLeads,
  fresh: v.exactOptional(todaysLeads),
  quarantined: v.exactOptional(todaysLeads),
  nextActions: todaysLeads,
  chats: v.object({ count: v.number(), chats: v.array(waitingChat) }),
  emails: v.object({ count: v.number(), emails: listedEmails }),
})

export type Today = Received<typeof today>
