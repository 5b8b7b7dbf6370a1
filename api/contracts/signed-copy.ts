import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import * as v from 'valibot'
import { copyName } from '../../events/contract/signed-copy.ts'
import { isCopyKey, readCopy, type SignedCopy } from '../../events/contract/store/signed-copies.ts'
import { signedContract } from '../../events/contract/wire.ts'
import { RequestError } from '../http/errors.ts'
import { limitAddresses, route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'
import { contractInFull, readContract } from './contract.ts'

/** How long a download waits for a worker to make the copy, and how often it looks. */
const COPY_DEADLINE_MS = 5_000
const LOOK_EVERY_MS = 200
const RETRY_AFTER_S = 10

const PDF = { mediaType: 'application/pdf' }

const waitForCopy = async (node: ApiNode, leadId: string): Promise<SignedCopy> => {
  const deadline = Date.now() + COPY_DEADLINE_MS
  for (;;) {
    const copy = await readCopy(node.sql, leadId)
    if (copy) return copy
    if (Date.now() > deadline) {
      const detail = 'The signed copy is not ready yet. Try again in a moment.'
      throw new RequestError('unavailable', detail, { retryAfterS: RETRY_AFTER_S })
    }
    await delay(LOOK_EVERY_MS)
  }
}

const sendCopy = async (node: ApiNode, c: Context, leadId: string) => {
  const { personal } = await readContract(node, leadId)
  const pdf = personal && (await waitForCopy(node, leadId)).pdf
  if (!pdf) throw new RequestError('not_found', 'This contract is no longer there: its person was erased')
  return c.body(pdf, 200, {
    'Content-Type': PDF.mediaType,
    'Content-Disposition': `attachment; filename="${copyName(leadId)}"`,
    'Cache-Control': 'private, no-store',
  })
}

/** The client downloads the signed copy by a private link; staff read the evidence of a contract, and download it too. */
export const contractRoutes = [
  route('GET', '/api/contracts/:id/copy', {
    access: 'anyone',
    summary: 'The signed copy of a contract, by the private link that its client got',
    query: v.object({ key: v.pipe(v.string(), v.maxLength(100)) }),
    limit: limitAddresses('contract_copies'),
    answer: PDF,
    handler: async ({ node, c, params: { id }, query: { key } }) => {
      if (!isCopyKey(node.config.signingKeys, id, key)) {
        throw new RequestError('not_found', 'This link leads to no contract')
      }
      return await sendCopy(node, c, id)
    },
  }),
  route('GET', '/api/leads/:id/contract', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The terms, the evidence and the life of a signed contract',
    answer: signedContract,
    handler: async ({ node, c, params: { id } }) => {
      const contract = await contractInFull(node, id)
      c.header('ETag', `"${contract.version}"`)
      return contract
    },
  }),
  route('GET', '/api/leads/:id/contract/copy', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The signed copy of a contract, as a PDF',
    answer: PDF,
    handler: async ({ node, c, params: { id } }) => {
      return await sendCopy(node, c, id)
    },
  }),
]
