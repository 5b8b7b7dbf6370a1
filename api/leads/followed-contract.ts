import * as v from 'valibot'
import { idsOfReference } from '../../events/base/reference.ts'
import { isCopyKey } from '../../events/contract/store/signed-copies.ts'
import { OPEN_STATUSES } from '../../events/lead/follow-up/follow-up.ts'
import { isContract } from '../../events/lead/form/kind.ts'
import type { WebsiteInfo } from '../../events/lead/form/website-info.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { type KnownLead, readFamily } from '../../events/lead/store/family.ts'
import { findContracts } from '../../events/lead/store/people.ts'
import { isErased } from '../../events/lead/wire.ts'
import type { Guard } from '../../events/log/append.ts'
import { validate } from '../http/body.ts'
import type { ApiNode } from '../node/node.ts'

const readable = v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(200))), null)

/**
 * The private link to the signed copy, as the response to a contract gave it, and the contract's reference. One that is
 * unreadable counts as none.
 */
const sentContract = v.object({ contractCopy: readable, contractReference: readable })

const LINK = /^\/api\/contracts\/([0-9a-f-]{36})\/copy\?key=([\w-]+)$/

/** The contract that a private link leads to. Only its client has the link. */
const linkedContract = ({ config }: ApiNode, contractCopy: string | null | undefined) => {
  const [, id, key] = LINK.exec(contractCopy ?? '') ?? []
  return id && key && isCopyKey(config.signingKeys, id, key) ? id : undefined
}

/** A lead by the log, and the one under which staff work on it now. */
const readStaying = async ({ sql }: ApiNode, id: string) => {
  const family = await readFamily(sql, [id])
  const stayingOf = (known: KnownLead): KnownLead => {
    const next = family.get(known.lead.mergedInto ?? '')
    return next ? stayingOf(next) : known
  }
  const known = family.get(id)
  return known && { known, staying: stayingOf(known) }
}

const OPEN: ReadonlySet<string> = new Set(OPEN_STATUSES)

/**
 * The signed contract that a questionnaire belongs to, and the guard that it is as it was read: the one whose private
 * link its sender has, unless it is lost; otherwise an open one, first the one with the reference that was sent if it has
 * the same email address or number, then one with both. Undefined if there is none: a reference alone leads to no
 * contract.
 */
export const followedContract = async (
  node: ApiNode,
  { form, input }: { form: WebsiteInfo; input: unknown },
): Promise<{ contractId: string; guard: Guard } | undefined> => {
  const { contractCopy, contractReference } = validate(sentContract, input)
  const linked = linkedContract(node, contractCopy)
  const own = await findContracts(node.sql, { email: form.email, phone: form.phoneNumber })
  const named = idsOfReference(contractReference ?? '')
  const isMeant = (id: string) => named !== undefined && id >= named.from && id <= named.to
  const meant = own.filter(({ id }) => isMeant(id))
  const others = own.filter(({ id, isBoth }) => isBoth && !isMeant(id))
  const ids = [...(linked ? [linked] : []), ...[...meant, ...others].map(({ id }) => id)]
  for (const id of ids) {
    const found = await readStaying(node, id)
    if (!found) continue
    const { known, staying } = found
    const isSigned = isContract(known.own.leadSource) && !known.own.suspicion && !isErased(known.own)
    const { followUpStatus, suspicion } = staying.lead
    const isOpen = OPEN.has(followUpStatus) || (followUpStatus === 'won' && id === linked)
    if (isSigned && isOpen && !suspicion)
      return { contractId: id, guard: { stream: leadStreams.of(id), version: known.own.version } }
  }
  return undefined
}
