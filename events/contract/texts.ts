import type { PackageId } from '../settings/prices.ts'
import { CONTRACT_MONTHS, firstYearFeesInRand, monthlyInRand, onceInRand } from '../settings/prices.ts'

/** The text next to a package's price on its contract page (specification, 2 and 9). */
export type ContractTexts = {
  summary: string
  included: readonly string[]
  /** The parts of the smaller package that it includes. */
  alsoIncluded?: { title: string; points: readonly string[] }
  notIncluded: readonly string[]
  timeline: readonly { days: string; what: string; text: string }[]
  terms: readonly string[]
  /** How it is paid. */
  payment: string
  /** The ownership of the domain. */
  domain: string
  /** The cost of leaving. */
  leaving: string
  /** The parts that the customer keeps after leaving, and those that end. */
  afterLeaving: string
}

const paymentFor = (id: 'professional' | 'premium') =>
  `You pay nothing on this page. We email you an invoice for the setup fee of ${onceInRand(id)}, which says how to pay. The monthly invoices of ${monthlyInRand(id)} start when your site goes live.`

const REGISTERED_FOR_YOU = 'We register it in your name. It stays yours if you cancel.'

const SUPPLIED = 'the texts, pictures and logo that you supplied'

const leavingBy = (id: 'professional' | 'premium') =>
  `You pay the monthly fee for the first ${CONTRACT_MONTHS} months, ${firstYearFeesInRand(id)} in all. Then you can leave with 30 days' notice, and pay until it ends.`

const AFTER_LEAVING = `Your domain, and ${SUPPLIED}. Hosting, email and support end with the monthly fee. Want to move the site to another host later? Ask us before you sign.`

const twoWeeks = [
  {
    days: 'Days 1–7',
    what: 'Discovery',
    text: 'We learn how your business works, and agree on the pages for your texts and pictures.',
  },
  {
    days: 'Days 8–14',
    what: 'Development and go-live',
    text: 'We build the site, you send us your feedback, and we put it on your domain.',
  },
]

/** The default texts of each package's contract; owners may replace some of them. */
export const CONTRACTS: Record<PackageId, ContractTexts> = {
  essential: {
    summary: 'A small, fast website that you pay for once. You arrange the domain and the hosting.',
    included: [
      '3 pages: Home, About and Contact',
      'Mobile responsive',
      'Contact form',
      'Social links',
      'Loads under 2 seconds',
      'Basic SEO',
      'SSL',
      '1 design revision',
    ],
    notIncluded: ['Domain', 'Hosting', 'Email setup', 'Maintenance', 'Content writing'],
    timeline: [
      { days: 'Days 1–2', what: 'Kickoff', text: 'We have a kickoff call and go through your content.' },
      { days: 'Days 3–5', what: 'Development', text: 'We build your three pages.' },
      { days: 'Days 6–7', what: 'Review and delivery', text: 'You send us your feedback, and we hand the site over.' },
    ],
    terms: [
      `The full ${onceInRand('essential')} is paid to start.`,
      'Delivery is within 7 business days after we receive your content.',
      '1 major revision is included.',
      'You supply the content: texts, pictures and logo.',
      'You arrange the hosting.',
      'Minor bug fixes are free for 30 days after delivery.',
    ],
    payment: `You pay nothing on this page. We email you an invoice for the full ${onceInRand('essential')}, which says how to pay. We start when it is paid.`,
    domain: 'You register the domain and arrange the hosting, so both are yours.',
    leaving: 'There is nothing to cancel: no monthly fee and no minimum term.',
    afterLeaving: `The site that we hand over, and ${SUPPLIED}.`,
  },
  professional: {
    summary: 'Your website, domain, hosting and email, looked after every month.',
    included: [
      'Up to 5 pages',
      'Gallery',
      'Domain (.co.za) included',
      'Premium hosting with 99.9% uptime',
      'Email setup',
      'Google My Business',
      'Advanced SEO',
      'SSL',
    ],
    notIncluded: [],
    timeline: twoWeeks,
    terms: [
      'Your website is live within 14 days after we receive your content: texts, pictures and logo.',
      '2 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "You can cancel with 30 days' notice after month 12.",
      `The setup fee is ${onceInRand('professional')}.`,
      `The monthly fee of ${monthlyInRand('professional')} starts when your site goes live.`,
    ],
    payment: paymentFor('professional'),
    domain: REGISTERED_FOR_YOU,
    leaving: leavingBy('professional'),
    afterLeaving: AFTER_LEAVING,
  },
  premium: {
    summary: 'A bigger website with a blog, monthly reports and same-day support.',
    included: [
      'Up to 10 pages',
      'Blog setup',
      '5 email addresses',
      'Analytics',
      'Priority same-day support',
      'Monthly reports',
      'SEO monitoring',
    ],
    alsoIncluded: {
      title: 'And everything in Professional',
      points: [
        'Domain (.co.za) included',
        'Premium hosting with 99.9% uptime',
        'Email setup',
        'Gallery',
        'Google My Business',
        'Advanced SEO',
        'SSL',
      ],
    },
    notIncluded: [],
    timeline: twoWeeks,
    terms: [
      'Your website is live within 14 days after we receive your content: texts, pictures and logo.',
      '3 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "You can cancel with 30 days' notice after month 12.",
      `The setup fee is ${onceInRand('premium')}.`,
      `The monthly fee of ${monthlyInRand('premium')} starts when your site goes live.`,
    ],
    payment: paymentFor('premium'),
    domain: REGISTERED_FOR_YOU,
    leaving: leavingBy('premium'),
    afterLeaving: AFTER_LEAVING,
  },
}
