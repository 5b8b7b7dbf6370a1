import { createContext, useContext } from 'react'
import { inRand } from '../../events/base/amount.ts'
import { type Terms, termsOf } from '../../events/contract/terms.ts'
import { percentOff } from '../../events/settings/offer.ts'
import { type Package, packageOf, packagesOf } from '../../events/settings/packages.ts'
import type { PackageId } from '../../events/settings/prices.ts'
import { PLAIN_CONTENT, type SiteContent } from '../../events/settings/rendered-content.ts'

/** The owners' settings that pages are rendered with. Only plain HTML may use it: an island hydrates without it. */
export const SiteContext = createContext<SiteContent>(PLAIN_CONTENT)

export const useSite = () => useContext(SiteContext)

/** A package as its card and its contract page show it; `before` and `badge` are those of the offer that runs. */
export type ShownPackage = Pick<
  Package,
  'id' | 'name' | 'once' | 'monthly' | 'months' | 'forWhom' | 'features' | 'delivery'
> & {
  /** The package that the features build on. */
  includes: string | null
  before: string | null
  badge: string | null
}

export const soldIn = ({ packages }: SiteContent) => packagesOf(packages)

const shownIn = (site: SiteContent, sold: Package): ShownPackage => {
  const { offer, packages } = site
  const offered = offer?.packages.find(({ id }) => id === sold.id)
  const percent = offer && offered && (offer.percentage ?? percentOff(offered.usualPrice, sold.once))
  return {
    ...sold,
    includes: sold.id === 'premium' ? `Everything in ${packageOf('professional', packages).name}, plus` : null,
    before: offered && percent ? inRand(offered.usualPrice) : null,
    badge: percent ? `${percent}% off` : null,
  }
}

export const usePackages = (): ShownPackage[] => {
  const site = useSite()
  return soldIn(site).map((sold) => shownIn(site, sold))
}

export type AfterSigning = Terms['afterSigning']

/** The line about the customer's copy, which a node fills in if one is sent. */
const COPY = { what: 'Your copy', text: '{{CONTRACT_COPY}}' }

/** One package as shown, its terms, the token for their version, and the steps after signing. */
export const usePackage = (
  packageId: PackageId,
): { offer: ShownPackage; contract: Terms; termsVersion: string; afterSigning: AfterSigning } => {
  const site = useSite()
  const contract = termsOf(packageId, site)
  return {
    offer: shownIn(site, packageOf(packageId, site.packages)),
    contract,
    termsVersion: `{{TERMS_${packageId.toUpperCase()}}}`,
    afterSigning: [...contract.afterSigning, COPY],
  }
}
