import { readNewest } from '../../../events/log/read.ts'
import { mayShow } from '../../../events/settings/chat-greetings.ts'
import { SETTINGS_STREAM } from '../../../events/settings/settings.ts'
import type { Sql } from '../../../events/stores/connection.ts'

/** Owners who change the messages more often than that in a day lose older ones. */
const CHANGES_READ = 20

/**
 * The message by which a visitor says that they begin a chat, if it is one of ours: nobody else puts words into our mouth.
 * The log is asked, as a page may show what another node has heard of first.
 */
export const knownGreeting = async (sql: Sql, greeting: string | undefined): Promise<{ greeting?: string }> => {
  if (greeting === undefined) return {}
  const changes = await readNewest(sql, SETTINGS_STREAM, { limit: CHANGES_READ, types: ['ChatGreetingsChanged'] })
  return mayShow(greeting, new Date(), changes) ? { greeting } : {}
}
