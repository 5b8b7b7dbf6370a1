import { monthlyInRand, onceInRand } from '../settings/prices.ts'

/**
 * The three packages (specification, 9; prices in events/settings/prices.ts), with default texts that owners can replace. The
 * offer is added in web/content/site.ts.
 */
export const PACKAGES = [
  {
    id: 'essential',
    name: 'Essential',
    forWhom: 'For new businesses that need to be online fast.',
    terms: 'once-off, no monthly fees',
    includes: null,
    features: [
      '3 pages: Home, About, Contact',
      'Looks great on every phone',
      'Contact form and social links',
      'Loads under 2 seconds',
      'Basic SEO and SSL',
      '1 design revision',
    ],
    delivery: '7 business days after we receive your content',
  },
  {
    id: 'professional',
    name: 'Professional',
    forWhom: 'For a business that wants its website looked after.',
    terms: null,
    includes: null,
    features: [
      'Up to 5 pages, with a gallery',
      'Domain (.co.za) included',
      'Premium hosting, 99.9% uptime',
      'Email setup',
      'Google My Business and advanced SEO',
      '2 major revisions',
    ],
    delivery: 'Live within 14 days after we receive your content',
  },
  {
    id: 'premium',
    name: 'Premium',
    forWhom: 'For growing businesses that want more reach.',
    terms: null,
    includes: 'Everything in Professional, plus',
    features: [
      'Up to 10 pages, blog set up',
      '5 email addresses',
      'Analytics and monthly reports',
      'SEO monitoring',
      'Priority same-day support',
      '3 major revisions',
    ],
    delivery: 'Live within 14 days after we receive your content',
  },
] as const

/** One of the packages. */
export type Package = (typeof PACKAGES)[number]

/** A package and its price in one line, as a contract form sends it in `package` (specification, 3). */
export const packageLine = ({ id, name }: Pick<Package, 'id' | 'name'>) => {
  const monthly = monthlyInRand(id)
  return `${name} - ${onceInRand(id)}${monthly && ` + ${monthly}/month`}`
}

/** The wording of the checkbox by which a visitor agrees to the terms of a package. A price stays on one line. */
export const agreementTo = (line: string) =>
  `I have read the terms on this page and agree to them: ${line.replace(' + ', '\u00a0+\u00a0')}.`
