import type { Logger } from 'pino'
import type { RecordedEvent } from '../base/definition.ts'
import { chatActivityStreams, chatErased } from '../chat/activity.ts'
import { publishNotification } from '../chat/store/chat-notifications.ts'
import { endChat } from '../chat/store/end-chat.ts'
import { leadErased, leadIdOf, leadStreams } from '../lead/lead.ts'
import { mergeStreams } from '../lead/person/merge.ts'
import type { Appender } from '../log/append.ts'
import { deterministicUuid } from '../log/event-id.ts'
import { handle } from '../log/handle.ts'
import type { Sql } from '../stores/connection.ts'
import type { Bus } from '../stores/redis/bus.ts'

/** The dependencies of an erasure. */
export type Erasing = { sql: Sql; log: Pick<Appender, 'append'>; bus: Bus; logger: Pick<Logger, 'info'> }

/** Returns those of the given streams (of leads and of chats' activity) that hold an erasure. */
export const readErasedStreams = async (sql: Sql, streams: string[]): Promise<Set<string>> => {
  const rows = await sql<{ stream: string }[]>`
    select distinct stream from events where stream = any(${streams}) and type in ('LeadErased', 'ChatErased')`
  return new Set(rows.map(({ stream }) => stream))
}

const eraseLead = async ({ log, logger }: Erasing, leadId: string, by: string | null) => {
  const { appended, isNew } = await handle(log, {
    read: () => ({ stream: leadStreams.of(leadId), version: 'any' as const }),
    decide: () => ({ id: deterministicUuid('lead erased', leadId), ...leadErased({ by }) }),
    isOnce: true,
  })
  if (appended && isNew) logger.info({ leadId, eventId: appended.id }, 'lead erased')
}

/**
 * Ends a chat if it is still open, and erases it: an ended chat takes no more personal data. All who have it open are
 * notified. Repeating it changes nothing. Workers then destroy its data key, and the views remove it.
 */
export const eraseChat = async (
  { sql, log, bus, logger }: Erasing,
  sessionId: string,
  by: string | null,
): Promise<void> => {
  const ended = await endChat({ sql, log }, sessionId, 'admin')
  if (ended) await publishNotification(bus, ended)
  const { appended, isNew } = await handle(log, {
    read: () => ({ stream: chatActivityStreams.of(sessionId), version: 'any' as const }),
    decide: () => ({ id: deterministicUuid('chat erased', sessionId), ...chatErased({ by }) }),
    isOnce: true,
  })
  if (!appended) return
  if (isNew) logger.info({ sessionId, eventId: appended.id }, 'chat erased')
  await publishNotification(bus, appended as RecordedEvent<typeof chatErased>)
}

/**
 * The questionnaires that belong to erased contracts by their first event, unless staff have separated them. Once a
 * contract is erased no more can come.
 */
const questionnairesOf = async (sql: Sql, leads: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ stream: string }[]>`
    select e.stream from events e
    where e.type = 'WebsiteInfoSubmitted' and e.data ->> 'contractId' = any(${[...leads]}::text[])
      and e.position > (
        select min(position) from events
        where stream = any(${leads.map(leadStreams.of)}::text[]) and version = 1 and (data ->> 'isContract')::boolean
      )
      and not exists (select from events m where m.stream = ${mergeStreams.prefix}::text || substr(e.stream, ${leadStreams.prefix.length + 1}::integer))`
  return rows.flatMap(({ stream }) => leadIdOf(stream) ?? [])
}

/**
 * Erases leads and chats, all at the same time; those that are erased already cost one query together. Questionnaires
 * that came to a contract after its erasure was requested go too.
 */
export const eraseAll = async (
  erasing: Erasing,
  { leads, chats, by }: { leads: readonly string[]; chats: readonly string[]; by: string | null },
): Promise<void> => {
  const erased = await readErasedStreams(erasing.sql, [
    ...leads.map(leadStreams.of),
    ...chats.map(chatActivityStreams.of),
  ])
  const chatsLeft = chats.filter((id) => !erased.has(chatActivityStreams.of(id)))
  const leadsLeft = leads.filter((id) => !erased.has(leadStreams.of(id)))
  await Promise.all([
    ...chatsLeft.map((id) => eraseChat(erasing, id, by)),
    ...leadsLeft.map((id) => eraseLead(erasing, id, by)),
  ])
  const questionnaires = await questionnairesOf(erasing.sql, leads)
  await Promise.all(questionnaires.map((id) => eraseLead(erasing, id, by)))
}
