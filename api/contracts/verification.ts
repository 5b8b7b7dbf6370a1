import type { Context } from 'hono'
import { agencyClock, agencyDayName, startOfDay } from '../../events/base/agency-day.ts'
import { contractReferenceOf } from '../../events/base/reference.ts'
import { type VerifiedContract, verifiedContract } from '../../events/lead/store/verified-contract.ts'
import { packageOf } from '../../events/settings/packages.ts'
import { clientAddress } from '../admission/client-address.ts'
import type { ApiNode } from '../node/node.ts'

const UNKNOWN = 'Not known'
const NONE = 'There is none'

const dayInWords = (day: string | null) => (day === null ? '' : agencyDayName.format(startOfDay(day)))

const stateInWords = ({ state, endsOn }: VerifiedContract): string => {
  switch (state) {
    case 'live':
      return 'Running'
    case 'notice':
      return `Running until ${dayInWords(endsOn)}`
    case 'ended':
      return `Ended on ${dayInWords(endsOn)}`
    default:
      return `${state.charAt(0).toUpperCase()}${state.slice(1)}`
  }
}

/** The hashes of copies, newest first; undefined if there is none. */
const copiesInWords = ([newest, ...earlier]: string[]) =>
  newest && [newest, ...earlier.map((sha256) => `Before a name was corrected: ${sha256}`)].join('. ')

/** The values of the public page that checks a contract; undefined if no contract has this reference. */
export const verifyContract = async (
  node: ApiNode,
  c: Context,
  reference: string,
): Promise<Record<string, string> | undefined> => {
  await node.admission.admit('contract_copies', { address: clientAddress(node, c) })
  const contract = await verifiedContract(node.sql, reference)
  if (!contract) return undefined
  const { leadId, packageId, signedAt, terms, copies, isUnbroken, isErased } = contract
  const state = stateInWords(contract)
  return {
    VERIFY_STATE: isUnbroken ? 'unbroken' : 'broken',
    VERIFY_REFERENCE: contractReferenceOf(leadId),
    VERIFY_PACKAGE: packageId ? packageOf(packageId, node.settings.current.packages).name : UNKNOWN,
    VERIFY_DATE: signedAt ? `${agencyDayName.format(signedAt)}, ${agencyClock.format(signedAt)} SAST` : UNKNOWN,
    VERIFY_STATUS: isErased ? `${state}. The personal data was erased since then` : state,
    VERIFY_TERMS: terms ? `Version ${terms.version}, SHA-256 ${terms.sha256}` : UNKNOWN,
    VERIFY_PDF: copiesInWords(copies) ?? (terms && !isErased ? 'It is being made' : NONE),
    VERIFY_SHA: copies.join(' '),
  }
}
