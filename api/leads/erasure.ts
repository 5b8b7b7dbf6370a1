import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { givenId } from '../../events/base/text.ts'
import { chatStreams } from '../../events/chat/chat.ts'
import { chatEmailStreams } from '../../events/chat/given-email.ts'
import { erasuresPosition, readErasureLeft } from '../../events/erasure/erasure-progress.ts'
import { holdsErasure, leadStreams } from '../../events/lead/lead.ts'
import { erasureStreams, requestErasure } from '../../events/lead/person/erasure.ts'
import { mergeStreams } from '../../events/lead/person/merge.ts'
import { leftToErase } from '../../events/lead/person/person-wire.ts'
import type { KnownLead } from '../../events/lead/store/family.ts'
import { hasBegunAfter, hasEventAfter } from '../../events/log/read.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import {
  chosenOf,
  contractsToStore,
  DIRECT,
  type Erasable,
  findErasable,
  LINKED,
  listErasable,
  MAX_LEADS,
  notErased,
  viewsAreUpToDate,
  withEarlier,
  withoutContracts,
} from './erasable.ts'
import { readLead, readWithFamily } from './known-lead.ts'

const POLL_MS = 50

/** A UUID with its quotes and comma. */
const ID_BYTES = 39
/** The rest of the body. */
const FRAME_BYTES = 1024
/** The largest body of a request to erase, which may name every lead that one person can have. nginx takes it too. */
const MAX_ERASURE_BYTES = Math.ceil((MAX_LEADS * ID_BYTES + FRAME_BYTES) / 1024) * 1024

/** How long a request waits for the workers: they erase a few hundred leads in that time. */
const WORKERS_DEADLINE_MS = 2_000
/** The maximum number of events that are stored at once: some 800 kB. */
const REQUESTS_AT_ONCE = 200

const eraseForm = v.strictObject({
  asOf: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  leadIds: v.exactOptional(v.array(givenId())),
  chosenIds: v.exactOptional(v.array(givenId())),
  contracts: v.exactOptional(v.picklist(['keep', 'erase'], 'Must be keep or erase')),
})

type EraseForm = v.InferOutput<typeof eraseForm>

/**
 * Whether the owner has not seen all that would be erased: data that came after their list, or leads that they have not
 * named.
 */
const hasUnseen = async ({ sql }: ApiNode, { leadIds, chats }: Erasable, form: EraseForm) => {
  if (form.asOf !== undefined) {
    const chatIds = chats.map(({ session }) => session.sessionId)
    const streams = [...leadIds.map(leadStreams.of), ...chatIds.map(chatStreams.of)]
    if (await hasBegunAfter(sql, streams, form.asOf)) return true
    const position = form.asOf
    if (await hasEventAfter(sql, leadIds.map(leadStreams.of), { position, type: 'LeadCorrected' })) return true
    if (await hasEventAfter(sql, leadIds.map(mergeStreams.of), { position })) return true
    return await hasEventAfter(sql, chatIds.map(chatEmailStreams.of), { position })
  }
  const seen = form.leadIds && new Set(form.leadIds)
  return seen !== undefined && leadIds.some((id) => !seen.has(id))
}

const UNSEEN = 'The list has changed since you saw it: look at it, then choose'
const OF_OTHERS = 'A chat with this address became another lead: review both, then choose'
const CONTRACTS =
  'Tax law asks for the records of a contract for five years after its end: keep them ("contracts": "keep"), or erase them too ("erase")'
/** A colleague may have erased the lead through which the two were linked. */
const NO_LONGER_LINKED = 'A lead that you chose is not linked with this one: review them, then choose again'
/** Nothing shows which leads were linked with an erased one. */
const OUT_OF_REACH = 'This lead is erased, and leads that you have chosen are not: erase them from one of themselves'

/**
 * The owner's choice among all that is found.
 *
 * @throws with the current list if the owner has seen another one
 */
const chosenNow = async (
  node: ApiNode,
  { known, found, head, form }: { known: KnownLead; found: Erasable; head: number; form: EraseForm },
): Promise<Erasable> => {
  const refuse = async (reason: string) => {
    const members = await listErasable(node, { found, asOf: head })
    return new RequestError('conflict', reason, { members })
  }
  if (await hasUnseen(node, found, form)) throw await refuse(UNSEEN)
  if (form.chosenIds === undefined) return found
  const chosenIds = await notErased(node, found, form.chosenIds)
  const linked = new Set(found.leadIds)
  if (chosenIds.some((id) => !linked.has(id)))
    throw await refuse(holdsErasure(known.events) ? OUT_OF_REACH : NO_LONGER_LINKED)
  return await chosenOf(node, { found, chosenIds })
}

/**
 * Requests the erasure of all data of the person that exists now. Returns the log position of the last request; 0 for
 * none.
 */
