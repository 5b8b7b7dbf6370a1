import * as v from 'valibot'
import { agreedTerms, evidence } from './evidence.ts'

/**
 * The response of `GET /api/leads/:id/contract`: the terms, the evidence of the signature (null once its person was
 * erased), when the contract was received, and the hash of its signed copy, null until a worker has made it.
 */
export const contractEvidence = v.object({
  terms: agreedTerms,
  evidence: v.nullable(evidence),
  receivedAt: v.string(),
  copySha256: v.nullable(v.string()),
})

export type ContractEvidence = v.InferOutput<typeof contractEvidence>
