import type { AcceptedMessage, Ledger, ShownMessage } from './ledger.ts'
import type { Logged } from './logged.ts'

/**
 * A client's own record of a chat. `endedAt`: it received the end, and had been shown the messages up to this one
 * before.
 */
export type Shown = {
  name: string
  sessionId: string
  messages: readonly ShownMessage[]
  endedAt?: number | undefined
}

/**
 * The errors in what was stored and shown; all empty if there are none. `unseen` is in the log but was not shown to a
 * client in time.
 */
export type Audit = { lost: string[]; unseen: string[]; doubled: string[]; outOfOrder: string[]; wrong: string[] }

const named = ({ text, sessionId, sequence }: AcceptedMessage) => `"${text}" at ${sequence} of ${sessionId}`

const timesOf = (texts: string[]) => {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return times
}

/** The errors in how one chat was shown to one client. */
const auditShown = (
  found: Audit,
  { name, sessionId, messages, endedAt }: Shown,
  texts: string[],
  end: number | undefined,
) => {
  for (const { sequence, text } of messages) {
    if (texts[sequence - 1] !== text) found.wrong.push(`${name} was shown "${text}" at ${sequence} of ${sessionId}`)
  }
  if (messages.length < texts.length) {
    found.unseen.push(`${name} was shown ${messages.length} of ${texts.length} messages of ${sessionId}`)
  }
  if (endedAt === undefined) return
  if (end === undefined) found.wrong.push(`${name} was told that ${sessionId} has ended, which goes on`)
  else if (endedAt !== end) {
    found.outOfOrder.push(`${name} was told the end of ${sessionId} after ${endedAt} of ${end} messages`)
  }
}

/** The texts of each chat, in the order of the log. */
const auditSequences = (found: Audit, { messages, ends }: Logged): Map<string, string[]> => {
  const chats = new Map<string, string[]>()
  for (const message of messages) {
    const texts = chats.get(message.sessionId) ?? []
    chats.set(message.sessionId, texts)
    if (message.sequence !== texts.length + 1) found.outOfOrder.push(`the log has ${named(message)}`)
    texts.push(message.text)
  }
  for (const [sessionId, end] of ends) {
    const stored = chats.get(sessionId)?.length ?? 0
    if (stored > end) found.outOfOrder.push(`the log has ${stored - end} messages after the end of ${sessionId}`)
  }
  return chats
}

const auditDoubles = (found: Audit, { messages, leads }: Logged) => {
  for (const [text, times] of timesOf(messages.map((message) => message.text))) {
    if (times > 1) found.doubled.push(`the log has the message "${text}" ${times} times`)
  }
  for (const [name, times] of timesOf(leads.map((lead) => lead.name))) {
    if (times > 1) found.doubled.push(`the log has the form of ${name} ${times} times`)
  }
}

const auditAccepted = (found: Audit, { messages, leads }: Ledger, logged: Logged, chats: Map<string, string[]>) => {
  for (const message of messages) {
    if (chats.get(message.sessionId)?.[message.sequence - 1] !== message.text) found.lost.push(named(message))
  }
  const ids = new Map(logged.leads.map(({ name, id }) => [name, id]))
  for (const { name, id } of leads) if (ids.get(name) !== id) found.lost.push(`the form of ${name}`)
}

const auditRefused = (found: Audit, { refused }: Ledger, { messages, ends }: Logged) => {
  const stored = new Set(messages.map(({ sessionId, text }) => `${sessionId} ${text}`))
  for (const { sessionId, text } of refused) {
    if (!ends.has(sessionId)) found.wrong.push(`"${text}" was refused though ${sessionId} goes on`)
    if (stored.has(`${sessionId} ${text}`))
      found.wrong.push(`"${text}" was refused, and the log of ${sessionId} has it`)
  }
}

/** The list of findings for each kind of flaw that the load noted itself. */
const LIST_OF = { doubled: 'doubled', 'out of order': 'outOfOrder', refused: 'wrong' } as const

/**
 * Compares the responses and messages that the load received with the log: each accepted message and form is there
 * once, at its place, and none that was refused; each chat's sequences are dense, with nothing after its end; each
 * client was shown the whole of its chats, as the log has them, before their end.
 */
export const audit = (ledger: Ledger, logged: Logged, shown: Shown[]): Audit => {
  const found: Audit = { lost: [], unseen: [], doubled: [], outOfOrder: [], wrong: [] }
  const chats = auditSequences(found, logged)
  auditDoubles(found, logged)
  auditAccepted(found, ledger, logged, chats)
  auditRefused(found, ledger, logged)
  for (const each of shown) {
    auditShown(found, each, chats.get(each.sessionId) ?? [], logged.ends.get(each.sessionId))
  }
  for (const { kind, what } of ledger.flaws) found[LIST_OF[kind]].push(what)
  return found
}
