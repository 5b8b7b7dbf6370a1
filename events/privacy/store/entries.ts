import type { AnyRecordedEvent } from '../../catalogue.ts'
import { sessionIdOf } from '../../chat/chat.ts'
import { listFiles } from '../../chat/store/files.ts'
import { contractStreams, copyName } from '../../contract/signed-copy.ts'
import { readNewest, readStreams } from '../../log/read.ts'
import { ACCOUNTS_STREAM } from '../../staff/account-history.ts'
import type { Sql } from '../../stores/connection.ts'
import { consentIn, groupOf, type HeldEntry, inWords } from '../held.ts'
import type { HeldGroup } from '../wire.ts'
import { readRequests, streamsOfChats, streamsOfLeads } from './records.ts'
import type { Person } from './subjects.ts'

/** How many leads, and how many chats, are read to be shown: the newest. */
const SHOWN_SUBJECTS = 40
const SHOWN_EVENTS = 2_000

type Counts = Map<HeldGroup, number>

const add = (counts: Counts, group: HeldGroup, count: number) => counts.set(group, (counts.get(group) ?? 0) + count)

/** How many entries each group has, without opening one of them. */
const countEvents = async (sql: Sql, streams: string[], upTo: number): Promise<Counts> => {
  type Row = { type: string; data: { isContract?: boolean; importId: boolean }; stream: string; count: number }
  const rows = await sql<Row[]>`
    select type, data, stream, count(*)::integer as count from (
      select type, case when stream like ${`${contractStreams.prefix}%`} then ${contractStreams.prefix} else '' end as stream,
        jsonb_strip_nulls(jsonb_build_object('isContract', data -> 'isContract', 'importId', data -> 'importId' is not null))
          as data
      from events where stream = any(${streams}) and position <= ${upTo} offset 0
    ) found group by type, data, stream`
  const counts: Counts = new Map()
  for (const row of rows) {
    add(counts, groupOf(row), row.count)
    if (row.type === 'LeadSubmitted' && row.data.isContract) add(counts, 'consents', row.count)
  }
  return counts
}

const ofFile = ({ id, sessionId, name, mediaType, size, storedAt }: Awaited<ReturnType<typeof listFiles>>[number]) => ({
  id,
  group: 'files' as const,
  timestamp: storedAt.toISOString(),
  title: name,
  source: 'Sent in a chat',
  lines: [
    { label: 'Kind', text: mediaType },
    { label: 'Bytes', text: String(size) },
  ],
  leadId: null,
  sessionId,
})

const signedCopyOf = (event: AnyRecordedEvent): HeldEntry[] => {
  const leadId = event.type === 'ContractCopyMade' ? event.data.leadId : undefined
  if (!leadId) return []
  return [{ ...inWords(event), group: 'files', title: copyName(leadId), source: 'Made by this website', leadId }]
}

const leadsAndChats = async (sql: Sql, { leadIds, sessionIds }: Person, upTo: number) => {
  const shown = [
    ...streamsOfLeads(leadIds.slice(0, SHOWN_SUBJECTS)),
    ...streamsOfChats(sessionIds.slice(-SHOWN_SUBJECTS)),
  ]
  const [counts, events, requests, files] = await Promise.all([
    countEvents(sql, [...streamsOfLeads(leadIds), ...streamsOfChats(sessionIds)], upTo),
    readStreams(sql, shown, { upTo, limit: SHOWN_EVENTS }),
    readRequests(sql, [...leadIds, ...sessionIds], upTo),
    listFiles(sql, sessionIds),
  ])
  if (requests.length > 0) add(counts, 'requests', requests.length)
  const entries = [...events, ...requests].flatMap((event): HeldEntry[] => {
    const isOfChat = event.type.startsWith('Chat')
    const consent = consentIn(event)
    return [
      inWords(event, isOfChat ? sessionIdOf(event.stream) : null),
      ...(consent ? [consent] : []),
      ...signedCopyOf(event),
    ]
  })
  add(counts, 'files', files.length + entries.filter(({ group }) => group === 'files').length)
  return { counts, entries: [...entries, ...files.map(ofFile)] }
}

type AccountRow = {
  username: string
  displayName: string
  role: string
  createdAt: Date
  alertEmail: string | null
  sessions: number
}

/** The account itself. Secrets of the second factor are no one's to read, not even in an export. */
const ofAccount = async (sql: Sql, id: string): Promise<HeldEntry[]> => {
  const rows = await sql<AccountRow[]>`
    select username, display_name as "displayName", role, created_at as "createdAt", alert_email as "alertEmail",
      (select count(*)::integer from staff_sessions where staff_id = staff.id) as sessions
    from staff where id = ${id} and removed_at is null`
  return rows.map(({ username, displayName, role, createdAt, alertEmail, sessions }) => ({
    id,
    group: 'sign_ins',
    timestamp: createdAt.toISOString(),
    title: 'Account',
    source: 'Staff',
    lines: [
      { label: 'Name', text: displayName },
      { label: 'Username', text: username },
      { label: 'Role', text: role },
      ...(alertEmail ? [{ label: 'Email for alerts', text: alertEmail }] : []),
      { label: 'Signed in on', text: `${sessions} ${sessions === 1 ? 'device' : 'devices'}` },
    ],
    leadId: null,
    sessionId: null,
  }))
}

/** The history of an account, newest first. */
const historyOf = async (sql: Sql, accountId: string) =>
  (await readNewest(sql, ACCOUNTS_STREAM, { limit: SHOWN_EVENTS, data: { accountId }, isOutline: true })).map((event) =>
    inWords(event as AnyRecordedEvent),
  )

/** An account of staff with its history. */
export const readAccount = async (sql: Sql, accountId: string): Promise<HeldEntry[]> => [
  ...(await ofAccount(sql, accountId)),
  ...(await historyOf(sql, accountId)),
]

/** The entries about a person, newest first, and how many each group has; of many leads and chats the newest are read. */
export const readEntries = async (
  sql: Sql,
  person: Person,
  upTo: number,
): Promise<{ counts: ReadonlyMap<HeldGroup, number>; entries: HeldEntry[] }> => {
  const { counts, entries } = await leadsAndChats(sql, person, upTo)
  const ofStaff = person.accountId ? await readAccount(sql, person.accountId) : []
  if (ofStaff.length > 0) add(counts, 'sign_ins', ofStaff.length)
  return { counts, entries: [...entries, ...ofStaff].sort((a, b) => b.timestamp.localeCompare(a.timestamp)) }
}
