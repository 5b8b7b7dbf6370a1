import { isSignature, type SigningKeys, signatureOf } from '../../keys/signing-keys.ts'
import { type Queryable, readStreams } from '../../log/read.ts'
import { contractStreams } from '../signed-copy.ts'

/**
 * A version of the signed copy. `correctionId` is the event that corrected a party's name, null for the first version;
 * `pdf` is null once its person has been erased.
 */
export type SignedCopy = { sha256: string; pdf: Buffer<ArrayBuffer> | null; correctionId: string | null; madeAt: Date }

/** The versions of the signed copy of a contract, oldest first; none until a worker has made the first. */
export const readCopies = async (sql: Queryable, leadId: string): Promise<SignedCopy[]> => {
  const made = await readStreams(sql, [contractStreams.of(leadId)], { types: ['ContractCopyMade'] })
  return made.map(({ data, personal, recordedAt }) => ({
    sha256: data.sha256,
    pdf: personal && Buffer.from(personal.pdf, 'base64'),
    correctionId: data.replaces?.correctionId ?? null,
    madeAt: recordedAt,
  }))
}

/** The newest version of the signed copy of a contract. */
export const readCopy = async (sql: Queryable, leadId: string): Promise<SignedCopy | undefined> =>
  (await readCopies(sql, leadId)).at(-1)

type Keys = Pick<SigningKeys, 'contractCopies'>

const signed = (leadId: string) => `signed copy:${leadId}`

/** The private link by which the person who signed a contract downloads its copy. */
export const copyLink = ({ contractCopies }: Keys, leadId: string): string =>
  `/api/contracts/${leadId}/copy?key=${signatureOf(contractCopies, signed(leadId))}`

/** Whether a key is that of the private link to a contract's copy. */
export const isCopyKey = ({ contractCopies }: Keys, leadId: string, key: string): boolean =>
  isSignature(contractCopies, signed(leadId), key)
