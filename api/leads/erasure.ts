import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import * as v from 'valibot'
import { chatStreams } from '../../events/chat.ts'
import { chatEmailStreams } from '../../events/chat-email.ts'
import { erasureStreams, requestErasure } from '../../events/erasure.ts'
import { leadStreams } from '../../events/lead.ts'
import { mergeStreams } from '../../events/lead-merge.ts'
import { readPosition } from '../../events/log/checkpoints.ts'
import { erasuresPosition, readErasureLeft } from '../../events/log/erasures.ts'
import type { KnownLead } from '../../events/log/lead-family.ts'
import { hasBegunAfter, hasEventAfter, readHead } from '../../events/log/read.ts'
import { emailKey } from '../../events/person.ts'
import { chatsProjection } from '../../events/projections/chats.ts'
import { leadsProjection } from '../../events/projections/leads.ts'
import { type Contact, findChats, findContacts, findPerson, type Reach } from '../../events/projections/people.ts'
import type { erasable, leftToErase } from '../../events/wire/person.ts'
import type { Sent } from '../../events/wire/word.ts'
import { readBody } from '../body.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import type { StaffEnv } from '../staff/staff.ts'
import { readLead } from './change.ts'

const VIEWS_DEADLINE_MS = 5_000
const POLL_MS = 50
const RETRY_AFTER_S = 2

/** How long a request waits for the workers: they erase a few hundred leads in that time. */
const WORKERS_DEADLINE_MS = 2_000
/** How many events are stored at once at most: some 800 kB. */
const REQUESTS_AT_ONCE = 200

/** Far beyond what is one person's: strangers can submit under somebody's address, and that must not protect it. */
const MAX_LEADS = 100_000
const MAX_CHATS = 100_000
const LINKED: Reach = { maxLeads: MAX_LEADS, maxRounds: 1_000 }
const DIRECT: Reach = { maxLeads: MAX_LEADS, maxRounds: 1 }

/** The body of `POST /api/leads/:id/erase`. */
export const eraseForm = v.strictObject({
  asOf: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  leadIds: v.exactOptional(v.array(v.pipe(v.string(), v.uuid()))),
})

type EraseForm = v.InferOutput<typeof eraseForm>

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
    await delay(POLL_MS)
  }
}

/** What is erased with a lead: by all links, or what has the lead's own address or number alone. */
const findErasable = async ({ reading }: ApiNode, lead: Contact, reach: Reach) => {
  const person = await findPerson(reading, lead, reach)
  const ownEmail = emailKey(lead.email)
  const emails = reach === LINKED ? person.emails : [ownEmail].filter((email) => email !== null)
  const chats = await findChats(reading, { ...person, emails }, MAX_CHATS)
  return { ...person, chats: chats.filter(({ isErased }) => !isErased) }
}

type Erasable = Awaited<ReturnType<typeof findErasable>>

const shown = async ({ sql }: ApiNode, { leadIds, chats }: Erasable, asOf: number): Promise<Sent<typeof erasable>> => ({
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

/** Whether the owner has not seen all that would go: what came after their list, or leads that they have not named. */
const goesUnseen = async ({ sql }: ApiNode, { leadIds, chats }: Erasable, form: EraseForm) => {
  if (form.asOf !== undefined) {
    const chatIds = chats.map(({ session }) => session.sessionId)
    const begun = [...leadIds.map(leadStreams.of), ...chatIds.map(chatStreams.of)]
    if (await hasBegunAfter(sql, begun, form.asOf)) return true
    if (await hasEventAfter(sql, leadIds.map(mergeStreams.of), form.asOf)) return true
    return await hasEventAfter(sql, chatIds.map(chatEmailStreams.of), form.asOf)
  }
  const seen = form.leadIds && new Set(form.leadIds.map((id) => id.toLowerCase()))
  return seen !== undefined && leadIds.some((id) => !seen.has(id))
}

const assertSeen = async (
  node: ApiNode,
  { person, head, form }: { person: Erasable; head: number; form: EraseForm },
) => {
  if (!(await goesUnseen(node, person, form))) return
  throw new RequestError(
    'conflict',
    'More leads or chats than you have seen would go: look at them, then erase them all',
    { members: await shown(node, person, head) },
  )
}

/** Has all of the person erased that is there now. Answers where in the log the last request for it is; 0 for nothing. */
const askForErasure = async (node: ApiNode, { lead, own, events }: KnownLead, form: EraseForm, by: string) => {
  const head = await viewsAreUpToDate(node)
  const isSeen = form.asOf !== undefined || form.leadIds !== undefined
  // what it shows of others is not its own
  const asked = isSeen ? lead : { ...own, mergedInto: lead.mergedInto ?? null }
  const person = await findErasable(node, asked, isSeen ? LINKED : DIRECT)
  await assertSeen(node, { person, head, form })
  const isErased = events.some(({ type }) => type === 'LeadErased')
  const requests = requestErasure({
    chats: person.chats.map(({ session }) => session.sessionId),
    leads: person.rounds
      .toReversed()
      .flat()
      .filter((id) => id !== lead.id || !isErased),
    asOf: form.asOf ?? null,
    by,
  }).map((request) => ({ id: randomUUID(), ...request }))
  let position = 0
  for (let from = 0; from < requests.length; from += REQUESTS_AT_ONCE) {
    const some = requests.slice(from, from + REQUESTS_AT_ONCE)
    const stored = await node.log.append({
      stream: erasureStreams.of(lead.id),
      expectedVersion: 'any',
      events: some,
    })
    position = stored.events.at(-1)?.position ?? position
  }
  if (position > 0) node.logger.info({ leadId: lead.id, requests: requests.length }, 'erasure of a person asked for')
  return position
}

/** Gives the workers some time to carry out the erasures up to a position. Returns whether they have. */
const isCarriedOut = async ({ sql }: ApiNode, position: number) => {
  const deadline = performance.now() + WORKERS_DEADLINE_MS
  while ((await erasuresPosition(sql)) < position) {
    if (performance.now() > deadline) return false
    await delay(POLL_MS)
  }
  return true
}

/**
 * Erases the person who a lead is about: 204 tells that all leads and chats are erased, 202 how many are `left`. Nothing
 * more has to be done for these: what is asked for is in the log, and workers carry it out. The same request again tells
 * how far they are.
 *
 * Anybody can submit a lead that links two people. What is linked therefore goes only where the owner has seen it. `asOf`
 * is that of the list that they were shown: leads never change their address or number, and chats keep every address that
 * they have had, so that only later leads, merges, chats and addresses can add to it. `leadIds` names the leads instead. What is
 * later, or a lead that is not named, is answered with 409 and the list as it is now. Without either, the lead itself goes, and what has its own e-mail address or telephone number.
 * What comes once the erasure is asked for stays.
 *
 * Chats go first, then leads from the farthest link to the nearest, last the lead itself: a request that is repeated after
 * a failure finds the rest. The workers then destroy the data keys, and the views forget.
 */
export const erasePerson = async (node: ApiNode, c: Context<StaffEnv>, leadId: string) => {
  const form = await readBody(c, eraseForm)
  const known = await readLead(node, leadId)
  const underWay = await readErasureLeft(node.sql, known.lead.id, form.asOf)
  const asked = underWay.isWhole ? 0 : await askForErasure(node, known, form, c.get('staff').id)
  if (await isCarriedOut(node, Math.max(asked, underWay.lastPosition))) return c.body(null, 204)
  const { left } = await readErasureLeft(node.sql, known.lead.id)
  return left > 0 ? c.json({ left } satisfies Sent<typeof leftToErase>, 202) : c.body(null, 204)
}
