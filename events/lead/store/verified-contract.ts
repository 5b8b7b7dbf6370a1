import * as v from 'valibot'
import { idsOfReference } from '../../base/reference.ts'
import { agreedTerms } from '../../contract/evidence.ts'
import { contractStreams } from '../../contract/signed-copy.ts'
import { sha256Of } from '../../contract/store/terms.ts'
import { termsStreams } from '../../contract/terms.ts'
import type { Queryable } from '../../log/decode.ts'
import { ChainError, verifyAround } from '../../log/verify.ts'
import type { PackageId } from '../../settings/prices.ts'
import { contractPackage } from '../contract-value.ts'
import { leadStreams } from '../lead.ts'

/** The public facts about a contract, without any personal detail. `copySha256` is null until its copy is made. */
export type VerifiedContract = {
  leadId: string
  packageId: PackageId | null
  signedAt: Date | null
  terms: { version: number; sha256: string } | null
  copySha256: string | null
  /** Whether the events of the contract, and those around them, are as they were stored. */
  isUnbroken: boolean
  isErased: boolean
}

type Row = { stream: string; position: number; data: unknown; recordedAt: Date; isErased: boolean }

/** The first events of streams by the range of their ids. Personal parts are not read: they may have been changed. */
const firstEvents = async (sql: Queryable, prefix: string, { from, to }: { from: string; to: string }) =>
  await sql<Row[]>`
    select e.stream, e.position, e.data, e.recorded_at as "recordedAt", exists (
      select from events x where x.stream = e.stream and x.type = 'LeadErased'
    ) as "isErased"
    from events e
    where e.stream between ${prefix + from} and ${prefix + to} and e.stream like ${`${prefix}${from.slice(0, 8)}-%`}
      and e.version = 1
    order by e.position limit 10`

/** A contract and its signed copy are mostly close together: then they are checked at once. */
const isIntact = async (sql: Queryable, positions: number[]) => {
  try {
    let checkedTo = 0
    for (const position of positions.toSorted((a, b) => a - b)) {
      if (position > checkedTo) checkedTo = (await verifyAround(sql, position)).position
    }
    return true
  } catch (error) {
    if (error instanceof ChainError) return false
    throw error
  }
}

const signedTerms = v.object({ isContract: v.literal(true), source: v.string(), terms: agreedTerms })

const copyData = v.object({ sha256: v.string() })

const readTermsRow = async (sql: Queryable, packageId: PackageId, version: number) => {
  const [row] = await sql<{ position: number; data: unknown }[]>`
    select position, data from events where stream = ${termsStreams.of(packageId)} and version = ${version}`
  return row
}

const hasTerms = (lead: Row | undefined) => lead === undefined || 'terms' in Object(lead.data)

const checked = async (sql: Queryable, leadId: string, lead: Row | undefined, copy: Row | undefined) => {
  const signed = v.safeParse(signedTerms, lead?.data)
  const made = v.safeParse(copyData, copy?.data)
  const { terms, source } = signed.success ? signed.output : { terms: null, source: '' }
  const packageId = contractPackage(source) ?? null
  const published = packageId && terms ? await readTermsRow(sql, packageId, terms.version) : undefined
  const positions = [lead, copy, published].flatMap((row) => (row ? [row.position] : []))
  // a contract for a package that does not exist has no terms
  const fits = terms
    ? published !== undefined && sha256Of(String(Object(published.data).text)) === terms.sha256
    : !hasTerms(lead)
  return {
    leadId,
    packageId,
    signedAt: lead?.recordedAt ?? null,
    terms: terms && { version: terms.version, sha256: terms.sha256 },
    copySha256: made.success ? made.output.sha256 : null,
    isUnbroken: fits && (copy === undefined || made.success) && (await isIntact(sql, positions)),
    isErased: lead?.isErased ?? false,
  }
}

const isContract = ({ data }: Row) => (data as { isContract?: unknown } | null)?.isContract === true

/**
 * Checks the contract with a reference against the log: its event, that of its signed copy and that of its terms, each
 * with the chain of hashes around it. Undefined if there is none. An event that was removed, or no longer is
 * a contract, shows by its signed copy.
 */
export const verifiedContract = async (sql: Queryable, reference: string): Promise<VerifiedContract | undefined> => {
  const ids = idsOfReference(reference)
  if (!ids) return undefined
  const [leads, copies] = await Promise.all([
    firstEvents(sql, leadStreams.prefix, ids),
    firstEvents(sql, contractStreams.prefix, ids),
  ])
  const leadIds = [
    ...leads.filter(isContract).map(({ stream }) => leadStreams.idOf(stream)),
    ...copies.map(({ stream }) => contractStreams.idOf(stream)),
  ]
  const [leadId] = leadIds
  if (leadId === undefined) return undefined
  const lead = leads.find(({ stream }) => stream === leadStreams.of(leadId))
  const copy = copies.find(({ stream }) => stream === contractStreams.of(leadId))
  return await checked(sql, leadId, lead, copy)
}
