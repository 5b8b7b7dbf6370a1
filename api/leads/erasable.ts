import { setTimeout as delay } from 'node:timers/promises'
import { emailKey } from '../../events/base/address.ts'
import { phoneKey } from '../../events/base/phone.ts'
import type { Sent } from '../../events/base/word.ts'
import { chatsProjection } from '../../events/chat/store/view.ts'
import { erasedAmong } from '../../events/erasure/erasure-progress.ts'
import { contactsOver } from '../../events/lead/follow-up-history.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { familiesOf } from '../../events/lead/person/families.ts'
import { linksFrom } from '../../events/lead/person/person.ts'
import { erasable } from '../../events/lead/person/person-wire.ts'
import type { KnownLead } from '../../events/lead/store/family.ts'
import {
  type Contact,
  findChatKeys,
  findChats,
  findContacts,
  findPerson,
  type ListedContact,
  type PersonChat,
  type Reach,
} from '../../events/lead/store/people.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { isErased } from '../../events/lead/wire.ts'
import { readPosition } from '../../events/log/checkpoints.ts'
import { readHead } from '../../events/log/read.ts'
import { storedContracts } from '../../events/privacy/store/due.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { readWithFamily } from './known-lead.ts'

const VIEWS_DEADLINE_MS = 5_000
const POLL_MS = 50
const RETRY_AFTER_S = 2

/**
 * Far more leads than one person has: strangers can submit under another person's address, which must not prevent its
 * erasure.
 */
export const MAX_LEADS = 100_000
const MAX_CHATS = 100_000

/** Everything that is linked with a lead. */
export const LINKED: Reach = { maxLeads: MAX_LEADS, maxRounds: 1_000, isThroughChats: true }
/** The leads and chats with a lead's own address or number. */
export const DIRECT: Reach = { maxLeads: MAX_LEADS, maxRounds: 1 }

/**
 * Waits until the views have read all current events of the log, so that no lead and no chat is left out. Returns the
 * log's last position.
 */
export const viewsAreUpToDate = async ({ sql }: ApiNode) => {
  const { position: head } = await readHead(sql)
  const deadline = performance.now() + VIEWS_DEADLINE_MS
  for (;;) {
    const positions = await Promise.all([leadsProjection, chatsProjection].map((view) => readPosition(sql, view)))
    if (positions.every((position) => position >= head)) return head
    if (performance.now() > deadline) {
      const message = 'The views lag behind the log, so not all data of the person is known yet'
      throw new RequestError('unavailable', message, { retryAfterS: RETRY_AFTER_S })
    }
    await delay(POLL_MS)
  }
}

/** Separates the chats that became leads outside this list, if those leads still exist. */
const apartFromOthers = async (sql: Sql, chats: readonly PersonChat[], leadIds: readonly string[]) => {
  const known = new Set(leadIds)
  const others = chats.flatMap(({ leadId }) => (leadId && !known.has(leadId) ? [leadId] : []))
  const contacts = others.length > 0 ? await findContacts(sql, others) : []
  const living = new Set(contacts.flatMap((lead) => (isErased(lead) ? [] : [lead.id])))
  const isOfOther = ({ leadId }: PersonChat) => leadId !== null && living.has(leadId)
  return { chats: chats.filter((chat) => !isOfOther(chat)), chatsOfOthers: chats.filter(isOfOther) }
}

/**
 * The contact of a lead, with the earlier addresses and numbers that it and those merged with it had before a
 * correction.
 */
export const withEarlier = (family: [KnownLead, ...KnownLead[]]): Contact => {
  const keysOf = (key: (contact: Pick<Lead, 'email' | 'phone'>) => string | null) => {
    const present = new Set(family.map(({ own }) => key(own)))
    const everShared = new Set(family.flatMap(({ events }) => contactsOver(events)).map(key))
    return [...everShared].filter((value) => value !== null).filter((value) => !present.has(value))
  }
  const emails = keysOf(({ email }) => emailKey(email))
  return { ...family[0].lead, earlier: { emails, phones: keysOf(({ phone }) => phoneKey(phone)) } }
}

