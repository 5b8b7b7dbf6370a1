import type { Context } from 'hono'
import { messageStream } from '../../events/chat.ts'
import { evolveLead, type Lead, type LeadEvent, leadStream } from '../../events/lead.ts'
import { readStreams } from '../../events/log/read.ts'
import { findChats, findPerson, type PersonChat } from '../../events/projections/people.ts'
import { chatEntries, leadEntries } from '../../events/timeline.ts'
import type { ApiNode } from '../node.ts'
import { staffNames } from '../staff/staff.ts'
import { readLead } from './change.ts'

/** The leads of these ids with their events, from the log itself. */
const readLeads = async ({ sql }: ApiNode, ids: string[]) => {
  const events = (await readStreams(sql, ids.map(leadStream))) as LeadEvent[]
  return [...Map.groupBy(events, ({ stream }) => stream).values()].flatMap((ofLead) => {
    const lead = ofLead.reduce<Lead | undefined>(evolveLead, undefined)
    return lead ? [{ lead, events: ofLead }] : []
  })
}

/** How many messages each chat has, by session id. */
const countMessages = async ({ sql }: ApiNode, chats: PersonChat[]) => {
  const ids = chats.map(({ session }) => session.sessionId)
  const rows = await sql<{ id: string; messages: number }[]>`
    select s.id, (select coalesce(max(e.version), 0) from events e where e.stream = s.stream) as messages
    from unnest(${ids}::text[], ${ids.map(messageStream)}::text[]) as s (id, stream)`
  return new Map(rows.map(({ id, messages }) => [id, messages]))
}

/** Answers the leads of the person who a lead is about, and all that happened with them in one line, oldest first. */
export const answerPerson = async (node: ApiNode, c: Context, leadId: string) => {
  const { lead } = await readLead(node, leadId)
  const person = await findPerson(node.sql, lead)
  const chats = await findChats(node.sql, person)
  const [known, messages, staff] = await Promise.all([
    readLeads(node, person.leadIds),
    countMessages(node, chats),
    staffNames(node.sql),
  ])
  const entries = [
    ...known.flatMap(({ events }) => leadEntries(events, staff)),
    ...chats.flatMap((chat) => chatEntries({ ...chat, messages: messages.get(chat.session.sessionId) ?? 0 })),
  ]
  return c.json({
    leads: known.map((each) => each.lead).sort((a, b) => a.timestamp.localeCompare(b.timestamp)),
    timeline: entries.sort((a, b) => a.timestamp.localeCompare(b.timestamp)),
  })
}
