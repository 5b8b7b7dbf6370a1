import { createContext, useContext } from 'react'
import { inRand } from '../../events/base/amount.ts'
import { PACKAGES } from '../../events/contract/packages.ts'
import { type Terms, termsOf } from '../../events/contract/terms.ts'
import { PLAIN_CONTENT, type SiteContent } from '../../events/settings/page-content.ts'
import type { PackageId } from '../../events/settings/prices.ts'

/** The owners' settings of the public pages. Only plain HTML may use it: an island hydrates without it. */
export const SiteContext = createContext<SiteContent>(PLAIN_CONTENT)

export const useSite = () => useContext(SiteContext)

/** A package as its card and its contract page show it; `before` and `badge` are those of the offer that runs. */
export type ShownPackage = {
  id: PackageId
  name: string
  forWhom: string
  /** The text next to a price that is paid once. */
  terms: string | null
  /** The package that the features build on. */
  includes: string | null
  features: readonly string[]
  delivery: string
  before: string | null
  badge: string | null
}

const shownIn = ({ offer, packageTexts }: SiteContent, basis: (typeof PACKAGES)[number]): ShownPackage => {
  const { forWhom, features, delivery } = packageTexts[basis.id] ?? basis
  const offered = offer?.packages.find(({ id }) => id === basis.id)
  return {
    ...basis,
    forWhom,
    features,
    delivery,
    before: offered ? inRand(offered.usualPrice) : null,
    badge: offer && offered ? `${offer.percentage}% off` : null,
  }
}

/** All packages, as shown. */
export const usePackages = (): ShownPackage[] => {
  const site = useSite()
  return PACKAGES.map((basis) => shownIn(site, basis))
}

/** The steps after a contract is signed. */
export type AfterSigning = Terms['afterSigning']

/** The line about the customer's copy, which a node fills in if one is sent. */
const COPY = { what: 'Your copy', text: '{{CONTRACT_COPY}}' }

/** One package as shown, its terms, the token for their version, and the steps after signing. */
export const usePackage = (
  packageId: PackageId,
): { offer: ShownPackage; contract: Terms; termsVersion: string; afterSigning: AfterSigning } => {
  const site = useSite()
  const basis = PACKAGES.find(({ id }) => id === packageId) ?? PACKAGES[0]
  const contract = termsOf(packageId, site)
  return {
    offer: shownIn(site, basis),
    contract,
    termsVersion: `{{TERMS_${packageId.toUpperCase()}}}`,
    afterSigning: [...contract.afterSigning, COPY],
  }
}