/**
 * Finds what can be erased with a lead: everything linked with it, or only what has the lead's own address or number.
 * `chatsOfOthers` have its address or number too, and are the chats of leads that are not found.
 */
export const findErasable = async ({ reading }: ApiNode, lead: Contact, reach: Reach) => {
  const person = await findPerson(reading, lead, reach)
  const isPresent = (key: string | null) => key !== null
  const own = { emails: [emailKey(lead.email)].filter(isPresent), phones: [phoneKey(lead.phone)].filter(isPresent) }
  const keys = reach === LINKED ? person : { ...person, ...own }
  const chats = (await findChats(reading, keys, MAX_CHATS)).filter((chat) => !chat.isErased)
  return { lead, ...person, ...(await apartFromOthers(reading, chats, person.leadIds)) }
}

export type Erasable = Awaited<ReturnType<typeof findErasable>>

/** The reason to erase a chat: the lead that it became, or else each lead that has one of its addresses or numbers. */
type Cause = { leadId: string } | { addresses: number[] }

/**
 * The reason to erase each chat, and the addresses of each lead: its email address and its telephone number. A chat
 * that became a lead is erased with that lead alone, since couples share an address. Each address is an index:
 * strangers can give one address to thousands of leads and chats, and naming those leads for each chat would take more
 * memory than a node has.
 */
const causesOf = async ({ sql }: ApiNode, chats: readonly PersonChat[], contacts: readonly ListedContact[]) => {
  const indexes = new Map<string, number>()
  const addressesOf = new Map<string, number[]>()
  const indexOf = (kind: 'emails' | 'phones', key: string) => {
    const named = `${kind} ${key}`
    const index = indexes.get(named) ?? indexes.size
    indexes.set(named, index)
    return index
  }
  for (const { id, emailKey: email, phoneKey: phone } of contacts) {
    const emails = email === null ? [] : [indexOf('emails', email)]
    addressesOf.set(id, phone === null ? emails : [...emails, indexOf('phones', phone)])
  }
  const causes = new Map<string, Cause>()
  const addressed = new Map<string, number[]>()
  for (const { session, leadId } of chats) {
    const addresses: number[] = []
    const isOfLead = leadId !== null && addressesOf.has(leadId)
    causes.set(session.sessionId, isOfLead ? { leadId } : { addresses })
    if (!isOfLead) addressed.set(session.sessionId, addresses)
  }
  for (const { sessionId, kind, key } of await findChatKeys(sql, [...addressed.keys()])) {
    const address = indexes.get(`${kind} ${key}`)
    if (address !== undefined) addressed.get(sessionId)?.push(address)
  }
  return { causes, addressesOf }
}

/** The addresses and numbers of the chats that became leads, by lead. */
const keysOfChats = async ({ sql }: ApiNode, chats: readonly PersonChat[]) => {
  const leadOf = new Map(chats.flatMap(({ session, leadId }) => (leadId ? [[session.sessionId, leadId] as const] : [])))
  const keys = await findChatKeys(sql, [...leadOf.keys()])
  return Map.groupBy(keys, ({ sessionId }) => leadOf.get(sessionId))
}

const wireCause = (cause: Cause = { addresses: [] }) => ('leadId' in cause ? { leadIds: [cause.leadId] } : cause)

/** The contracts among some leads that the law asks to store, each with the last day; null as long as it has no end. */
export const contractsToStore = async (
  { sql, settings }: ApiNode,
  leadIds: readonly string[],
): Promise<Map<string, string | null>> => {
  const wanted = { periods: settings.current.retention, now: new Date() }
  const contracts = await storedContracts(sql, leadIds, wanted)
  return new Map(contracts.flatMap(({ leadId, isStored, until }) => (isStored ? [[leadId, until] as const] : [])))
}

