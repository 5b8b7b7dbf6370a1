import { agencyDay } from '../../base/agency-day.ts'
import { messageStreams } from '../../chat/chat.ts'
import { chatsProjection } from '../../chat/store/view.ts'
import { readLife } from '../../contract/store/life.ts'
import { CONTRACT_SOURCES, isContract } from '../../lead/form/kind.ts'
import { leadsProjection } from '../../lead/store/view.ts'
import { readHead } from '../../log/read.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Retention } from '../../settings/retention.ts'
import type { Sql } from '../../stores/connection.ts'
import { contractRetention, dueBefore } from '../retention.ts'
import type { DueKind } from '../wire.ts'
import { streamsOfChats, streamsOfLeads } from './records.ts'
import { familyOf, findPerson } from './subjects.ts'

const PAGE = 200

/** Data whose period is over: leads or chats that are erased together. `name` and `since` are of the first of them. */
export type Due = { kind: DueKind; leads: string[]; chats: string[]; name: string; since: Date }

type Candidate = { id: string; name: string; since: Date; position: number }

const leadsView = (sql: Sql) => sql(schemaOf(leadsProjection))

/** The last position of the log that was stored by a time: positions and times grow together. */
const positionAt = async (sql: Sql, at: Date): Promise<number> => {
  let low = 0
  let high = (await readHead(sql)).position
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const [row] = await sql`select from events where position = ${middle} and recorded_at <= ${at}`
    if (row) low = middle
    else high = middle - 1
  }
  return low
}

/** Those of these streams with an event after a position. */
const activeStreams = async (sql: Sql, streams: string[], position: number): Promise<Set<string>> => {
  const rows = await sql<{ stream: string }[]>`
    select s.stream from unnest(${streams}::text[]) as s (stream)
    cross join lateral (
      select position from events where stream = s.stream order by version desc limit 1 offset 0
    ) newest
    where newest.position > ${position}`
  return new Set(rows.map(({ stream }) => stream))
}

const streamsOfWholeChats = (ids: readonly string[]) => [...streamsOfChats(ids), ...ids.map(messageStreams.of)]

const isActive = async (
  sql: Sql,
  ids: { leadIds: readonly string[]; sessionIds: readonly string[] },
  position: number,
) =>
  (await activeStreams(sql, [...streamsOfLeads(ids.leadIds), ...streamsOfWholeChats(ids.sessionIds)], position)).size >
  0

/** Leads that came by a position of the log, oldest first, page by page; erased and merged ones are left out. */
async function* leadsUpTo(
  sql: Sql,
  position: number,
  { isSuspect, isOfContract }: { isSuspect: boolean; isOfContract?: boolean },
): AsyncGenerator<Candidate[]> {
  for (let after = 0; ; ) {
    const page = await sql<Candidate[]>`
      select e.id, e.position, e.submitted_at as since, l.lead ->> 'name' as name
      from ${leadsView(sql)}.entries e join ${leadsView(sql)}.leads l on l.id = e.id
      where e.position > ${after} and e.position <= ${position} and e.is_suspect = ${isSuspect}
        ${isOfContract === undefined ? sql`` : sql`and (e.source = any(${CONTRACT_SOURCES as string[]})) = ${isOfContract}`}
      order by e.position limit ${PAGE}`
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1)?.position ?? after
  }
}

const inactiveAmong = async (sql: Sql, page: readonly Candidate[], position: number): Promise<Candidate[]> => {
  const active = await activeStreams(sql, streamsOfLeads(page.map(({ id }) => id)), position)
  return page.filter(({ id }) => !streamsOfLeads([id]).some((stream) => active.has(stream)))
}

/** Those of these leads that are contracts and were not declined, with the day until which each has to be stored. */
export const storedContracts = async (
  sql: Sql,
  leadIds: readonly string[],
  { periods, now }: { periods: Retention; now: Date },
): Promise<{ leadId: string; isStored: boolean; until: string | null }[]> => {
  const rows = await sql<{ id: string; source: string }[]>`
    select id, coalesce(own, lead) ->> 'leadSource' as source from ${leadsView(sql)}.leads
    where id = any(${[...leadIds]}::uuid[]) and lead ->> 'followUpStatus' <> 'erased'`
  const found: { leadId: string; isStored: boolean; until: string | null }[] = []
  for (const { id, source } of rows) {
    if (!isContract(source)) continue
    const { isStored, until } = contractRetention(await readLife(sql, id), periods, agencyDay(now))
    if (isStored || until !== null) found.push({ leadId: id, isStored, until })
  }
  return found
}

