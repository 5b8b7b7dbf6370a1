import type { Logger } from 'pino'
import type { RecordedEvent } from '../../events/base/definition.ts'
import type { AnyRecordedEvent } from '../../events/catalogue.ts'
import { SIGNED_COPIES } from '../../events/consumers/acting-consumers.ts'
import { contractCopyMade, contractStreams, copyName } from '../../events/contract/signed-copy.ts'
import { readCopies, readCopy, type SignedCopy } from '../../events/contract/store/signed-copies.ts'
import { readTerms, sha256Of } from '../../events/contract/store/terms.ts'
import { termsOf } from '../../events/contract/terms.ts'
import type { Email } from '../../events/email/email.ts'
import { LogError } from '../../events/keys/errors.ts'
import { contractPackage } from '../../events/lead/form/contract-value.ts'
import { leadIdOf, leadStreams, type leadSubmitted } from '../../events/lead/lead.ts'
import type { Appender } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readStreams } from '../../events/log/read.ts'
import { contextCausedBy, runWith } from '../../events/process/context.ts'
import { NO_COMPANY } from '../../events/settings/company.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { actOnLog } from '../consumers/act-on-log.ts'
import type { PassOver } from '../consumers/pass-over.ts'
import type { Config } from '../process/config.ts'

type Copying = {
  sql: Sql
  log: Pick<Appender, 'append'>
  logger: Pick<Logger, 'error'>
  config: Pick<Config, 'agencyName' | 'agencyEmail' | 'publicUrl'>
}

type Submission = RecordedEvent<typeof leadSubmitted>

/** The signed copy of one contract cannot be made, now or later. */
class RenderError extends Error {
  override name = 'RenderError'
}

/**
 * Loads the code and the fonts of signed copies, and renders one of an invented contract. The first contract of a worker
 * then takes no longer than any other.
 */
export const warmUp = async ({ agencyName, agencyEmail, publicUrl }: Copying['config']): Promise<void> => {
  const { renderContract } = await import('./pdf.ts')
  const terms = termsOf('premium', { packages: {}, company: NO_COMPANY })
  const agreed = { version: 1, sha256: '', isNamed: true, agreement: terms.agreement }
  const name = 'Zoë Botha'
  const unknown = { clientAddress: '', userAgent: null, openedAt: null, tickedAt: null, contractSha256: '' }
  await renderContract({
    leadId: '00000000-0000-4000-8000-000000000000',
    terms,
    agreed,
    evidence: { signature: name, ...unknown },
    client: { name, businessName: null, email: '', phone: '' },
    corrected: null,
    receivedAt: new Date(0),
    agency: { name: agencyName, email: agencyEmail, publicUrl },
  })
}

/** A version of a contract: what its client is called since a correction, null for the version that was signed. */
type Wording = {
  name: string
  businessName: string | null
  correction: { id: string; at: Date; sha256: string } | null
}

/** Renders a version of the signed copy of a contract; undefined if there is none to make, or its person was erased. */
const render = async (
  { sql, config }: Copying,
  leadId: string,
  { submission, wording }: { submission: Submission; wording: Wording },
) => {
  const { terms: agreed, source } = submission.data
  const { personal, recordedAt } = submission
  const packageId = contractPackage(source)
  if (!agreed || !packageId || !personal?.evidence) return undefined
  const signed = await readTerms(sql, packageId, agreed.version)
  if (!signed || sha256Of(signed.text) !== agreed.sha256)
    throw new RenderError(`The log lacks terms ${agreed.version} of ${packageId}`)
  // loaded later than the worker (warmUp), which starts faster without
  const { renderContract } = await import('./pdf.ts')
  const { agencyName, agencyEmail, publicUrl } = config
  return await renderContract({
    leadId,
    terms: signed.terms,
    agreed,
    evidence: personal.evidence,
    client: { ...personal, name: wording.name, businessName: wording.businessName },
    corrected: wording.correction,
    receivedAt: recordedAt,
    agency: { name: agencyName, email: agencyEmail, publicUrl },
  }).catch((cause) => {
    throw new RenderError('The document could not be rendered', { cause })
  })
}

type Wordings = { submission: Submission; wordings: (Omit<Wording, 'correction'> & { corrected: RecordedAs | null })[] }
type RecordedAs = { id: string; at: Date }

