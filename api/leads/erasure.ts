import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import * as v from 'valibot'
import { chatStreams } from '../../events/chat.ts'
import { chatDeskStreams, chatErased } from '../../events/chat-desk.ts'
import { type Lead, leadErased, leadStreams } from '../../events/lead.ts'
import { publishNews } from '../../events/log/chat-news.ts'
import { readPosition } from '../../events/log/checkpoints.ts'
import { hasBegunAfter, readHead } from '../../events/log/read.ts'
import { emailKey } from '../../events/person.ts'
import { chatsProjection } from '../../events/projections/chats.ts'
import { leadsProjection } from '../../events/projections/leads.ts'
import { findChats, findContacts, findPerson, type Reach } from '../../events/projections/people.ts'
import type { erasable, leftToErase } from '../../events/wire/person.ts'
import type { Sent } from '../../events/wire/word.ts'
import { readBody } from '../body.ts'
import { endSession } from '../chat/session-log.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { changeLead, readLead } from './change.ts'

const VIEWS_DEADLINE_MS = 5_000
const VIEWS_POLL_MS = 50
const RETRY_AFTER_S = 2

/** How many leads or chats are erased at the same time, at most. */
const BATCH = 50
/** How many go in one request at most: about a second's work. The client repeats the request for the others. */
const STEP = 200

/** Far beyond what is one person's: strangers can submit under somebody's address, and that must not protect it. */
const MAX_LEADS = 100_000
const MAX_CHATS = 100_000
const LINKED: Reach = { maxLeads: MAX_LEADS, maxRounds: 1_000 }
const DIRECT: Reach = { maxLeads: MAX_LEADS, maxRounds: 1 }

const eraseForm = v.strictObject({
  asOf: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  leadIds: v.exactOptional(v.array(v.pipe(v.string(), v.uuid()))),
})

/**
 * Waits until the views know all that is in the log now: a lead or a chat that they lack would be left out. Answers the
 * log's last position then.
 */
const viewsAreUpToDate = async ({ sql }: ApiNode) => {
  const { position: head } = await readHead(sql)
  const deadline = performance.now() + VIEWS_DEADLINE_MS
  for (;;) {
    const positions = await Promise.all([leadsProjection, chatsProjection].map((view) => readPosition(sql, view)))
    if (positions.every((position) => position >= head)) return head
    if (performance.now() > deadline) {
      const message = 'The views lag behind the log, so that not all of the person is known yet'
      throw new RequestError('unavailable', message, { retryAfterS: RETRY_AFTER_S })
    }
    await delay(VIEWS_POLL_MS)
  }
}

/** What is erased with a lead: by all links, or what has the lead's own address or number alone. */
const findErasable = async ({ reading }: ApiNode, lead: Lead, reach: Reach) => {
  const person = await findPerson(reading, lead, reach)
  const ownEmail = emailKey(lead.email)
  const emails = reach === LINKED ? person.emails : [ownEmail].filter((email) => email !== null)
  const chats = await findChats(reading, { ...person, emails }, MAX_CHATS)
  return { ...person, chats: chats.filter(({ isErased }) => !isErased) }
}

const shown = async (
  { sql }: ApiNode,
  { leadIds, chats }: Awaited<ReturnType<typeof findErasable>>,
  asOf: number,
): Promise<Sent<typeof erasable>> => ({
  asOf,
  leads: await findContacts(sql, leadIds),
  chats: chats.map(({ session: { sessionId, visitorName, startTime }, messages }) => ({
    sessionId,
    visitorName,
    startTime,
    messages,
  })),
})

/** Answers what an owner has to see before it goes: the leads that a lead is linked with, and their chats. */
export const answerErasable = async (node: ApiNode, c: Context<StaffEnv>, leadId: string) => {
  const { lead } = await readLead(node, leadId)
  const asOf = await viewsAreUpToDate(node)
  return c.json(await shown(node, await findErasable(node, lead, LINKED), asOf))
}

