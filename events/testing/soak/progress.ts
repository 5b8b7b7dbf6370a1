import { chatStreams, messageStreams } from '../../chat/chat.ts'
import type { Sql } from '../../stores/connection.ts'
import type { Agent } from './agent.ts'

/** How far the chats have come by the log. */
export type Progress = { lengthOf: (sessionId: string) => number; hasEnded: (sessionId: string) => boolean }

/** Reads how far all chats have come. */
export const readProgress = async (sql: Sql): Promise<Progress> => {
  const rows = await sql<{ stream: string; type: string; version: number }[]>`
    select stream, type, max(version) as version from events
    where type in ('ChatMessagePosted', 'ChatEnded') group by stream, type`
  const lengths = new Map(
    rows.filter(({ type }) => type === 'ChatMessagePosted').map((row) => [row.stream, row.version]),
  )
  const ended = new Set(rows.filter(({ type }) => type === 'ChatEnded').map(({ stream }) => stream))
  return {
    lengthOf: (sessionId) => lengths.get(messageStreams.of(sessionId)) ?? 0,
    hasEnded: (sessionId) => ended.has(chatStreams.of(sessionId)),
  }
}

/**
 * What an agent still has to receive; undefined if nothing. An agent that receives the text of one chat opens its
 * earlier chats again, to receive the rest of them.
 */
export const agentUnrest = (agent: Agent, { lengthOf, hasEnded }: Progress): string | undefined => {
  const { name, getsOutlines, list, outlines, shown, opened, asked, look } = agent
  const ghosts = [...list].filter(hasEnded)
  if (ghosts.length > 0) return `${name} lists ${ghosts.length} chats that have ended`
  const old = [...outlines].filter(([id, lastSequence]) => lastSequence < lengthOf(id))
  if (old.length > 0) return `${name} has old outlines of ${old.length} chats`
  const lacking = [...shown].filter(([id, texts]) => texts.size < lengthOf(id)).map(([id]) => id)
  if (getsOutlines) for (const id of lacking) if (id !== opened) look(id)
  if (lacking.length > 0) return `${name} lacks messages of ${lacking.length} chats`
  return asked > 0 ? `${name} waits for ${asked} histories` : undefined
}