/** The first event of a contract, and what its client was called then and after each correction of that, oldest first. */
const readWordings = async (sql: Sql, leadId: string): Promise<Wordings | undefined> => {
  const [submission, ...corrections] = await readStreams(sql, [leadStreams.of(leadId)], {
    types: ['LeadSubmitted', 'LeadCorrected'],
  })
  if (submission?.type !== 'LeadSubmitted') return undefined
  const { name = '', businessName = null } = submission.personal ?? {}
  let party = { name, businessName }
  const wordings: Wordings['wordings'] = [{ ...party, corrected: null }]
  for (const event of corrections) {
    if (event.type !== 'LeadCorrected' || !event.personal) continue
    const { name: newName, company } = event.personal
    if (newName === undefined && company === undefined) continue
    // staff read and correct a contract's business as the company of its lead
    party = {
      name: newName ?? party.name,
      businessName: company === undefined ? party.businessName : (company ?? businessName),
    }
    wordings.push({ ...party, corrected: { id: event.id, at: event.recordedAt } })
  }
  return { submission, wordings }
}

/**
 * The versions of the signed copy of a contract, newest last: those that are missing are made. Each once for any number
 * of workers, and for one that dies in between: the first that stores it wins. None if there is nothing to sign, or to
 * read.
 */
const signedCopies = async (copying: Copying, leadId: string): Promise<SignedCopy[]> => {
  const { sql, log } = copying
  const contract = await readWordings(sql, leadId)
  if (!contract) return []
  const { submission, wordings } = contract
  for (const { corrected, ...party } of wordings) {
    const copies = await readCopies(sql, leadId)
    if (copies.some(({ correctionId }) => correctionId === (corrected?.id ?? null))) continue
    const former = copies.at(-1)
    const correction = corrected && former ? { ...corrected, sha256: former.sha256 } : null
    const pdf = await render(copying, leadId, { submission, wording: { ...party, correction } })
    if (!pdf) return copies
    const made = contractCopyMade(
      {
        leadId,
        sha256: sha256Of(pdf),
        ...(correction && { replaces: { sha256: correction.sha256, correctionId: correction.id } }),
      },
      { subjectId: leadId, personal: { pdf: pdf.toString('base64') } },
    )
    const id = deterministicUuid('signed copy', leadId, ...(corrected ? [corrected.id] : []))
    try {
      await handle(log, {
        read: () => ({ stream: contractStreams.of(leadId), version: 'any' as const }),
        decide: () => ({ id, ...made }),
        isOnce: true,
      })
    } catch (error) {
      if (error instanceof LogError && error.code === 'erased') return []
      throw error
    }
  }
  return await readCopies(sql, leadId)
}

/**
 * Whether an event lets a contract out, which one does that is not flagged, or that staff have released; or corrects the
 * name in one that was let out.
 */
const makesCopy = async (sql: Sql, event: AnyRecordedEvent, leadId: string): Promise<boolean> => {
  if (event.type === 'LeadCorrected') return (await readCopy(sql, leadId)) !== undefined
  return (
    event.type === 'LeadReleased' ||
    (event.type === 'LeadSubmitted' && event.data.terms !== undefined && !event.data.suspicion)
  )
}

/** A contract that cannot be rendered is logged, and delays no other. */
const makeCopyFor = async (copying: Copying & { passOver: PassOver }, event: AnyRecordedEvent, leadId: string) => {
  try {
    if (!(await makesCopy(copying.sql, event, leadId))) return
    await runWith(contextCausedBy(event, SIGNED_COPIES.name), () => signedCopies(copying, leadId))
  } catch (error) {
    if (error instanceof RenderError) copying.logger.error({ leadId, err: error }, 'a signed copy could not be made')
    else copying.passOver({ leadId }, error)
  }
}

/**
 * Reads the next part of the log, and makes the signed copy of each contract that is not flagged, and a new version if
 * the client's name was corrected. Idempotent. Returns whether there may be more.
 */
export const makeSignedCopies = (copying: Copying & { passOver: PassOver }): Promise<boolean> =>
  actOnLog(copying.sql, SIGNED_COPIES, { opened: [], limit: 20 }, async (events) => {
    for (const event of events) {
      const leadId = leadIdOf(event.stream)
      if (leadId !== undefined) await makeCopyFor(copying, event, leadId)
    }
    return undefined
  })

/** The email about a contract with its signed copy: the client's confirmation, and the email to the agency. */
export const withSignedCopy = async (copying: Copying, leadId: string, email: Email): Promise<Email> => {
  // mostly it is made already, and the contract need not be read for it
  const known = await readCopy(copying.sql, leadId)
  const copies = known
    ? [known]
    : await signedCopies(copying, leadId).catch((error) => {
        // the email is worth more than its attachment
        if (!(error instanceof RenderError)) throw error
        copying.logger.error({ leadId, err: error }, 'an email goes without its signed copy')
        return []
      })
  const pdf = copies.at(-1)?.pdf
  return pdf ? { ...email, attachment: { name: copyName(leadId), content: new Uint8Array(pdf) } } : email
}
