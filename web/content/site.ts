import { createContext, useContext } from 'react'
import { inRand } from '../../events/amount.ts'
import { vatInWords } from '../../events/company.ts'
import type { PackageId } from '../../events/offer.ts'
import { PLAIN_CONTENT, type SiteContent } from '../../events/site-content.ts'
import { CONTRACTS, type Contract } from './contracts.ts'
import { PACKAGES } from './packages.ts'

/**
 * What owners have set of the public pages. Only what stays plain HTML may ask for it: an island comes alive without it.
 */
export const SiteContext = createContext<SiteContent>(PLAIN_CONTENT)

export const useSite = () => useContext(SiteContext)

/** A package as its card and its contract page show it; `before` and `badge` are those of the offer that runs. */
export type ShownPackage = {
  id: PackageId
  name: string
  forWhom: string
  /** What is said beside a price that is paid once. */
  terms: string | null
  /** What the features come on top of. */
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

/** All packages, as they are shown. */
export const usePackages = (): ShownPackage[] => {
  const site = useSite()
  return PACKAGES.map((basis) => shownIn(site, basis))
}

/** What is said of the time after a contract is signed. */
export type AfterSigning = readonly { what: string; text: string }[]

/** The customer's copy: a node knows whether one goes out. */
const COPY = { what: 'Your copy', text: '{{CONTRACT_COPY}}' }

/** What follows from our own terms need not follow from an owner's. */
const afterSigningOf = ({ packageTexts, company }: SiteContent, packageId: PackageId): AfterSigning => {
  const isOwn = packageTexts[packageId] !== undefined
  const { payment, domain, leaving, kept } = CONTRACTS[packageId]
  return [
    ...(isOwn ? [] : [{ what: 'Payment', text: payment }]),
    ...(isOwn && !company.vat ? [] : [{ what: 'VAT', text: vatInWords(company) }]),
    ...(isOwn
      ? []
      : [
          { what: 'Your domain', text: domain },
          { what: 'If you leave', text: leaving },
          { what: 'What you keep', text: kept },
        ]),
    COPY,
  ]
}

/** One package, as it is shown, its contract, and what is said of the time after it is signed. */
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
