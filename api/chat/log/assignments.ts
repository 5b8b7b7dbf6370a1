import type { RecordedEvent } from '../../../events/base/definition.ts'
import type { Sent } from '../../../events/base/word.ts'
import { chatAssigned, chatAssignmentStreams } from '../../../events/chat/assignment.ts'
import { chatStreams, messageStreams, OPEN_CHAT_VERSION, sessionIdOf } from '../../../events/chat/chat.ts'
import type { assignmentChange, chatAssignment } from '../../../events/chat/wire.ts'
import { LogError } from '../../../events/keys/errors.ts'
import { isUnreadable } from '../../../events/keys/key-ring.ts'
import { handle } from '../../../events/log/handle.ts'
import { readNewest } from '../../../events/log/read.ts'
import { FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import { invalidField, RequestError } from '../../http/errors.ts'
import type { ApiNode } from '../../node/node.ts'
import { colleagues, staffNames } from '../../staff/staff.ts'

type Assignment = Sent<typeof chatAssignment>
type AssignmentChange = Sent<typeof assignmentChange>

type Row = {
  stream: string
  version: number
  since: Date
  staffId: string | null
  name: string | null
  head: number
}

/**
 * The current assignments of some chats, by session id, read from the log; chats that were never assigned are left out.
 * A chat of a staff member whose account was removed is unassigned.
 */
export const readAssignments = async (sql: Sql, sessionIds: readonly string[]): Promise<Map<string, Assignment>> => {
  const rows = await sql<Row[]>`
    select chat.stream, newest.version, newest.since, staff.id as "staffId", staff.display_name as name,
      (select last_position from log_head) as head
    from unnest(${sessionIds.map((id) => chatAssignmentStreams.of(id))}::text[]) as chat (stream)
    cross join lateral (
      select version, recorded_at as since, data ->> 'to' as holder from events where stream = chat.stream order by version desc limit 1
    ) newest
    left join staff on staff.id = newest.holder::uuid and removed_at is null`
  await sql.durable.upTo(rows[0]?.head ?? 0)
  return new Map(
    rows.map(({ stream, version, since, staffId, name }) => [
      sessionIdOf(stream),
      { version, to: staffId === null || name === null ? null : { staffId, name }, since: since.toISOString() },
    ]),
  )
}

/** A change of a chat's assignment, for staff. */
export const changeOf = (
  { version, data, personal, recordedAt }: Omit<RecordedEvent<typeof chatAssigned>, 'metadata'>,
  names: ReadonlyMap<string, string>,
): AssignmentChange => {
  const named = (staffId: string) => ({ staffId, name: names.get(staffId) ?? FORMER_COLLEAGUE })
  return {
    version,
    to: data.to === null ? null : named(data.to),
    by: named(data.by),
    reason: data.reason,
    note: personal?.note ?? null,
    timestamp: recordedAt.toISOString(),
  }
}

const colleagueNamed = async (sql: Sql, id: string) => (await colleagues(sql)).find((one) => one.id === id)?.displayName

/** A change by its current meaning: a chat of a staff member whose account was removed is unassigned. */
const withoutRemovedOwner = (
  change: AssignmentChange,
  present: Awaited<ReturnType<typeof colleagues>>,
): AssignmentChange => (present.some(({ id }) => id === change.to?.staffId) ? change : { ...change, to: null })

/**
 * The last assignment changes of some chats, by session id; null for a chat that was never assigned. A change whose
 * note cannot be read is left out; its chat is still reported.
 */
export const readAssignmentChanges = async (
  sql: Sql,
  sessionIds: readonly string[],
): Promise<Map<string, AssignmentChange | null>> => {
  const [names, present] = await Promise.all([staffNames(sql), colleagues(sql)])
  const found = await Promise.allSettled(
    sessionIds.map(async (id) => {
      const [newest] = await readNewest(sql, chatAssignmentStreams.of(id), { limit: 1 })
      return [id, newest ? withoutRemovedOwner(changeOf(newest, names), present) : null] as const
    }),
  )
  const failed = found.find((each) => each.status === 'rejected' && !isUnreadable(each.reason))
  if (failed?.status === 'rejected') throw failed.reason
  return new Map(found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
}

/** The maximum number of handed-over chats reported at a time, newest first. */
const MAX_HANDED = 5

/** The number of newest messages among which the assignee's reply is looked for; older replies are not found. */
const MAX_READ_MESSAGES = 200

type HandedRow = { stream: string; by: string; recordedAt: Date; head: number }

/**
 * The chats that others have handed to a colleague and that have no reply since then, read from the log, newest first.
 * `chats` are the names of their visitors by session id.
 */
export const readHanded = async (sql: Sql, staffId: string, chats: ReadonlyMap<string, string>) => {
  const rows = await sql<HandedRow[]>`
    select newest.stream, newest.by, newest.recorded_at as "recordedAt", (select last_position from log_head) as head
    from unnest(${[...chats.keys()]}::text[]) as chat (id)
    cross join lateral (
      select stream, position, data ->> 'to' as holder, data ->> 'by' as by, recorded_at from events
      where stream = ${chatAssignmentStreams.of('')} || chat.id order by version desc limit 1
    ) newest
    where newest.holder = ${staffId} and newest.by <> ${staffId} and not exists (
      select from (
        select position, data from events where stream = ${messageStreams.of('')} || chat.id
        order by version desc limit ${MAX_READ_MESSAGES} offset 0
      ) message where position > newest.position and data ->> 'by' = ${staffId})
    order by newest.position desc limit ${MAX_HANDED}`
  if (rows.length === 0) return []
  await sql.durable.upTo(rows[0]?.head ?? 0)
  const names = await staffNames(sql)
  return rows.map(({ stream, by, recordedAt }) => ({
    sessionId: sessionIdOf(stream),
    visitorName: chats.get(sessionIdOf(stream)) ?? '',
    from: names.get(by) ?? FORMER_COLLEAGUE,
    timestamp: recordedAt.toISOString(),
  }))
}

type Newest = RecordedEvent<typeof chatAssigned> | undefined

/** The stream with a chat's current assignment; a decision based on it is stored only while the chat is open. */
const readCurrentAssignment = async (sql: Sql, sessionId: string) => {
  const stream = chatAssignmentStreams.of(sessionId)
  const [newest] = await readNewest(sql, stream, { limit: 1 })
  const guards = [{ stream: chatStreams.of(sessionId), version: OPEN_CHAT_VERSION }]
  return { newest: newest as Newest, stream, version: newest?.version ?? 0, guards }
}

const isOver = (error: unknown) =>
  error instanceof LogError && (error.code === 'guard_failed' || error.code === 'erased') ? error : undefined

/** The version that a chat's assignment has now, and the event of a new one. */
type Assigned = { version: number; event: RecordedEvent<typeof chatAssigned> | undefined }

/** A request of staff; `version` is the assignment that they saw. */
type Asked = { to: string | null; version: number; note: string | null; by: string }

const beaten = async (sql: Sql, newest: Newest) => {
  const holder = newest?.data.to ? await colleagueNamed(sql, newest.data.to) : undefined
  return new RequestError(
    'conflict',
    holder ? `${holder} has this chat now` : 'This chat is unassigned now: choose again',
  )
}

/**
 * Assigns a chat, or unassigns it, if its assignment is still the one that the staff member saw: if two take it at
 * once, the second is shown who has it. Returns the version of the assignment, and the event if there is a new one.
 */
export const assignChat = async (
  { sql, log, logger }: Pick<ApiNode, 'sql' | 'log' | 'logger'>,
  sessionId: string,
  { to, version, note, by }: Asked,
): Promise<Assigned> => {
  if (to !== null && (await colleagueNamed(sql, to)) === undefined) {
    throw invalidField('to', 'This colleague no longer has an account')
  }
  try {
    const { known, appended } = await handle(log, {
      read: () => readCurrentAssignment(sql, sessionId),
      decide: async ({ newest }) => {
        const isSo = (newest?.data.to ?? null) === to && (note === null || newest?.personal?.note === note)
        if (isSo) return undefined
        if ((newest?.version ?? 0) !== version) throw await beaten(sql, newest)
        return chatAssigned({ to, by, reason: 'choice' }, { subjectId: sessionId, personal: { note } })
      },
    })
    if (appended) logger.info({ sessionId, eventId: appended.id }, 'chat assigned')
    return { version: appended?.version ?? known.version, event: appended }
  } catch (error) {
    const cause = isOver(error)
    throw cause ? new RequestError('chat_ended', 'This chat has ended: it cannot be assigned', { cause }) : error
  }
}

/** Assigns an unassigned chat to the staff member who replied. */
export const assignAnswered = async (
  { sql, log }: Pick<ApiNode, 'sql' | 'log'>,
  sessionId: string,
  by: string,
): Promise<Assigned> => {
  const { known, appended } = await handle(log, {
    read: () => readCurrentAssignment(sql, sessionId),
    decide: async ({ newest }) => {
      const isAssigned = newest?.data.to && (await colleagueNamed(sql, newest.data.to)) !== undefined
      if (isAssigned) return undefined
      return chatAssigned({ to: by, by, reason: 'answer' }, { subjectId: sessionId, personal: { note: null } })
    },
  })
  return { version: appended?.version ?? known.version, event: appended }
}