/** Ends a chat, wherever it still goes on, and erases it: an ended one takes nothing more that is personal. */
const eraseChat = async (node: ApiNode, sessionId: string, by: string) => {
  await endSession(node, sessionId, 'admin')
  await publishNews(node.bus, { kind: 'ended', sessionId })
  const event = { id: randomUUID(), ...chatErased({ by }) }
  await node.log.append({ stream: chatDeskStreams.of(sessionId), expectedVersion: 'any', events: [event] })
  node.logger.info({ sessionId, eventId: event.id }, 'chat erased')
  await publishNews(node.bus, { kind: 'erased', sessionId })
}

const eraseLead = async (node: ApiNode, leadId: string, by: string) => {
  const { appended } = await changeLead(node, leadId, ({ events }) =>
    events.some(({ type }) => type === 'LeadErased') ? undefined : leadErased({ by }),
  )
  if (appended) node.logger.info({ leadId, eventId: appended.id }, 'lead erased')
}

const inBatches = async (ids: string[], work: (id: string) => Promise<unknown>) => {
  for (let from = 0; from < ids.length; from += BATCH) await Promise.all(ids.slice(from, from + BATCH).map(work))
}

/** Whether the owner has not seen all that would go: what came after their list, or leads that they have not named. */
const goesUnseen = async (
  { sql }: ApiNode,
  { leadIds, chats }: Awaited<ReturnType<typeof findErasable>>,
  form: v.InferOutput<typeof eraseForm>,
) => {
  if (form.asOf !== undefined) {
    const streams = [...leadIds.map(leadStreams.of), ...chats.map(({ session }) => chatStreams.of(session.sessionId))]
    return await hasBegunAfter(sql, streams, form.asOf)
  }
  const seen = form.leadIds && new Set(form.leadIds.map((id) => id.toLowerCase()))
  return seen !== undefined && leadIds.some((id) => !seen.has(id))
}

/**
 * Erases the person who a lead is about, a step at a time: 202 tells how many leads and chats are `left`, 204 that all are
 * erased.
 *
 * Anybody can submit a lead that links two people. What is linked therefore goes only where the owner has seen it. `asOf`
 * is that of the list that they were shown: leads and chats never change their address or number, so that only later ones
 * can add to it. `leadIds` names the leads instead. A later lead or chat, or a lead that is not named, is answered with 409
 * and the list as it is now. Without either, the lead itself goes, and what has its own e-mail address or telephone number.
 *
 * Chats go first, then leads from the farthest link to the nearest, last the lead itself: a request that is repeated after
 * a failure finds the rest. The workers then destroy the data keys, and the views forget.
 */
export const erasePerson = async (node: ApiNode, c: Context<StaffEnv>, leadId: string) => {
  const form = await readBody(c, eraseForm)
  const { lead } = await readLead(node, leadId)
  const head = await viewsAreUpToDate(node)
  const isSeen = form.asOf !== undefined || form.leadIds !== undefined
  const person = await findErasable(node, lead, isSeen ? LINKED : DIRECT)
  if (await goesUnseen(node, person, form)) {
    throw new RequestError(
      'conflict',
      'More leads or chats than you have seen would go: look at them, then erase them all',
      {
        members: await shown(node, person, head),
      },
    )
  }
  const by = c.get('staff').id
  let room = STEP
  const erase = async (ids: string[], work: (id: string) => Promise<unknown>) => {
    const some = ids.slice(0, room)
    room -= some.length
    await inBatches(some, work)
  }
  const sessionIds = person.chats.map(({ session }) => session.sessionId)
  await erase(sessionIds, (id) => eraseChat(node, id, by))
  for (const round of person.rounds.toReversed()) await erase(round, (id) => eraseLead(node, id, by))
  const left = sessionIds.length + person.rounds.flat().length - (STEP - room)
  return left > 0 ? c.json({ left } satisfies Sent<typeof leftToErase>, 202) : c.body(null, 204)
}
