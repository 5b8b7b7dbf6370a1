import { Hono } from 'hono'
import { countWaitingChats, waitingChats } from '../events/projections/chat-list.ts'
import { countAttention } from '../events/projections/email-list.ts'
import { readOtherRequests } from '../events/projections/other-requests.ts'
import { readTodaysLeads } from '../events/projections/today.ts'
import type { today } from '../events/wire/today.ts'
import type { Sent } from '../events/wire/word.ts'
import { readAssignmentChanges } from './chat/assignments.ts'
import { readOutlines } from './chat/outlines.ts'
import { emailsToAttendTo } from './email/emails.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv } from './staff/staff.ts'

/** How many of a kind are listed; the lists behind them have all. */
const LISTED = 10
const LISTED_EMAILS = 10

const readChats = async ({ reading }: ApiNode): Promise<Sent<typeof today>['chats']> => {
  const [count, sessions] = await Promise.all([countWaitingChats(reading), waitingChats(reading, LISTED)])
  const ids = sessions.map(({ sessionId }) => sessionId)
  const [outlines, assignments] = await Promise.all([readOutlines(reading, ids), readAssignmentChanges(reading, ids)])
  return {
    count,
    chats: sessions.map(({ sessionId, visitorName }) => {
      const { waitingSince = null, last = null } = outlines.get(sessionId) ?? {}
      const assigned = assignments.get(sessionId)
      const lastWords = last?.message ?? null
      return { sessionId, visitorName, waitingSince, lastWords, ...(assigned !== undefined && { assigned }) }
    }),
  }
}

const readEmails = async (node: ApiNode): Promise<Sent<typeof today>['emails']> => {
  const [count, emails] = await Promise.all([countAttention(node.reading), emailsToAttendTo(node, LISTED_EMAILS)])
  return { count, emails }
}

const readLeads = async ({ reading }: ApiNode) => {
  const found = await readTodaysLeads(reading, { now: new Date(), limit: LISTED })
  const { overdue, dueSoon, fresh, nextActions } = found
  const listed = [overdue, dueSoon, fresh, nextActions].flatMap(({ leads }) => leads.map(({ id }) => id))
  return { ...found, otherRequests: await readOtherRequests(reading, [...new Set(listed)]) }
}

/** `GET /api/today`: what staff have to do now, most urgent first. */
export const todayRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const [leads, chats, emails] = await Promise.all([readLeads(node), readChats(node), readEmails(node)])
    return c.json({ ...leads, chats, emails } satisfies Sent<typeof today>)
  })
