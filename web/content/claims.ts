import { CLAIMS_OF_FACTS, type Claim, type ClaimId } from '../../events/settings/claims.ts'
import { claimsOf } from '../../events/settings/showcase.ts'
import { useSite } from './site-context.ts'

type Claims = Partial<Record<ClaimId, Claim>>

/** A text, or one that depends on claims; null if it has no meaning without them. */
export type ClaimingText = string | ((claims: Claims) => string | null)

const inWords = ({ figure, label }: Claim) => `${figure} ${label}`

/** A claim within a sentence, or nothing. */
export const claiming =
  (id: ClaimId, sentence: (claim: string) => string): ClaimingText =>
  (claims) => {
    const claim = claims[id]
    return claim ? sentence(inWords(claim)) : null
  }

const ON_GOOGLE = /^https:\/\/([\w-]+\.)*(google\.[a-z.]+|goo\.gl|g\.(page|co))\//

/** Links by which a visitor can check a claim: the one that owners have set, or the place that shows it. */
export const useProofs = (): Partial<Record<ClaimId, string>> => {
  const { showcase, company } = useSite()
  const onGoogle = showcase.socialLinks.find(({ href }) => ON_GOOGLE.test(href))?.href
  const rating = onGoogle ?? (showcase.reviews.length > 0 ? '#reviews' : undefined)
  const set = claimsOf(showcase).flatMap(({ id, proof }) => (proof ? [[id, proof] as const] : []))
  return {
    ...(rating && { rating }),
    ...(showcase.works.length > 0 && { delivered: '#portfolio' }),
    ...(company.guarantee && { guarantee: '#guarantee' }),
    ...Object.fromEntries(set),
  }
}

/**
 * The claims that the website makes. The example company makes all of them; one with a registered name makes only
 * promises, and claims about facts with their proof.
 */
export const useClaims = (): Claim[] => {
  const { showcase, company } = useSite()
  const proofs = useProofs()
  return claimsOf(showcase).filter(
    ({ id }) => company.registeredName === null || !CLAIMS_OF_FACTS.includes(id) || proofs[id],
  )
}

/** Reads a text as owners' claims have it. */
export const useClaimingTexts = () => {
  const claims: Claims = Object.fromEntries(useClaims().map((claim) => [claim.id, claim]))
  return (text: ClaimingText) => (typeof text === 'string' ? text : text(claims))
}
