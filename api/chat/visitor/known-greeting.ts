import { readNewest } from '../../../events/log/read.ts'
import { mayShow } from '../../../events/settings/chat-greetings.ts'
import { SETTINGS_STREAM } from '../../../events/settings/settings.ts'
import type { Sql } from '../../../events/stores/connection.ts'

/** If owners change the greetings more often than this in a day, older ones are lost. */
const CHANGES_READ = 20

/**
 * The greeting with which a visitor says they begin a chat, if it is one of ours: a visitor cannot invent one. Reads
 * the log, since a page may show a greeting before this node is notified of it.
 */
export const knownGreeting = async (sql: Sql, greeting: string | undefined): Promise<{ greeting?: string }> => {
  if (greeting === undefined) return {}
  const changes = await readNewest(sql, SETTINGS_STREAM, { limit: CHANGES_READ, types: ['ChatGreetingsChanged'] })
  return mayShow(greeting, new Date(), changes) ? { greeting } : {}
}
