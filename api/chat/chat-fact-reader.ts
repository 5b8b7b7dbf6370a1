import type { Sql } from '../../events/log/connection.ts'
import { LogIntegrityError } from '../../events/log/errors.ts'
import { readHead } from '../../events/log/read.ts'

const BATCH_EVENTS = 1_000

/** The types of events that rooms want to hear of. */
const TYPES = [
  'ChatStarted',
  'ChatMessagePosted',
  'ChatEmailGiven',
  'ChatAssigned',
  'ChatRated',
  'ChatEnded',
  'ChatErased',
  'ChatLinksRevoked',
] as const

/** That something has happened to a chat: where in the log, without its content. */
export type ChatFact = { position: number; stream: string; version: number; type: (typeof TYPES)[number] }

/** One node's reading of the log. Its cost is what is new there, however many rooms and clients the node has. */
export type ChatFactReader = {
  /** Up to where all facts have been handled. The first call looks where the log ends, and begins there. */
  position: () => Promise<number>
  /** Handles what the log holds beyond that. Rejects where it cannot be read or handled: then it is handled again. */
  readOn: () => Promise<void>
}

type Row = Omit<ChatFact, 'type'> & { type: string }

const isFact = (row: Row): row is ChatFact => TYPES.some((type) => type === row.type)

/** Opens a reader, which begins at the end of the log. `handle` gets the facts in the order of the log. */
export const openChatFactReader = (sql: Sql, handle: (facts: ChatFact[]) => Promise<void>): ChatFactReader => {
  let reached: number | undefined
  const position = async () => {
    if (reached === undefined) {
      const head = await readHead(sql)
      reached ??= head.position // asked twice at once, both begin at one place
    }
    return reached
  }
  return {
    position,
    readOn: async () => {
      for (;;) {
        const after = await position()
        const rows = await sql<Row[]>`
          select position, stream, version, type from events
          where position > ${after} order by position limit ${BATCH_EVENTS}`
        const last = rows.at(-1)
        if (!last) return
        if (last.position !== after + rows.length) throw new LogIntegrityError(`The log has a hole after ${after}`)
        await sql.durable.upTo(last.position) // sockets hear nothing that a crash could take back
        await handle(rows.filter(isFact))
        reached = last.position
        if (rows.length < BATCH_EVENTS) return
      }
    },
  }
}
