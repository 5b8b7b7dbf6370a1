import * as v from 'valibot'
import { agencyDay } from '../../base/agency-day.ts'
import { idsOfContract } from '../../base/reference.ts'
import { catalogue } from '../../catalogue.ts'
import { agreedTerms } from '../../contract/evidence.ts'
import { contractState, endsOn, evolveLife, isLifeEvent, type LifeEvent, NO_LIFE } from '../../contract/life.ts'
import { contractStreams } from '../../contract/signed-copy.ts'
import { sha256Of } from '../../contract/store/terms.ts'
import { termsStreams } from '../../contract/terms.ts'
import type { ContractState } from '../../contract/wire.ts'
import type { Queryable } from '../../log/decode.ts'
import { ChainError, verifyAround } from '../../log/verify.ts'
import type { PackageId } from '../../settings/prices.ts'
import { contractPackage } from '../form/contract-value.ts'
import { leadStreams } from '../lead.ts'

/** The public facts about a contract, without any personal detail. */
export type VerifiedContract = {
  leadId: string
  packageId: PackageId | null
  signedAt: Date | null
  terms: { version: number; sha256: string } | null
  /** The hashes of the versions of its signed copy, newest first. */
  copies: string[]
  state: ContractState
  /** The last day, if one is set. */
  endsOn: string | null
  /** Whether the events of the contract, and those around them, are as they were stored. */
  isUnbroken: boolean
  isErased: boolean
}

type Row = { stream: string; position: number; data: unknown; recordedAt: Date; erasedAt: Date | null }
type StreamRow = Pick<Row, 'stream' | 'position' | 'data' | 'recordedAt'> & {
  id: string
  version: number
  type: string
}
type Ids = { from: string; to: string }

const inRange = (sql: Queryable, prefix: string, { from, to }: Ids) => sql`
  e.stream between ${prefix + from} and ${prefix + to} and e.stream like ${`${prefix}${from.slice(0, 13)}-%`}`

/** The first events of leads by the range of their ids. Personal parts are not read: they may have been changed. */
const firstEvents = async (sql: Queryable, ids: Ids) =>
  await sql<Row[]>`
    select e.stream, e.position, e.data, e.recorded_at as "recordedAt", (
      select x.recorded_at from events x where x.stream = e.stream and x.type = 'LeadErased'
    ) as "erasedAt"
    from events e where ${inRange(sql, leadStreams.prefix, ids)} and e.version = 1
    order by e.position limit 10`

/** The events of contracts by the range of their ids: copies, steps, and the emails about these. */
const contractEvents = async (sql: Queryable, ids: Ids) =>
  await sql<StreamRow[]>`
    select e.stream, e.id, e.version, e.type, e.position, e.data, e.recorded_at as "recordedAt"
    from events e where ${inRange(sql, contractStreams.prefix, ids)}
    order by e.position limit 1000`

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

/** The steps and the copies of a contract; undefined if one of its events was changed or removed by hand. */
const readSteps = (rows: StreamRow[]) => {
  const events = rows.flatMap((row) => {
    const data = catalogue.get(row.type)?.data
    const parsed = data && v.safeParse(data, row.data)
    return parsed?.success ? [{ ...row, data: parsed.output, personal: null }] : []
  })
  const isWhole = rows.every(({ version }, index) => version === index + 1)
  if (!isWhole || events.length < rows.length) return undefined
  return {
    life: (events.filter(isLifeEvent) as unknown as LifeEvent[]).reduce(evolveLife, NO_LIFE),
    copies: events.filter(({ type }) => type === 'ContractCopyMade').map(({ data }) => v.parse(copyData, data).sha256),
  }
}

const copyData = v.object({ sha256: v.string() })

const readTermsRow = async (sql: Queryable, packageId: PackageId, version: number) => {
  const [row] = await sql<{ position: number; data: unknown }[]>`
    select position, data from events where stream = ${termsStreams.of(packageId)} and version = ${version}`
  return row
}

const hasTerms = (lead: Row | undefined) => lead === undefined || 'terms' in Object(lead.data)

const checked = async (sql: Queryable, leadId: string, lead: Row | undefined, rows: StreamRow[]) => {
  const signed = v.safeParse(signedTerms, lead?.data)
  const steps = readSteps(rows)
  const erasedOn = lead?.erasedAt ? agencyDay(lead.erasedAt) : null
  const life = { ...(steps?.life ?? NO_LIFE), erasedOn }
  const { terms, source } = signed.success ? signed.output : { terms: null, source: '' }
  const packageId = contractPackage(source) ?? null
  const published = packageId && terms ? await readTermsRow(sql, packageId, terms.version) : undefined
  const positions = [lead, ...rows, published].flatMap((row) => (row ? [row.position] : []))
  // a contract for a package that does not exist has no terms
  const fits = terms
    ? published !== undefined && sha256Of(String(Object(published.data).text)) === terms.sha256
    : !hasTerms(lead)
  return {
    leadId,
    packageId,
    signedAt: lead?.recordedAt ?? null,
    terms: terms && { version: terms.version, sha256: terms.sha256 },
    copies: (steps?.copies ?? []).toReversed(),
    state: contractState(life, agencyDay(new Date())),
    endsOn: endsOn(life),
    isUnbroken: fits && steps !== undefined && (await isIntact(sql, positions)),
    isErased: erasedOn !== null,
  }
}

const isContract = ({ data }: Row) => (data as { isContract?: unknown } | null)?.isContract === true

/**
 * Checks the contract with a reference against the log: its event, those of its copies and steps and that of its terms, each
 * with the chain of hashes around it. Undefined if there is none. An event that was removed, or no longer is
 * a contract, shows by its signed copy.
 */
export const verifiedContract = async (sql: Queryable, reference: string): Promise<VerifiedContract | undefined> => {
  const ids = idsOfContract(reference)
  if (!ids) return undefined
  const [leads, rows] = await Promise.all([firstEvents(sql, ids), contractEvents(sql, ids)])
  const leadIds = [
    ...leads.filter(isContract).map(({ stream }) => leadStreams.idOf(stream)),
    ...rows.map(({ stream }) => contractStreams.idOf(stream)),
  ]
  const [leadId] = leadIds
  if (leadId === undefined) return undefined
  const lead = leads.find(({ stream }) => stream === leadStreams.of(leadId))
  const ofContract = rows.filter(({ stream }) => stream === contractStreams.of(leadId))
  return await checked(sql, leadId, lead, ofContract)
}
