import type { ChatSession } from '../chat.ts'
import type { Sql } from '../log/connection.ts'
import { emailKey, phoneKey } from '../person.ts'
import { schemaOf } from './projection.ts'

/** How many leads, and how many chats, are taken for one person's at most. */
const MAX_PERSON_LEADS = 200
export const MAX_PERSON_CHATS = 200

/** How often those found are asked for their own addresses and numbers: each time may link one more. */
const MAX_ROUNDS = 5

const LEADS = schemaOf('leads')
const CHATS = schemaOf('chats')

/** Who somebody is, as a lead tells it. */
export type Contact = { id: string; email: string; phone: string }

/** What all leads of a person have in common with some other of them: addresses and numbers, as they are compared. */
export type Person = { leadIds: string[]; emails: string[]; phones: string[]; isWhole: boolean }

type Linked = { id: string; email: string | null; phone: string | null }

const known = (values: (string | null)[]) => [...new Set(values.filter((value) => value !== null))]

/**
 * The leads of the person who a lead is about, oldest first: those with the same e-mail address or telephone number,
 * those that share one with these, and so on. `isWhole` says whether the limits left none of them out.
 */
export const findPerson = async (sql: Sql, { id, email, phone }: Contact): Promise<Person> => {
  let linked: Linked[] = [{ id, email: emailKey(email), phone: phoneKey(phone) }]
  let keys = 0
  for (let round = 1; ; round += 1) {
    const emails = known(linked.map((lead) => lead.email))
    const phones = known(linked.map((lead) => lead.phone))
    const leadIds = linked.map((lead) => lead.id)
    const isWhole = linked.length <= MAX_PERSON_LEADS
    if (emails.length + phones.length === keys) return { leadIds, emails, phones, isWhole }
    if (!isWhole || round > MAX_ROUNDS) {
      return { leadIds: leadIds.slice(0, MAX_PERSON_LEADS), emails, phones, isWhole: false }
    }
    keys = emails.length + phones.length
    const found = await sql<Linked[]>`
      select id, email_key as email, phone_key as phone from ${sql(LEADS)}.leads
      where email_key = any(${emails}) or phone_key = any(${phones})
      order by position limit ${MAX_PERSON_LEADS + 1}`
    const isInView = found.some((lead) => lead.id === id)
    linked = isInView ? found : [...found, ...linked.filter((lead) => lead.id === id)]
  }
}

/** A chat of a person: begun under one of their addresses, or made a lead of theirs. */
export type PersonChat = { session: ChatSession; leadId: string | null }

/** The chats of a person, oldest first. */
export const findChats = (sql: Sql, { leadIds, emails }: Person): Promise<PersonChat[]> =>
  sql<PersonChat[]>`
    select session, lead_id as "leadId" from ${sql(CHATS)}.sessions
    where email_key = any(${emails}) or lead_id = any(${leadIds}::uuid[])
    order by started_at limit ${MAX_PERSON_CHATS}`
