import type { Claim, ClaimId } from '../../events/settings/claims.ts'
import { claimsOf } from '../../events/settings/showcase.ts'
import { useSite } from './site.ts'

/** The owners' claims by id, without those that they left out. */
type Claims = Partial<Record<ClaimId, Claim>>

/** A text, or one that depends on claims; null if it has no meaning without them. */
export type ClaimingText = string | ((claims: Claims) => string | null)

const inWords = ({ figure, label }: Claim) => `${figure} ${label}`

/** How fast pages load, and the hosting's uptime if owners claim it. */
export const loadingIn =
  (words: string): ClaimingText =>
  ({ uptime }) =>
    uptime ? `${words}, on hosting with ${inWords(uptime)}.` : `${words}.`

/** A claim within a sentence, or nothing. */
export const claiming =
  (id: ClaimId, sentence: (claim: string) => string): ClaimingText =>
  (claims) => {
    const claim = claims[id]
    return claim ? sentence(inWords(claim)) : null
  }

const ON_GOOGLE = /^https:\/\/([\w-]+\.)*(google\.[a-z.]+|goo\.gl|g\.(page|co))\//

/** Links by which a visitor can check a claim, if owners have set one. */
export const useProofs = (): Partial<Record<ClaimId, string>> => {
  const { showcase, company } = useSite()
  const onGoogle = showcase.socialLinks.find(({ href }) => ON_GOOGLE.test(href))?.href
  const rating = onGoogle ?? (showcase.reviews.length > 0 ? '#reviews' : undefined)
  return {
    ...(rating && { rating }),
    ...(showcase.works.length > 0 && { delivered: '#portfolio' }),
    ...(company.guarantee && { guarantee: '#guarantee' }),
  }
}

/** Reads a text as owners' claims have it. */
export const useClaimingTexts = () => {
  const site = useSite()
  const claims: Claims = Object.fromEntries(claimsOf(site.showcase).map((claim) => [claim.id, claim]))
  return (text: ClaimingText) => (typeof text === 'string' ? text : text(claims))
}
