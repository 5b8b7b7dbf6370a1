import { inRand } from '../../events/base/amount.ts'
import type { Package } from '../../events/settings/packages.ts'
import type { Price } from '../../events/settings/prices.ts'
import type { SiteContent } from '../../events/settings/rendered-content.ts'
import { agency } from '../content/agency.ts'
import { soldIn } from '../content/site-context.ts'
import type { PageHead } from '../routes.tsx'

/** The picture for link previews, and its size in pixels. */
export const SHARED_PICTURE = { path: '/og.png', width: 1200, height: 630 }

const priced = (price: number) => ({ price, priceCurrency: 'ZAR' })
const atSite = (path: string) => agency().publicUrl + path
const agencyId = () => ({ '@id': atSite('/#agency') })

/** The price of a package: one payment, or a setup fee and a monthly fee. */
const pricesOf = ({ once, monthly }: Price) =>
  monthly !== null
    ? [
        { '@type': 'UnitPriceSpecification', name: 'Setup', ...priced(once) },
        { '@type': 'UnitPriceSpecification', name: 'Monthly fee', ...priced(monthly), unitCode: 'MON' },
      ]
    : [{ '@type': 'UnitPriceSpecification', name: 'Once-off', ...priced(once) }]

const offerAt = (offered: Package) => ({
  '@type': 'Offer',
  name: `${offered.name} website package`,
  url: atSite(`/contract/${offered.id}`),
  ...priced(offered.once),
})

const offerOf = (offered: Package) => ({
  ...offerAt(offered),
  '@id': atSite(`/contract/${offered.id}#offer`),
  priceSpecification: pricesOf(offered),
  itemOffered: { '@type': 'Service', serviceType: 'Web design', description: offered.forWhom },
})

/** The agency itself. Its hours are those of support (specification, 9). */
const business = (packages: readonly Package[], offers: object[], pagesElsewhere: string[]) => ({
  '@type': 'ProfessionalService',
  ...agencyId(),
  name: agency().name,
  url: atSite('/'),
  telephone: agency().phone,
  email: agency().email,
  logo: atSite('/icon-512.png'),
  image: atSite(SHARED_PICTURE.path),
  priceRange: [...new Set(packages.map(({ once }) => once).sort((a, b) => a - b))]
    .filter((_, index, { length }) => index === 0 || index === length - 1)
    .map(inRand)
    .join(' - '),
  address: { '@type': 'PostalAddress', addressCountry: 'ZA' },
  areaServed: { '@type': 'Country', name: 'South Africa' },
  openingHours: '{{OPENING_HOURS}}',
  makesOffer: offers,
  ...(pagesElsewhere.length > 0 && { sameAs: pagesElsewhere }),
})

const trail = (path: string, title: string) => ({
  '@type': 'BreadcrumbList',
  itemListElement: [
    { '@type': 'ListItem', position: 1, name: 'Home', item: atSite('/') },
    { '@type': 'ListItem', position: 2, name: title, item: atSite(path) },
  ],
})

/**
 * Describes a page to search engines as JSON-LD with schema.org terms. The home page names its offers and leaves the
 * details to the contract pages. Its questions are left out: search engines show such answers only for health and
 * government sites, and each word counts twice in the first packets.
 */
export const structuredData = (path: string, { title, description }: PageHead, content: SiteContent) => {
  const packages = soldIn(content)
  const isHome = path === '/'
  const offers = isHome ? packages.map(offerAt) : packages.filter(({ id }) => path === `/contract/${id}`).map(offerOf)
  const page = {
    '@type': 'WebPage',
    '@id': atSite(path),
    url: atSite(path),
    name: title,
    description,
    inLanguage: 'en-ZA',
  }
  return {
    '@context': 'https://schema.org',
    '@graph': [
      business(
        packages,
        offers,
        content.showcase.socialLinks.map(({ href }) => href),
      ),
      ...(isHome ? [] : [{ ...page, about: agencyId() }, trail(path, title)]),
    ],
  }
}
