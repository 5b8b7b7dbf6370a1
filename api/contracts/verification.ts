import type { Context } from 'hono'
import { agencyClock, agencyDayName } from '../../events/base/agency-day.ts'
import { referenceOf } from '../../events/base/reference.ts'
import { verifiedContract } from '../../events/lead/store/verified-contract.ts'
import { packageOf } from '../../events/settings/packages.ts'
import { clientAddress } from '../admission/client-address.ts'
import type { ApiNode } from '../node/node.ts'

const UNKNOWN = 'Not known'
const NONE = 'There is none'

/** The values of the public page that checks a contract; undefined if no contract has this reference. */
export const verifyContract = async (
  node: ApiNode,
  c: Context,
  reference: string,
): Promise<Record<string, string> | undefined> => {
  await node.admission.admit('contract_copies', { address: clientAddress(node, c) })
  const contract = await verifiedContract(node.sql, reference)
  if (!contract) return undefined
  const { leadId, packageId, signedAt, terms, copySha256, isUnbroken, isErased } = contract
  return {
    VERIFY_STATE: isUnbroken ? 'unbroken' : 'broken',
    VERIFY_REFERENCE: referenceOf(leadId),
    VERIFY_PACKAGE: packageId ? packageOf(packageId, node.settings.current.packages).name : UNKNOWN,
    VERIFY_DATE: signedAt ? `${agencyDayName.format(signedAt)}, ${agencyClock.format(signedAt)} SAST` : UNKNOWN,
    VERIFY_STATUS: isErased ? 'Signed. The personal data was erased since then' : 'Signed',
    VERIFY_TERMS: terms ? `Version ${terms.version}, SHA-256 ${terms.sha256}` : UNKNOWN,
    VERIFY_PDF: copySha256 ?? (terms && !isErased ? 'It is being made' : NONE),
    VERIFY_SHA: copySha256 ?? '',
  }
}
