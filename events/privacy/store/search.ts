import { emailKey } from '../../base/address.ts'
import type { Sent } from '../../base/word.ts'
import { listChats } from '../../chat/store/list.ts'
import type { Lead } from '../../lead/lead.ts'
import { listLeads } from '../../lead/store/lead-list.ts'
import { likePattern } from '../../projections/like-pattern.ts'
import type { Sql } from '../../stores/connection.ts'
import type { foundPeople } from '../wire.ts'

const MAX_LEADS = 200
const MAX_CHATS = 20
const MAX_ACCOUNTS = 10

type Found = Sent<typeof foundPeople>

const ofLeads = (leads: readonly Lead[]): Found =>
  [...Map.groupBy(leads, ({ id, email }) => emailKey(email) ?? id).values()].flatMap(([newest, ...more]) =>
    newest
      ? [
          {
            kind: 'lead' as const,
            id: newest.id,
            name: newest.name,
            email: newest.email || null,
            phone: newest.phone || null,
            timestamp: newest.timestamp,
            count: more.length + 1,
          },
        ]
      : [],
  )

const findAccounts = (sql: Sql, q: string) => sql<{ id: string; name: string; email: string | null; at: Date }[]>`
  select id, display_name as name, alert_email as email, created_at as at from staff
  where removed_at is null and concat_ws(' ', username, display_name, alert_email) ilike ${likePattern(q)}
  order by lower(display_name) limit ${MAX_ACCOUNTS}`

/**
 * Finds people by an email address, a telephone number, a name or a reference: by their leads, also flagged ones, then
 * by chats that had none of these addresses, and the accounts of staff.
 */
export const searchPeople = async (sql: Sql, q: string): Promise<Found> => {
  if (q === '') return []
  const [leads, flagged, chats, accounts] = await Promise.all([
    listLeads(sql, { q, sort: 'desc' }, { limit: MAX_LEADS }),
    listLeads(sql, { q, sort: 'desc', quarantine: true }, { limit: MAX_LEADS }),
    listChats(sql, { q }, { limit: MAX_CHATS }),
    findAccounts(sql, q),
  ])
  const people = ofLeads([...leads, ...flagged])
  const addresses = new Set(people.map(({ email }) => emailKey(email ?? '')))
  const leadIds = new Set([...leads, ...flagged].map(({ id }) => id))
  return [
    ...people,
    ...chats
      .filter(({ visitorEmail, leadId }) => {
        const key = emailKey(visitorEmail ?? '')
        return !(key !== null && addresses.has(key)) && !(leadId !== null && leadIds.has(leadId))
      })
      .map(({ sessionId, visitorName, visitorEmail, visitorPhone = null, startTime }) => ({
        kind: 'chat' as const,
        id: sessionId,
        name: visitorName,
        email: visitorEmail,
        phone: visitorPhone,
        timestamp: startTime,
        count: 0,
      })),
    ...accounts.map(({ id, name, email, at }) => ({
      kind: 'account' as const,
      id,
      name,
      email,
      phone: null,
      timestamp: at.toISOString(),
      count: 0,
    })),
  ]
}
