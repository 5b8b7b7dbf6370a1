import type { PendingQuery, Row } from 'postgres'
import { chatsProjection } from '../../chat/store/view.ts'
import { findChatKeys, findChats } from '../../lead/store/people.ts'
import { leadsProjection } from '../../lead/store/view.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import type { Subject } from '../wire.ts'

/** Far more than one person has: strangers can submit any number under another person's address. */
const MAX_LEADS = 100_000
const MAX_CHATS = 100_000
const MAX_OTHERS = 20

/** The leads, newest first, the chats and the account of a person. `others` have only the number in common. */
export type Person = {
  leadIds: string[]
  sessionIds: string[]
  accountId: string | null
  others: { id: string; name: string; timestamp: string }[]
}

type Keys = { ids: string[]; emails: string[]; phones: string[] }

type Linked = { id: string; email: string | null; phone: string | null }

/** The leads of these ids, addresses and numbers, with all that they were merged with. Each key is looked up by index. */
const linkedLeads = (sql: Sql, { ids, emails, phones }: Keys) => {
  const leads = sql`${sql(schemaOf(leadsProjection))}.leads`
  const by = (column: PendingQuery<Row[]>, keys: PendingQuery<Row[]>) => sql`
    select l.id, l.merged_into from unnest(${keys}) key
    cross join lateral (select id, merged_into from ${leads} where ${column} = key offset 0) l`
  return sql<Linked[]>`
    with recursive found as (
      (
        ${by(sql`id`, sql`${ids}::uuid[]`)}
        union ${by(sql`email_key`, sql`${emails}::text[]`)}
        union ${by(sql`phone_key`, sql`${phones}::text[]`)}
      )
      union
      select l.id, l.merged_into from found
      cross join lateral (
        select * from (select id, merged_into from ${leads} where id = found.merged_into offset 0) up
        union all
        select * from (select id, merged_into from ${leads} where merged_into = found.id offset 0) down
      ) l
    )
    select one.id, one.email_key as email, one.phone_key as phone from (select distinct id from found) f
    cross join lateral (
      select id, position, email_key, phone_key from ${leads}
      where id = f.id and lead ->> 'followUpStatus' <> 'erased' offset 0
    ) one
    order by one.position desc limit ${MAX_LEADS}`
}

/** A lead with all that it was merged with; erased ones are left out. */
export const familyOf = async (sql: Sql, leadId: string): Promise<string[]> =>
  (await linkedLeads(sql, { ids: [leadId], emails: [], phones: [] })).map(({ id }) => id)

const known = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

const leadOfChat = async (sql: Sql, sessionId: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select lead_id as id from ${sql(schemaOf(chatsProjection))}.sessions where id = ${sessionId} and lead_id is not null`
  return rows.map(({ id }) => id)
}

const isLivingChat = async (sql: Sql, sessionId: string): Promise<boolean> => {
  const rows = await sql`
    select from ${sql(schemaOf(chatsProjection))}.sessions
    where id = ${sessionId} and not (progress ->> 'isErased')::boolean`
  return rows.length > 0
}

const withSameNumber = async (sql: Sql, phones: string[], leadIds: string[]): Promise<Person['others']> => {
  const found = (await linkedLeads(sql, { ids: [], emails: [], phones })).map(({ id }) => id)
  const own = new Set(leadIds)
  const others = found.filter((id) => !own.has(id)).slice(0, MAX_OTHERS)
  return await sql<Person['others']>`
    select id, lead ->> 'name' as name, lead ->> 'timestamp' as timestamp
    from ${sql(schemaOf(leadsProjection))}.leads where id = any(${others}::uuid[]) order by position desc`
}

/**
 * Finds the data of a person, from one lead, chat or account: the leads with the same email address, and those merged
 * with them; for a person without an address, those with the same number; and the chats that had one of the addresses
 * or became one of the leads. Colleagues share a telephone, so that a number alone does not make it one person.
 */
export const findPerson = async (sql: Sql, { kind, id }: Subject): Promise<Person> => {
  if (kind === 'account') return { leadIds: [], sessionIds: [], accountId: id, others: [] }
  const isChat = kind === 'chat'
  const family = await linkedLeads(sql, { ids: isChat ? await leadOfChat(sql, id) : [id], emails: [], phones: [] })
  const ofChat = isChat ? await findChatKeys(sql, [id]) : []
  const keysOf = (wanted: 'emails' | 'phones') => ofChat.flatMap(({ kind, key }) => (kind === wanted ? [key] : []))
  const emails = known([...keysOf('emails'), ...family.map(({ email }) => email)])
  const phones = known([...keysOf('phones'), ...family.map(({ phone }) => phone)])
  const keys = { ids: family.map((lead) => lead.id), emails, phones: emails.length > 0 ? [] : phones }
  const leadIds = (await linkedLeads(sql, keys)).map((lead) => lead.id)
  const own = new Set(leadIds)
  const chats = await findChats(sql, { leadIds, emails, phones: keys.phones }, MAX_CHATS)
  const sessionIds = chats
    .filter(({ isErased, leadId }) => !isErased && (leadId === null || own.has(leadId)))
    .map(({ session }) => session.sessionId)
  const isAlone = isChat && !sessionIds.includes(id) && (await isLivingChat(sql, id))
  return {
    leadIds,
    sessionIds: isAlone ? [...sessionIds, id] : sessionIds,
    accountId: null,
    others: await withSameNumber(sql, phones, leadIds),
  }
}

type ContactRow = { name: string; email: string | null; phone: string | null }

/** The name by which a person is shown, with their address and number; undefined if there is no such person. */
export const readContact = async (sql: Sql, { kind, id }: Subject): Promise<ContactRow | undefined> => {
  const leads = sql`${sql(schemaOf(leadsProjection))}.leads`
  const sessions = sql`${sql(schemaOf(chatsProjection))}.sessions`
  const queries = {
    lead: sql`select lead ->> 'name' as name, nullif(lead ->> 'email', '') as email,
      nullif(lead ->> 'phone', '') as phone from ${leads} where id = ${id}`,
    chat: sql`select session ->> 'visitorName' as name, session ->> 'visitorEmail' as email,
      session ->> 'visitorPhone' as phone
      from ${sessions} where id = ${id}`,
    account: sql`select display_name as name, alert_email as email, null as phone
      from staff where id = ${id} and removed_at is null`,
  }
  const [row] = await sql<ContactRow[]>`${queries[kind]}`
  return row
}
