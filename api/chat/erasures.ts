import { sessionIdOf } from '../../events/chat.ts'
import type { Sql } from '../../events/log/connection.ts'
import { readHead } from '../../events/log/read.ts'

/**
 * Finds the chats that have been erased since it was last asked, whatever of that the bus has told; none the first
 * time.
 */
export const openErasures = (sql: Sql) => {
  let reached: number | undefined
  return async (): Promise<string[]> => {
    const { position: head } = await readHead(sql)
    const erased = await sql<{ stream: string }[]>`
      select stream from events
      where position > ${reached ?? head} and position <= ${head} and type = 'ChatErased' order by position`
    reached = head
    return erased.map(({ stream }) => sessionIdOf(stream))
  }
}