type Wanted = { periods: Retention; now: Date }

/**
 * People whose last contact is long ago, with all their leads. A contract that was not declined is due by itself first.
 */
async function* dueLeads(sql: Sql, wanted: Wanted): AsyncGenerator<Due> {
  const position = await positionAt(sql, dueBefore('leads', wanted.periods, wanted.now))
  const judged = new Set<string>()
  for await (const page of leadsUpTo(sql, position, { isSuspect: false })) {
    for (const { id, name, since } of await inactiveAmong(sql, page, position)) {
      if (judged.has(id)) continue
      const person = await findPerson(sql, { kind: 'lead', id })
      for (const each of person.leadIds) judged.add(each)
      if (person.leadIds.length === 0 || (await isActive(sql, person, position))) continue
      if ((await storedContracts(sql, person.leadIds, wanted)).length > 0) continue
      yield { kind: 'leads', leads: person.leadIds, chats: [], name, since }
    }
  }
}

/** Flagged leads that staff have not released; a contract waits for their judgement. */
async function* dueSpam(sql: Sql, { periods, now }: Wanted): AsyncGenerator<Due> {
  const position = await positionAt(sql, dueBefore('spam', periods, now))
  for await (const page of leadsUpTo(sql, position, { isSuspect: true, isOfContract: false })) {
    for (const { id, name, since } of await inactiveAmong(sql, page, position)) {
      yield { kind: 'spam', leads: [id], chats: [], name, since }
    }
  }
}

/** Contracts that ended long ago, with the leads that were merged with them if none of those is in use. */
async function* dueContracts(sql: Sql, wanted: Wanted): AsyncGenerator<Due> {
  const position = await positionAt(sql, dueBefore('leads', wanted.periods, wanted.now))
  for await (const page of leadsUpTo(sql, position, { isSuspect: false, isOfContract: true })) {
    for (const { id, name, since } of page) {
      const family = await familyOf(sql, id)
      const contracts = await storedContracts(sql, family, wanted)
      if (contracts.length === 0 || contracts.some(({ isStored }) => isStored)) continue
      if (await isActive(sql, { leadIds: family, sessionIds: [] }, position)) continue
      yield { kind: 'contracts', leads: family, chats: [], name, since }
    }
  }
}

/** Chats whose last message is long ago. */
async function* dueChats(sql: Sql, { periods, now }: Wanted): AsyncGenerator<Due> {
  const before = dueBefore('chats', periods, now)
  const position = await positionAt(sql, before)
  const sessions = sql`${sql(schemaOf(chatsProjection))}.sessions`
  for (let after = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }; ; ) {
    const page = await sql<{ id: string; name: string; since: Date }[]>`
      select id, session ->> 'visitorName' as name, started_at as since from ${sessions}
      where started_at <= ${before} and (started_at, id) > (${after.at}, ${after.id}::uuid)
        and not (progress ->> 'isErased')::boolean
      order by started_at, id limit ${PAGE}`
    const active = await activeStreams(sql, streamsOfWholeChats(page.map(({ id }) => id)), position)
    for (const { id, name, since } of page) {
      if (streamsOfWholeChats([id]).some((stream) => active.has(stream))) continue
      yield { kind: 'chats', leads: [], chats: [id], name, since }
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = { at: last.since, id: last.id }
  }
}

const FINDERS = { leads: dueLeads, chats: dueChats, spam: dueSpam, contracts: dueContracts }

/** Finds the data of a kind whose period is over at a time, oldest first. It reads page by page and changes nothing. */
export const findDue = (sql: Sql, kind: DueKind, wanted: Wanted): AsyncGenerator<Due> => FINDERS[kind](sql, wanted)