const storeErasureRequests = async (node: ApiNode, leadId: string, form: EraseForm, by: string) => {
  // first, so that the lead is as recent as the list
  const head = await viewsAreUpToDate(node)
  const family = await readWithFamily(node, leadId)
  const [known] = family
  const { lead, own } = known
  const { asOf, leadIds, chosenIds } = form
  const isSeen = [asOf, leadIds, chosenIds].some((named) => named !== undefined)
  // an address from before a correction may be a stranger's, which is erased only if it is chosen
  const linkedWith = chosenIds ? withEarlier(family) : lead
  // the data that it shows of other leads is not its own
  const wanted = isSeen ? linkedWith : { ...own, mergedInto: lead.mergedInto ?? null }
  const found = await findErasable(node, wanted, isSeen ? LINKED : DIRECT)
  if (!isSeen && found.chatsOfOthers.length > 0) {
    const linked = await findErasable(node, withEarlier(family), LINKED)
    const members = await listErasable(node, { found: linked, asOf: head })
    throw new RequestError('conflict', OF_OTHERS, { members })
  }
  const chosen = await chosenNow(node, { known, found, head, form })
  const contracts = form.contracts === 'erase' ? new Map() : await contractsToStore(node, chosen.leadIds)
  if (contracts.size > 0 && form.contracts === undefined) {
    throw new RequestError('conflict', CONTRACTS, { members: await listErasable(node, { found, asOf: head }) })
  }
  const person = contracts.size > 0 ? await withoutContracts(node, chosen, contracts) : chosen
  const isErased = holdsErasure(known.events)
  const requests = requestErasure({
    chats: person.chats.map(({ session }) => session.sessionId),
    leads: person.rounds
      .toReversed()
      .flat()
      .filter((id) => id !== lead.id || !isErased),
    asOf: asOf ?? null,
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

/** Waits a limited time for the workers to carry out the erasures up to a position. Returns whether they have. */
const isCarriedOut = async ({ sql }: ApiNode, position: number) => {
  const deadline = performance.now() + WORKERS_DEADLINE_MS
  while ((await erasuresPosition(sql)) < position) {
    if (performance.now() > deadline) return false
    await delay(POLL_MS)
  }
  return true
}

/**
 * Erases the person of a lead: 204 means that all leads and chats are erased, 202 returns how many are `left`. The
 * caller need do nothing more for these: the requests are in the log, and workers carry them out. The same request
 * again returns the progress.
 *
 * Strangers can submit a lead that links two people. Linked data is therefore erased only if the owner has seen it.
 * `asOf` is that of the list that they were shown: leads change their address or number by a correction alone, and
 * chats keep every address that they have had, so that only later leads, corrections, merges, chats and addresses can
 * add to it. `leadIds` names the leads instead. If there is anything later, a lead that is not named, or a chosen lead
 * that is no longer linked, the response is 409 with the current list. Without any of these, the lead itself is erased,
 * and everything with its own email address or telephone number. If a chat with this address became another lead, the
 * response is 409 with the list too: the chat would stay unseen, or be erased with a lead that stays. Data that comes
 * after the request stays.
 *
 * Colleagues share a telephone, couples an address. `chosenIds` are the leads of the list that are erased with the lead
 * itself and those it was merged with; all others stay. Leads that are already erased count as done. Without it the
 * whole list is erased, except data whose only link is an address or a number that the lead had before a correction:
 * that may be a stranger's.
 *
 * A contract that runs, or ended less than the owners' years ago, is erased only with `contracts: 'erase'`. With `'keep'`
 * all else is erased, and the contract goes by itself when its time is over. Without either the response is 409.
 *
 * Chats are erased first, then leads from the farthest link to the nearest, last the lead itself: a request that is
 * repeated after a failure finds the rest. The workers then destroy the data keys, and the views delete their rows.
 */
export const erasePerson = route('POST', '/api/leads/:id/erase', {
  access: 'owners',
  summary: 'Erases the person of a lead for good; 202 while something is left to do, then 204',
  body: eraseForm,
  maxBodyBytes: MAX_ERASURE_BYTES,
  answer: leftToErase,
  status: 202,
  mayConflict: true,
  handler: async ({ node, c, params: { id: leadId }, body: form }) => {
    // first, so that a lead that is erased during that time is seen as erased below
    const underWay = await readErasureLeft(node.sql, leadId, form)
    const known = await readLead(node, leadId)
    // nothing shows which leads were linked with an erased one
    const hasGone = form.chosenIds !== undefined && holdsErasure(known.events)
    const isRequested = underWay.isChosen && (underWay.isWhole || hasGone)
    const requested = isRequested ? 0 : await storeErasureRequests(node, known.lead.id, form, c.get('staff').id)
    if (await isCarriedOut(node, Math.max(requested, underWay.lastPosition))) return c.body(null, 204)
    const { left } = await readErasureLeft(node.sql, known.lead.id)
    return left > 0 ? { left } : c.body(null, 204)
  },
})
