import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../../keys/secret-keys.ts'
import { type Queryable, readStream } from '../../log/read.ts'
import { contractStreams } from '../signed-copy.ts'

/** A signed copy: `pdf` is null once its person has been erased. */
export type SignedCopy = { sha256: string; pdf: Buffer<ArrayBuffer> | null; position: number }

/** The signed copy of a contract; undefined until a worker has made it. */
export const readCopy = async (sql: Queryable, leadId: string): Promise<SignedCopy | undefined> => {
  const [made] = await readStream(sql, contractStreams.of(leadId), { limit: 1 })
  if (!made) return undefined
  const { data, personal, position } = made
  return { sha256: data.sha256, pdf: personal && Buffer.from(personal.pdf, 'base64'), position }
}

type Keys = Pick<SecretKeys, 'contractCopies'>

const macBy = (key: string, leadId: string) =>
  createHmac('sha256', key).update(`signed copy:${leadId}`).digest('base64url')

/** The private link by which the person who signed a contract downloads its copy. */
export const copyLink = ({ contractCopies: [active] }: Keys, leadId: string): string =>
  `/api/contracts/${leadId}/copy?key=${macBy(active, leadId)}`

/** Whether a key is that of the private link to a contract's copy. */
export const isCopyKey = ({ contractCopies }: Keys, leadId: string, key: string): boolean => {
  const given = Buffer.from(key)
  return contractCopies.some((each) => {
    const expected = Buffer.from(macBy(each, leadId))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
