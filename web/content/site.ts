import { createContext, useContext } from 'react'
import { inRand } from '../../events/base/amount.ts'
import { vatInWords } from '../../events/settings/company.ts'
import type { PackageId } from '../../events/settings/prices.ts'
import { PLAIN_CONTENT, type SiteContent } from '../../events/settings/site-content.ts'
import { CONTRACTS, type Contract } from './contracts.ts'
import { PACKAGES } from './packages.ts'

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
export type AfterSigning = readonly { what: string; text: string }[]

/** The line about the customer's copy, which a node fills in if one is sent. */
const COPY = { what: 'Your copy', text: '{{CONTRACT_COPY}}' }

/** Owners with terms of their own get none of our promises. */
const afterSigningOf = ({ packageTexts, company }: SiteContent, packageId: PackageId): AfterSigning => {
  const isOwn = packageTexts[packageId] !== undefined
  const { payment, domain, leaving, afterLeaving } = CONTRACTS[packageId]
  return [
    ...(isOwn ? [] : [{ what: 'Payment', text: payment }]),
    ...(isOwn && !company.vat ? [] : [{ what: 'VAT', text: vatInWords(company) }]),
    ...(isOwn
      ? []
      : [
          { what: 'Your domain', text: domain },
          { what: 'If you leave', text: leaving },
          { what: 'What you keep', text: afterLeaving },
        ]),
    COPY,
  ]
}

/** One package as shown, its contract, and the steps after signing. */
export const usePackage = (
  packageId: PackageId,
): { offer: ShownPackage; contract: Contract; afterSigning: AfterSigning } => {
  const site = useSite()
  const basis = PACKAGES.find(({ id }) => id === packageId) ?? PACKAGES[0]
  const own = site.packageTexts[packageId]
  const { summary, included, notIncluded, terms } = own ?? CONTRACTS[packageId]
  return {
    offer: shownIn(site, basis),
    contract: { ...CONTRACTS[packageId], summary, included, notIncluded, terms },
    afterSigning: afterSigningOf(site, packageId),
  }
}
