import { agencyDay } from '../../events/base/agency-day.ts'
import type { Sent } from '../../events/base/word.ts'
import { contentOn, contractState, endsOn, firstPossibleEnd, liveOn } from '../../events/contract/life.ts'
import { dueOn } from '../../events/contract/promise.ts'
import { readLife } from '../../events/contract/store/life.ts'
import { readCopies } from '../../events/contract/store/signed-copies.ts'
import { readTerms } from '../../events/contract/store/terms.ts'
import type { signedContract } from '../../events/contract/wire.ts'
import type { DeliveryState } from '../../events/email/email.ts'
import { readDeliveryStates } from '../../events/email/store/deliveries.ts'
import { contractPackage } from '../../events/lead/form/contract-value.ts'
import { type LeadEvent, leadStreams } from '../../events/lead/lead.ts'
import { readStream } from '../../events/log/read.ts'
import type { Price } from '../../events/settings/prices.ts'
import { RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { staffNames } from '../staff/staff.ts'

type Reading = Pick<ApiNode, 'sql'>

/** The event of a signed contract, and its package. Throws if a lead is none, or was signed without evidence. */
export const readContract = async (node: Reading, leadId: string) => {
  const [first] = await readStream(node.sql, leadStreams.of(leadId), { limit: 1 })
  const terms = first?.type === 'LeadSubmitted' ? first.data.terms : undefined
  const packageId = first?.type === 'LeadSubmitted' ? contractPackage(first.data.source) : undefined
  if (first?.type === 'LeadSubmitted' && terms && packageId) return { ...first, terms, packageId }
  throw new RequestError('not_found', 'This lead has no signed contract')
}

/** The price and the minimum term that a contract was signed under, whatever they are today. */
export const agreedPriceOf = async (
  node: Reading,
  { packageId, terms }: Pick<Awaited<ReturnType<typeof readContract>>, 'packageId' | 'terms'>,
): Promise<{ monthly: number | null; months: number | null; noticeDays: number | null }> => {
  const agreed = await readTerms(node.sql, packageId, terms.version)
  if (!agreed) throw new Error(`The log has no version ${terms.version} of the terms of ${packageId}`)
  const { price, months, noticeDays } = agreed.terms
  return { monthly: price.monthly, months, noticeDays }
}

/** The price that a lead's contract was signed under, by the lead's first event; undefined for any other lead. */
export const signedPriceOf = async ({ sql }: Reading, first: LeadEvent | undefined): Promise<Price | undefined> => {
  if (first?.type !== 'LeadSubmitted' || !first.data.terms) return undefined
  const packageId = contractPackage(first.data.source)
  return packageId && (await readTerms(sql, packageId, first.data.terms.version))?.terms.price
}

/** A signed contract as staff see it. */
export const contractInFull = async (
  node: Reading,
  leadId: string,
  now = new Date(),
): Promise<Sent<typeof signedContract>> => {
  const contract = await readContract(node, leadId)
  const [price, copies, life, names] = await Promise.all([
    agreedPriceOf(node, contract),
    readCopies(node.sql, leadId),
    readLife(node.sql, leadId),
    staffNames(node.sql),
  ])
  const emailed = life.steps.flatMap(({ id, isEmailed }) => (isEmailed ? [id] : []))
  // only emails of chats are `seen`
  const states = (await readDeliveryStates(node.sql, emailed)) as Map<string, DeliveryState>
  const today = agencyDay(now)
  const state = contractState(life, today)
  const isWaiting = state === 'signed' || state === 'accepted'
  return {
    terms: contract.terms,
    evidence: contract.personal?.evidence ?? null,
    receivedAt: contract.recordedAt.toISOString(),
    copies: copies.map(({ sha256, madeAt }) => ({ sha256, madeAt: madeAt.toISOString() })),
    package: contract.packageId,
    ...price,
    state,
    version: life.version,
    liveOn: liveOn(life),
    endsOn: endsOn(life),
    firstPossibleEnd: firstPossibleEnd(life, price, today),
    dueOn: isWaiting ? dueOn(contract.packageId, contentOn(life) ?? agencyDay(contract.recordedAt)) : null,
    steps: life.steps.map(({ isEmailed, ...step }) => ({
      ...step,
      by: names.get(step.by) ?? null,
      // until the dispatcher has come to it
      emailState: isEmailed ? (states.get(step.id) ?? 'pending') : null,
    })),
  }
}
