import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from 'hono'
import * as v from 'valibot'
import { copyName } from '../../events/contract/signed-copy.ts'
import { isCopyKey, readCopy, type SignedCopy } from '../../events/contract/store/signed-copies.ts'
import { contractEvidence } from '../../events/contract/wire.ts'
import { leadStreams } from '../../events/lead/lead.ts'
import { readStream } from '../../events/log/read.ts'
import { RequestError } from '../http/errors.ts'
import { limitAddresses, route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'

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

/** The event of a signed contract. Throws if a lead is none, or was signed without evidence. */
const readContract = async (node: ApiNode, leadId: string) => {
  const [first] = await readStream(node.sql, leadStreams.of(leadId), { limit: 1 })
  if (first?.type === 'LeadSubmitted' && first.data.terms) return { ...first, terms: first.data.terms }
  throw new RequestError('not_found', 'This lead has no signed contract')
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
      if (!isCopyKey(node.config.secretKeys, id, key)) {
        throw new RequestError('not_found', 'This link leads to no contract')
      }
      return await sendCopy(node, c, id)
    },
  }),
  route('GET', '/api/leads/:id/contract', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The terms and the evidence of a signed contract',
    answer: contractEvidence,
    handler: async ({ node, params: { id } }) => {
      const [{ terms, personal, recordedAt }, copy] = await Promise.all([
        readContract(node, id),
        readCopy(node.sql, id),
      ])
      return {
        terms,
        evidence: personal?.evidence ?? null,
        receivedAt: recordedAt.toISOString(),
        copySha256: copy?.sha256 ?? null,
      }
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
