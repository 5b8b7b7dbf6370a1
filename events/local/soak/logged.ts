import { messageStreams } from '../../chat.ts'
import { isForwarded, leadStreams } from '../../lead.ts'
import type { Queryable } from '../../log/read.ts'
import { readHead, readLog } from '../../log/read.ts'
import type { AcceptedLead, AcceptedMessage } from './ledger.ts'

const BATCH_EVENTS = 5_000

/** What the log has of what a load wrote. `emails` are the names of forms that go out by e-mail, by their event. */
export type Logged = { messages: AcceptedMessage[]; leads: AcceptedLead[]; emails: Map<string, string> }

/** Reads the whole log. */
export const readLogged = async (sql: Queryable): Promise<Logged> => {
  const logged: Logged = { messages: [], leads: [], emails: new Map() }
  const { position: head } = await readHead(sql)
  for (let position = 0; position < head; ) {
    const events = await readLog(sql, position, BATCH_EVENTS)
    for (const event of events) {
      if (event.type === 'ChatMessagePosted') {
        const sessionId = messageStreams.idOf(event.stream) ?? ''
        logged.messages.push({ sessionId, sequence: event.version, text: event.personal?.message ?? '' })
      }
      if (event.type === 'LeadSubmitted') {
        const name = event.personal?.name ?? ''
        logged.leads.push({ id: leadStreams.idOf(event.stream) ?? '', name })
        if (isForwarded(event)) logged.emails.set(event.id, name)
      }
    }
    position = events.at(-1)?.position ?? head
  }
  return logged
}