/** The list that an owner chooses from. */
export const listErasable = async (
  node: ApiNode,
  { found, asOf }: { found: Erasable; asOf: number },
): Promise<Sent<typeof erasable>> => {
  const contacts = await findContacts(node.sql, found.leadIds)
  const { causes, addressesOf } = await causesOf(node, found.chats, contacts)
  const keys = await keysOfChats(node, found.chats)
  const own = contacts.map((lead) => ({
    ...lead,
    email: lead.emailKey,
    phone: lead.phoneKey,
    chatKeys: keys.get(lead.id)?.map(({ key }) => key) ?? [],
    ...(lead.id === found.lead.id && found.lead.earlier && { earlier: found.lead.earlier }),
  }))
  const links = linksFrom(found.lead.id, own)
  const contracts = await contractsToStore(node, found.leadIds)
  return {
    asOf,
    leads: contacts.map(({ emailKey: _, phoneKey: __, ...lead }) => ({
      ...lead,
      addresses: addressesOf.get(lead.id) ?? [],
      links: links.get(lead.id) ?? [],
      ...(contracts.has(lead.id) && { contract: { until: contracts.get(lead.id) ?? null } }),
    })),
    chats: found.chats.map(({ session: { sessionId, visitorName, startTime }, messages }) => ({
      sessionId,
      visitorName,
      startTime,
      messages,
      ...wireCause(causes.get(sessionId)),
    })),
  }
}

/** The leads that a lead is linked with, and their chats: an owner sees and chooses from them before an erasure. */
export const readErasable = route('GET', '/api/leads/:id/erase', {
  access: 'owners',
  summary: 'The data that would be erased with the person of a lead',
  answer: erasable,
  handler: async ({ node, params: { id: leadId } }) => {
    // first, so that the lead is as recent as the list
    const asOf = await viewsAreUpToDate(node)
    const lead = withEarlier(await readWithFamily(node, leadId))
    return await listErasable(node, { found: await findErasable(node, lead, LINKED), asOf })
  },
})

/**
 * The leads that an owner has chosen, without those that are erased: a request may come twice, and others erase too.
 */
export const notErased = async ({ sql }: ApiNode, found: Erasable, chosenIds: readonly string[]): Promise<string[]> => {
  const linked = new Set(found.leadIds)
  const chosen = [...new Set(chosenIds)]
  const erased = await erasedAmong(
    sql,
    chosen.filter((id) => !linked.has(id)),
  )
  return chosen.filter((id) => !erased.has(id))
}

/** A choice without the contracts that have to be stored, and what they were merged with. Chats go. */
export const withoutContracts = async (
  node: ApiNode,
  found: Erasable,
  contracts: ReadonlyMap<string, string | null>,
): Promise<Erasable> => {
  const familyOf = familiesOf(await findContacts(node.sql, found.leadIds))
  const staying = new Set([...contracts.keys()].flatMap((id) => [id, ...familyOf(id).map((lead) => lead.id)]))
  return {
    ...found,
    leadIds: found.leadIds.filter((id) => !staying.has(id)),
    rounds: found.rounds.map((round) => round.filter((id) => !staying.has(id))),
  }
}

/**
 * The part that an owner has chosen of all that is linked with a lead: the lead with those that it was merged with, the
 * leads that are named, each of them linked with it, and the chats of these.
 *
 * @throws if one lead of a merged family is left out: it would no longer be shown, and would keep the data that the
 *   other one showed
 */
export const chosenOf = async (
  node: ApiNode,
  { found, chosenIds }: { found: Erasable; chosenIds: readonly string[] },
): Promise<Erasable> => {
  const contacts = await findContacts(node.sql, found.leadIds)
  const familyOf = familiesOf(contacts)
  const leadId = found.lead.id
  const included = new Set([leadId, ...familyOf(leadId).map(({ id }) => id), ...chosenIds])
  for (const id of included) {
    if (familyOf(id).some((other) => !included.has(other.id))) {
      throw invalidField('chosenIds', `The lead ${id} was merged with another one: both go, or neither`)
    }
  }
  const { causes, addressesOf } = await causesOf(node, found.chats, contacts)
  const addresses = new Set([...included].flatMap((id) => addressesOf.get(id) ?? []))
  const isIncluded = (cause: Cause = { addresses: [] }) =>
    'leadId' in cause ? included.has(cause.leadId) : cause.addresses.some((address) => addresses.has(address))
  return {
    ...found,
    leadIds: found.leadIds.filter((id) => included.has(id)),
    rounds: found.rounds.map((round) => round.filter((id) => included.has(id))),
    chats: found.chats.filter(({ session }) => isIncluded(causes.get(session.sessionId))),
  }
}
