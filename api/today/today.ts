import type { Sent } from '../../events/base/word.ts'
import { countWaitingChats, waitingChats } from '../../events/chat/store/list.ts'
import { countAttention } from '../../events/email/store/list.ts'
import { today } from '../../events/lead/screens/today-wire.ts'
import { readAssignmentChanges } from '../chat/log/assignments.ts'
import { readOutlines } from '../chat/log/outlines.ts'
import { waitingAt } from '../chat/presence/waiting-at.ts'
import { emailsToAttendTo } from '../email/emails.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { readTodaysLeads } from './lists.ts'
import { readOtherRequests } from './other-requests.ts'

/** The number listed of each kind; the lists behind the links have all. */
const LISTED = 20
const LISTED_EMAILS = 10

const readChats = async (node: ApiNode): Promise<Sent<typeof today>['chats']> => {
  const { reading } = node
  const at = await waitingAt(node)
  const [count, sessions] = await Promise.all([countWaitingChats(reading, at), waitingChats(reading, LISTED, at)])
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

/** The work of staff, most urgent first. */
export const todayRoute = route('GET', '/api/today', {
  access: 'staff',
  summary: 'The work that is due now',
  answer: today,
  handler: async ({ node }) => {
    const [leads, chats, emails] = await Promise.all([readLeads(node), readChats(node), readEmails(node)])
    return { ...leads, chats, emails }
  },
})
