import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import { chatDeskStream } from '../../events/chat-desk.ts'
import { publishNews } from '../../events/log/chat-news.ts'
import { readHead } from '../../events/log/read.ts'
import { findChats, findPerson, MAX_PERSON_CHATS } from '../../events/projections/people.ts'
import { endSession } from '../chat/session-log.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { changeLead, readLead } from './change.ts'

const VIEWS_DEADLINE_MS = 5_000
const VIEWS_POLL_MS = 50
const RETRY_AFTER_S = 2

/** Waits until the views know all that is in the log now: a lead or a chat that they lack would be left out. */
const viewsAreUpToDate = async ({ sql }: ApiNode) => {
  const { position: head } = await readHead(sql)
  const deadline = performance.now() + VIEWS_DEADLINE_MS
  for (;;) {
    const behind = await sql`
      select 1 from checkpoints where consumer in ('leads', 'chats') and position < ${head} limit 1`
    if (behind.length === 0) return
    if (performance.now() > deadline) {
      throw new RequestError(
        'unavailable',
        'The views lag behind the log, so that not all of the person is known yet',
        {
          retryAfterS: RETRY_AFTER_S,
        },
      )
    }
    await delay(VIEWS_POLL_MS)
  }
}

const erase = (node: ApiNode, leadId: string, by: string) =>
  changeLead(node, leadId, ({ events }) => {
    if (events.some(({ type }) => type === 'LeadErased')) return undefined
    return { type: 'LeadErased', data: { by }, subjectId: null, personal: null }
  })

/** Ends a chat, wherever it still goes on, and erases it: an ended one takes nothing more that is personal. */
const eraseChat = async (node: ApiNode, sessionId: string, by: string) => {
  await endSession(node, sessionId, 'admin')
  await publishNews(node.bus, { kind: 'ended', sessionId })
  const event = { id: randomUUID(), type: 'ChatErased' as const, data: { by }, subjectId: null, personal: null }
  await node.log.append({ stream: chatDeskStream(sessionId), expectedVersion: 'any', events: [event] })
}

/**
 * Erases the person who a lead is about: their chats, their other leads, and last the lead by which they are found, so that
 * whoever repeats this after it broke off finds the rest. The workers then make the log and the views forget.
 */
export const erasePerson = async (node: ApiNode, c: Context<StaffEnv>, leadId: string) => {
  const { lead } = await readLead(node, leadId)
  await viewsAreUpToDate(node)
  const person = await findPerson(node.sql, lead)
  const chats = await findChats(node.sql, person)
  if (!person.isWhole || chats.length === MAX_PERSON_CHATS) {
    throw new RequestError('conflict', 'Too many leads share an address or a number with this one to be one person’s')
  }
  const by = c.get('staff').id
  for (const { session } of chats) await eraseChat(node, session.sessionId, by)
  for (const id of person.leadIds.filter((each) => each !== lead.id)) await erase(node, id, by)
  await erase(node, lead.id, by)
  return c.body(null, 204)
}
