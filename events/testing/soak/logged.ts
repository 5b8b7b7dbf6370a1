import type { AnyRecordedEvent } from '../../catalogue.ts'
import { chatStreams, messageStreams } from '../../chat/chat.ts'
import { isSentToAgency, leadStreams } from '../../lead/lead.ts'
import type { Queryable } from '../../log/read.ts'
import { readHead, readLog } from '../../log/read.ts'
import type { AcceptedLead, AcceptedMessage } from './ledger.ts'

const BATCH_EVENTS = 5_000

/**
 * The events of a load in the log, in its order. `ends` has, for each chat that has ended, the number of messages
 * before its end. `emails` are the names of forms that go out by email, by their event.
 */
export type Logged = {
  messages: AcceptedMessage[]
  ends: Map<string, number>
  leads: AcceptedLead[]
  emails: Map<string, string>
}

/** Adds an event; `lengths` has the number of messages of each chat so far. */
const add = (logged: Logged, lengths: Map<string, number>, event: AnyRecordedEvent) => {
  switch (event.type) {
    case 'ChatMessagePosted': {
      const sessionId = messageStreams.idOf(event.stream) ?? ''
      logged.messages.push({ sessionId, sequence: event.version, text: event.personal?.message ?? '' })
      lengths.set(sessionId, event.version)
      return
    }
    case 'ChatEnded': {
      const sessionId = chatStreams.idOf(event.stream) ?? ''
      logged.ends.set(sessionId, lengths.get(sessionId) ?? 0)
      return
    }
    case 'LeadSubmitted': {
      const name = event.personal?.name ?? ''
      logged.leads.push({ id: leadStreams.idOf(event.stream) ?? '', name })
      if (isSentToAgency(event)) logged.emails.set(event.id, name)
    }
  }
}

/** Reads the whole log. */
export const readLogged = async (sql: Queryable): Promise<Logged> => {
  const logged: Logged = { messages: [], ends: new Map(), leads: [], emails: new Map() }
  const lengths = new Map<string, number>()
  const { position: head } = await readHead(sql)
  for (let position = 0; position < head; ) {
    const events = await readLog(sql, position, BATCH_EVENTS)
    for (const event of events) add(logged, lengths, event)
    position = events.at(-1)?.position ?? head
  }
  return logged
}
