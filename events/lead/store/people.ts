import type { PendingQuery, Row } from 'postgres'
import { emailKey } from '../../base/address.ts'
import type { RecordedEvent } from '../../base/definition.ts'
import { phoneKey } from '../../base/phone.ts'
import type { ChatSession } from '../../chat/chat.ts'
import { chatsProjection } from '../../chat/store/view.ts'
import { isMissingView, schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import { COPY_UNTIL_MS } from '../email/copy.ts'
import { CONTRACT_PREFIX, WEBSITE_INFO_SOURCE } from '../form/kind.ts'
import type { leadSubmitted } from '../lead.ts'
import type { Earlier } from '../person/person.ts'
import { stayingLead } from './merged-leads.ts'
import { leadsProjection } from './view.ts'

/** How far a person is followed. */
export type Reach = {
  /** How many leads are taken for one person's at most. */
  maxLeads: number
  /** How often those found are asked for their own addresses and numbers: each time may link one more. */
  maxRounds: number
  /**
   * Whether to include a lead whose address or number a chat had that one of the person's leads was made of, and the
   * other way round.
   */
  isThroughChats?: boolean
}

/** The limits within which a person is shown. */
const SHOWN: Reach = { maxLeads: 200, maxRounds: 5 }
const MAX_SHOWN_CHATS = 200

const leadsView = (sql: Sql) => sql(schemaOf(leadsProjection))
const chatsView = (sql: Sql) => sql(schemaOf(chatsProjection))

/** A person's details in a lead; leads with an `earlier` address or number are found too if that is given. */
export type Contact = { id: string; email: string; phone: string; mergedInto?: string | null; earlier?: Earlier }

/**
 * The addresses and numbers, as they are compared, that link the leads of a person. `rounds` are the leads by the
 * number of links between them and the first, which is alone in the first round.
 */
export type Person = { leadIds: string[]; rounds: string[][]; emails: string[]; phones: string[] }

/** A lead by how many links lie between it and the first one, with its own address and number. */
type Linked = { id: string; round: number; email: string | null; phone: string | null }

const known = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

/** The tables of the chats' view by whose keys people are compared: the addresses and the numbers of visitors. */
const CHAT_KEYS = {
  emails: { table: 'addresses', column: 'email_key' },
  phones: { table: 'phones', column: 'phone_key' },
} as const

type KeyKind = keyof typeof CHAT_KEYS

const chatKeys = (sql: Sql, kind: KeyKind) => {
  const { table, column } = CHAT_KEYS[kind]
  return { keys: sql`${chatsView(sql)}.${sql(table)}`, key: sql(column) }
}

/** The addresses or numbers, as they are compared, of the chats that these leads were made of. */
const keysOfChats = (sql: Sql, kind: KeyKind, leadIds: PendingQuery<Row[]>) => {
  const { keys, key } = chatKeys(sql, kind)
  return sql`
    select a.${key} from unnest(${leadIds}) lead_key
    cross join lateral (select id from ${chatsView(sql)}.sessions where lead_id = lead_key offset 0) chat
    cross join lateral (select ${key} from ${keys} where session_id = chat.id offset 0) a`
}

/** The leads, but those erased, that were made of chats which had one of these addresses or numbers. */
const leadsOfChats = (sql: Sql, kind: KeyKind, values: PendingQuery<Row[]>) => {
  const { keys, key } = chatKeys(sql, kind)
  return sql`
  select found.position, found.id from unnest(${values}) chat_key
  cross join lateral (
    select distinct chat.lead_id from ${keys} a
    cross join lateral (select lead_id from ${chatsView(sql)}.sessions where id = a.session_id offset 0) chat
    where a.${key} = chat_key and chat.lead_id is not null offset 0
  ) made
  cross join lateral (
    select position, id from ${leadsView(sql)}.leads
    where id = made.lead_id and (lead->>'email' <> '' or lead->>'phone' <> '') offset 0
  ) found`
}

/**
 * The linked leads, oldest first. Each row of `reach` is a round: the leads that it found, those found by then, and the
 * keys by which the next round searches. Keys are looked up one by one: without statistics of these columns, which
 * would store names and addresses, the planner expects a list of keys to match a large share of the table, and would
 * read all of it.
 */
const linkedLeads = (
  sql: Sql,
  { id, mergedInto, emails, phones }: Pick<Person, 'emails' | 'phones'> & { id: string; mergedInto: string | null },
  { maxLeads, maxRounds, isThroughChats = false }: Reach,
) => {
  const leads = sql`${leadsView(sql)}.leads`
  const throughChats = (kind: KeyKind, ids: PendingQuery<Row[]>) =>
    isThroughChats ? sql`union ${keysOfChats(sql, kind, ids)}` : sql``
  return sql<Linked[]>`
    with recursive reach as (
      select 0 as round, '{}'::uuid[] as found, '{}'::uuid[] as reached, '{}'::bigint[] as positions,
        array(select unnest(${phones}::text[]) ${throughChats('phones', sql`array[${id}::uuid]`)}) as phones,
        array(select unnest(${emails}::text[]) ${throughChats('emails', sql`array[${id}::uuid]`)}) as emails,
        array_remove(array[${id}, ${mergedInto}]::uuid[], null) as family
      union all
      select round + 1, next.found, reached || next.found, reach.positions || next.positions,
        array(select unnest(next.phones) ${throughChats('phones', sql`next.found`)}),
        array(select unnest(next.emails) ${throughChats('emails', sql`next.found`)}), next.family
      from reach
      cross join lateral (
        select array_agg(id) as found, array_agg(position) as positions, array_agg(distinct email_key) as emails,
          array_agg(distinct phone_key) as phones,
          array_agg(distinct merged_into) || array_agg(id) filter (where own is not null) as family
        from (
          select one.* from (
            (
              select l.* from unnest(reach.emails) key
              cross join lateral (select position, id from ${leads} where email_key = key offset 0) l
              union all
              select l.* from unnest(reach.phones) key
              cross join lateral (select position, id from ${leads} where phone_key = key offset 0) l
              union all
              select l.* from unnest(reach.family) key
              cross join lateral (select position, id from ${leads} where id = key offset 0) l
              union all
              select l.* from unnest(reach.family) key
              cross join lateral (select position, id from ${leads} where merged_into = key offset 0) l
              ${isThroughChats ? sql`union all ${leadsOfChats(sql, 'emails', sql`reach.emails`)}` : sql``}
              ${isThroughChats ? sql`union all ${leadsOfChats(sql, 'phones', sql`reach.phones`)}` : sql``}
            )
            except select unnest(reach.positions), unnest(reach.reached)
            order by position limit ${maxLeads + 1}
          ) fresh
          cross join lateral (
            select id, position, email_key, phone_key, merged_into, own from ${leads} where leads.id = fresh.id offset 0
          ) one
        ) fresh
      ) next
      where round < ${maxRounds} and cardinality(reached) <= ${maxLeads} and next.found is not null
    )
    select one.id, round, email_key as email, phone_key as phone from reach
    cross join unnest(found) key
    cross join lateral (select id, position, email_key, phone_key from ${leads} where id = key offset 0) one
    order by position limit ${maxLeads + 1}`
}

/**
 * How many leads before a submission, by their place in the log, have given its address within the time in which copies
 * are counted. Flagged leads do not count, as they get none.
 */
export const countCopiesBefore = async (
  sql: Sql,
  { position, recordedAt, personal }: Pick<RecordedEvent<typeof leadSubmitted>, 'position' | 'recordedAt' | 'personal'>,
): Promise<number> => {
  const view = leadsView(sql)
  const from = new Date(recordedAt.getTime() - COPY_UNTIL_MS)
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${view}.leads l join ${view}.entries e using (position)
    where l.email_key = ${emailKey(personal?.email ?? '')} and l.position < ${position} and not e.is_suspect
      and e.submitted_at > ${from}`
  return row?.count ?? 0
}

/**
 * The leads of the person of a lead, oldest first: those with the same email address or telephone number, those that
 * were merged with one another, those that share one of these with them, and so on.
 */
export const findPerson = async (
  sql: Sql,
  { id, email, phone, mergedInto = null, earlier = { emails: [], phones: [] } }: Contact,
  reach: Reach = SHOWN,
): Promise<Person> => {
  const own = { id, round: 0, email: emailKey(email), phone: phoneKey(phone) }
  const emails = known([own.email, ...earlier.emails])
  const phones = known([own.phone, ...earlier.phones])
  const found = await linkedLeads(sql, { id, mergedInto, emails, phones }, reach)
  // a lead that the view does not know yet is the newest
  const linked = found.some((lead) => lead.id === id) ? found : [...found, own]
  const others = found.filter((lead) => lead.id !== id).sort((a, b) => a.round - b.round)
  const rounds = [...Map.groupBy(others, ({ round }) => round).values()]
  return {
    leadIds: linked.map((lead) => lead.id).slice(0, reach.maxLeads),
    rounds: [[id], ...rounds.map((round) => round.map((lead) => lead.id))],
    emails: known(linked.map((lead) => lead.email)),
    phones: known(linked.map((lead) => lead.phone)),
  }
}

/**
 * A lead with the data that identifies its person. `timestamp` is ISO 8601; the keys are of its own address and number.
 */
export type ListedContact = Contact & {
  name: string
  company: string | null
  timestamp: string
  mergedInto: string | null
  emailKey: string | null
  phoneKey: string | null
}

/** Leads with the data that identifies their people, oldest first. */
export const findContacts = (sql: Sql, leadIds: string[]) =>
  sql<ListedContact[]>`
    select id, lead->>'name' as name, coalesce(lead->>'company', lead->>'businessName') as company,
      lead->>'email' as email, lead->>'phone' as phone, lead->>'timestamp' as timestamp, merged_into as "mergedInto",
      email_key as "emailKey", phone_key as "phoneKey"
    from ${leadsView(sql)}.leads where id = any(${leadIds}::uuid[]) order by position`

/** The address and the number of a chat's visitor. */
type VisitorContact = Pick<ChatSession, 'visitorEmail' | 'visitorPhone'>

/** How many leads under an address or a number are looked through for the newest: strangers can submit any number. */
const MAX_KNOWN_LEADS = 200

/**
 * The newest lead with a visitor's address or number that is not flagged, or the one into which it was merged; null if
 * there is none, or it was erased.
 */
export const findKnownLead = async (sql: Sql, visitor: VisitorContact): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    select id from (${leadsOfVisitor(sql, visitor)}) known order by position desc limit 1`
  return row ? await stayingLead(sql, schemaOf(leadsProjection), row.id) : null
}

/** The leads with a visitor's address or number that are not flagged. */
const leadsOfVisitor = (sql: Sql, { visitorEmail, visitorPhone = '' }: VisitorContact) => {
  const found = (key: PendingQuery<Row[]>) => sql`
    (select id, merged_into, position from ${leadsView(sql)}.leads
     where ${key} and not is_suspect limit ${MAX_KNOWN_LEADS})`
  const [email, phone] = [emailKey(visitorEmail), phoneKey(visitorPhone)]
  return sql`${found(sql`email_key = ${email}`)} union ${found(sql`phone_key = ${phone}`)}`
}

/**
 * The signed contracts with this address or this number, the newest first, by their own details; `isBoth`: with both.
 * Empty while there is no view.
 */
export const findContracts = async (
  sql: Sql,
  { email, phone }: { email: string; phone: string },
): Promise<{ id: string; isBoth: boolean }[]> => {
  const [ofEmail, ofPhone] = [sql`email_key = ${emailKey(email)}`, sql`phone_key = ${phoneKey(phone)}`]
  const found = (key: PendingQuery<Row[]>) => sql`
    (select id, position, email_key, phone_key, lead from ${leadsView(sql)}.leads
     where ${key} and not is_suspect limit ${MAX_KNOWN_LEADS})`
  try {
    return await sql<{ id: string; isBoth: boolean }[]>`
      select distinct on (position) id, coalesce(${ofEmail} and ${ofPhone}, false) as "isBoth"
      from (${found(ofEmail)} union all ${found(ofPhone)}) known
      where starts_with(lead ->> 'leadSource', ${CONTRACT_PREFIX})
      order by position desc`
  } catch (error) {
    if (isMissingView(error)) return []
    throw error
  }
}

/** The newest questionnaire and the newest chat of a lead's person, by its own address and number; null if there is none. */
type Sent = { leadId: string; questionnaireId: string | null; sessionId: string | null }

/** The newest questionnaires and chats of the people of some leads, by look-ups of keys. */
export const findSent = (sql: Sql, leadIds: readonly string[]): Promise<Sent[]> => {
  const leadsBy = (condition: PendingQuery<Row[]>) => sql`
    (select id, position, lead, own from ${leadsView(sql)}.leads
     where ${condition} and not is_suspect limit ${MAX_KNOWN_LEADS})`
  const chatsBy = (kind: KeyKind, value: PendingQuery<Row[]>) => {
    const { keys, key } = chatKeys(sql, kind)
    return sql`(select session_id from ${keys} a where a.${key} = ${value} limit ${MAX_SHOWN_CHATS})`
  }
  return sql<Sent[]>`
    select one.id as "leadId", questionnaire.id as "questionnaireId", chat.id as "sessionId"
    from unnest(${[...leadIds]}::uuid[]) wanted
    cross join lateral (select id, email_key, phone_key from ${leadsView(sql)}.leads where id = wanted offset 0) one
    left join lateral (
      select id from (
        ${leadsBy(sql`email_key = one.email_key`)} union all ${leadsBy(sql`phone_key = one.phone_key`)}
        union all ${leadsBy(sql`merged_into = one.id`)}
      ) theirs
      where coalesce(own, lead) ->> 'leadSource' = ${WEBSITE_INFO_SOURCE} order by position desc limit 1
    ) questionnaire on true
    left join lateral (
      select s.id from (
        ${chatsBy('emails', sql`one.email_key`)} union all ${chatsBy('phones', sql`one.phone_key`)}
        union all (select id from ${chatsView(sql)}.sessions where lead_id = one.id)
      ) theirs
      cross join lateral (
        select id, started_at from ${chatsView(sql)}.sessions
        where id = theirs.session_id and not (progress ->> 'isErased')::boolean offset 0
      ) s
      order by s.started_at desc limit 1
    ) chat on true`
}

/** A lead that waits for a reply; `isMade` says that it was made of the chat in question. */
export type WaitingLead = { id: string; isMade: boolean; submittedAt: Date }

/**
 * The lead of a chat that waits for a reply: `madeId`, which was made of it, or else the newest with the visitor's
 * address or number, or the leads into which they were merged. Null if none waits.
 */
export const findWaitingLead = async (
  sql: Sql,
  { madeId, visitor }: { madeId: string | null; visitor: VisitorContact },
): Promise<WaitingLead | null> => {
  const leads = sql`${leadsView(sql)}.leads`
  const [row] = await sql<WaitingLead[]>`
    with recursive linked as (
      select id, merged_into, true as is_made from ${leads} where id = ${madeId}::uuid
      union all
      select id, merged_into, false from (${leadsOfVisitor(sql, visitor)}) theirs
    ),
    up as (
      select * from linked
      union
      select l.id, l.merged_into, up.is_made from up
      cross join lateral (select id, merged_into from ${leads} where id = up.merged_into offset 0) l
    )
    select up.id, up.is_made as "isMade", submitted_at as "submittedAt" from up
    cross join lateral (select position from ${leads} where id = up.id and merged_into is null offset 0) staying
    join ${leadsView(sql)}.entries using (position) where is_waiting and not is_suspect
    order by is_made desc, position desc limit 1`
  return row ?? null
}

/** A chat of a person: one that had one of their addresses or numbers, or was made a lead of theirs. `messages` is how many it has. */
export type PersonChat = { session: ChatSession; leadId: string | null; messages: number; isErased: boolean }

/** The chats of a person, oldest first, looked up key by key as leads are. */
export const findChats = (
  sql: Sql,
  { leadIds, ...keysOf }: Pick<Person, 'leadIds' | KeyKind>,
  limit = MAX_SHOWN_CHATS,
): Promise<PersonChat[]> => {
  const sessions = sql`${chatsView(sql)}.sessions`
  const chatsBy = (kind: KeyKind) => {
    const { keys, key } = chatKeys(sql, kind)
    return sql`
      select found.* from unnest(${keysOf[kind]}::text[]) value
      cross join lateral (
        select chat.* from ${keys} a
        cross join lateral (select * from ${sessions} where id = a.session_id offset 0) chat
        where a.${key} = value offset 0
      ) found`
  }
  return sql<PersonChat[]>`
    select distinct on (started_at, id) session, lead_id as "leadId", (progress ->> 'lastSequence')::int as messages,
      (progress ->> 'isErased')::boolean as "isErased"
    from (
      ${chatsBy('emails')}
      union all
      ${chatsBy('phones')}
      union all
      select found.* from unnest(${leadIds}::uuid[]) key
      cross join lateral (select * from ${sessions} where lead_id = key offset 0) found
    ) linked order by started_at, id limit ${limit}`
}

/** All addresses and numbers that these chats have ever had, as they are compared. */
export const findChatKeys = (sql: Sql, sessionIds: string[]) =>
  sql<{ sessionId: string; kind: KeyKind; key: string }[]>`
    select session_id as "sessionId", 'emails' as kind, email_key as key from ${chatsView(sql)}.addresses
    where session_id = any(${sessionIds}::uuid[])
    union all
    select session_id, 'phones', phone_key from ${chatsView(sql)}.phones
    where session_id = any(${sessionIds}::uuid[])`
