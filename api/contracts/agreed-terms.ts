import type { Context } from 'hono'
import {
  type AgreedTerms,
  type Evidence,
  type SentEvidence,
  sentEvidence,
  storableUserAgent,
} from '../../events/contract/evidence.ts'
import { readTerms, sha256Of, type TermsVersion } from '../../events/contract/store/terms.ts'
import { canonicalText, termsChanges } from '../../events/contract/terms.ts'
import { contractPackage } from '../../events/lead/form/contract-value.ts'
import { MAX_LINE_CHARACTERS, type SubmittedLeadForm } from '../../events/lead/form/form.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { readVersions } from '../../events/log/read.ts'
import type { PackageId } from '../../events/settings/prices.ts'
import { exactAddress } from '../admission/client-address.ts'
import { validate } from '../http/body.ts'
import { invalidField, RequestError } from '../http/errors.ts'
import { isFormPost } from '../http/media-type.ts'
import type { ApiNode } from '../node/node.ts'
import { currentTerms } from './terms.ts'

/** A contract that is about to be stored: its form, the body of the request, and the id of its lead. */
type Signed = { node: ApiNode; c: Context; leadId: string; form: SubmittedLeadForm; input: unknown }

const UNNAMED = 'The form names no version of the terms. Load the page again, read the terms and agree to them.'

/** `posted` are the fields of a form that a page without script has posted. */
type ChangedTerms = { named: TermsVersion; newest: TermsVersion; posted: Record<string, string> | undefined }

const termsChangedError = (packageId: PackageId, { named, newest, posted }: ChangedTerms) => {
  const { version, sha256, terms } = newest
  const { line, agreement } = terms
  const changes = termsChanges(named.terms, terms)
  const detail = 'The terms of this package have changed since you opened the page. Read the changes, and agree again.'
  return new RequestError('terms_changed', detail, {
    members: { terms: { package: packageId, version, sha256, line, agreement, changes } },
    ...(posted && {
      again: { fields: { ...posted, package: line, termsVersion: String(version) }, agreement, changes },
    }),
  })
}

/**
 * Whether a lead is already stored: then the request repeats a contract that was accepted under the terms of that time.
 */
const isStored = async ({ sql }: ApiNode, leadId: string) => {
  const stream = leadStreams.of(leadId)
  return ((await readVersions(sql, [stream])).get(stream) ?? 0) > 0
}

/**
 * The terms that a contract is signed under. A page names the version that it shows, even without script; a program
 * that names none agrees to the current one (events/decisions/20-terms-of-programs.md). Throws if the terms have
 * changed.
 */
const agreedTermsOf = async (
  packageId: PackageId,
  { node, c, leadId, input }: Signed,
  { termsVersion }: SentEvidence,
): Promise<AgreedTerms> => {
  const agreed = ({ version, sha256, terms }: TermsVersion): AgreedTerms => ({
    version,
    sha256,
    isNamed: termsVersion !== null,
    agreement: terms.agreement,
  })
  // another node may have stored newer settings a moment ago
  const current = await currentTerms(node, packageId, await node.settings.refresh())
  if (termsVersion === current.version) return agreed(current)
  if (termsVersion === null) {
    if (isFormPost(c)) throw invalidField('termsVersion', UNNAMED)
    return agreed(current)
  }
  const named = await readTerms(node.sql, packageId, termsVersion)
  if (!named) throw invalidField('termsVersion', 'There is no such version of the terms of this package')
  if (await isStored(node, leadId)) return agreed(named)
  throw termsChangedError(packageId, {
    named,
    newest: current,
    posted: isFormPost(c) ? (input as Record<string, string>) : undefined,
  })
}

const instantBefore = (now: Date, ms: number | null) =>
  ms === null ? null : new Date(now.getTime() - ms).toISOString()

/** The name as it was typed, also with white space around it, unless that is more than people type. */
const signatureOf = (form: SubmittedLeadForm, typed: unknown): string =>
  typeof typed === 'string' && typed.length <= MAX_LINE_CHARACTERS && typed.trim() === form.name ? typed : form.name

const evidenceOf = (
  { node, c, leadId, form, input }: Signed,
  { terms, sent }: { terms: AgreedTerms; sent: SentEvidence },
): Evidence => {
  const now = new Date()
  const { name } = input as { name?: unknown }
  const { version, sha256, agreement } = terms
  return {
    signature: signatureOf(form, name),
    clientAddress: exactAddress(node, c),
    userAgent: storableUserAgent(c.req.header('user-agent')),
    openedAt: instantBefore(now, sent.openedBeforeMs),
    tickedAt: instantBefore(now, sent.tickedBeforeMs),
    contractSha256: sha256Of(canonicalText({ id: leadId, form, terms: { version, sha256, agreement } })),
  }
}

/** The terms and the evidence of a contract; undefined for any other form, and for a package that does not exist. */
export const signingOf = async (signed: Signed): Promise<{ terms: AgreedTerms; evidence: Evidence } | undefined> => {
  const packageId = contractPackage(signed.form.leadSource)
  if (!packageId) return undefined
  const sent = validate(sentEvidence, signed.input)
  const terms = await agreedTermsOf(packageId, signed, sent)
  return { terms, evidence: evidenceOf(signed, { terms, sent }) }
}
