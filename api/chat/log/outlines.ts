import { chatMessage, messageStreams, sessionIdOf } from '../../../events/chat/chat.ts'
import { ANSWER_LOOKED_FOR, type ChatOutline, lastWords } from '../../../events/chat/outline.ts'
import { isUnreadable } from '../../../events/keys/key-ring.ts'
import { readEach } from '../../../events/log/read.ts'
import type { Sql } from '../../../events/stores/connection.ts'

type Row = { stream: string; last: number; answered: number; since: Date | null; head: number }

/** The last message of some chats and since when their visitors wait, read from the log. */
const readRows = async (sql: Sql, sessionIds: readonly string[]): Promise<Row[]> => {
  const streams = sessionIds.map((id) => messageStreams.of(id))
  const rows = await sql<Row[]>`
    select s.stream, said.last, said.answered, waiting.recorded_at as since, (select last_position from log_head) as head
    from unnest(${streams}::text[]) as s (stream)
    cross join lateral (
      select coalesce(max(version), 0) as last,
        coalesce(max(version) filter (where sender = 'admin'), min(version) - 1, 0) as answered
      from (
        select version, data ->> 'senderType' as sender from events
        where stream = s.stream order by version desc limit ${ANSWER_LOOKED_FOR}
      ) newest
    ) said
    left join lateral (
      select recorded_at from events where stream = s.stream and version = said.answered + 1 offset 0
    ) waiting on true`
  await sql.durable.upTo(rows[0]?.head ?? 0)
  return rows
}

/** The last words of some chats, by stream; if some cannot be read, those of the others. */
const readLast = async (sql: Sql, rows: readonly Row[]): Promise<Map<string, ChatOutline['last']>> => {
  const wanted = rows.filter(({ last }) => last > 0)
  try {
    const events = await readEach(
      sql,
      wanted.map(({ stream, last }) => ({ stream: messageStreams.of(sessionIdOf(stream)), version: last })),
    )
    return new Map(events.map((event) => [event.stream as string, lastWords(chatMessage(event))]))
  } catch (error) {
    if (!isUnreadable(error)) throw error
    if (wanted.length <= 1) return new Map()
    const halves = [wanted.slice(0, wanted.length / 2), wanted.slice(wanted.length / 2)]
    const found = await Promise.all(halves.map((half) => readLast(sql, half)))
    return new Map(found.flatMap((each) => [...each]))
  }
}

/** The outlines of some chats, by session id, read from the log. */
export const readOutlines = async (sql: Sql, sessionIds: readonly string[]): Promise<Map<string, ChatOutline>> => {
  const rows = await readRows(sql, sessionIds)
  const said = await readLast(sql, rows)
  return new Map(
    rows.map(({ stream, last, answered, since }) => [
      sessionIdOf(stream),
      { lastSequence: last, answered, waitingSince: since?.toISOString() ?? null, last: said.get(stream) ?? null },
    ]),
  )
}
