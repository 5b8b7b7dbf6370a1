import type { Package } from './packages.ts'

/** What a contract page says beside its package's price (specification, 2 and 9). */
export type Contract = {
  summary: string
  included: readonly string[]
  notIncluded: readonly string[]
  timeline: readonly { days: string; what: string; text: string }[]
  terms: readonly string[]
}

const twoWeeks = [
  {
    days: 'Days 1-7',
    what: 'Discovery',
    text: 'We learn how your business works, agree on the pages, and you send us your texts and pictures.',
  },
  {
    days: 'Days 8-14',
    what: 'Development and go-live',
    text: 'We build the site, you tell us what to change, and we put it on your domain.',
  },
]

/** The contract of each package. */
export const CONTRACTS: Record<Package['id'], Contract> = {
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
    notIncluded: ['Domain', 'Hosting', 'E-mail setup', 'Maintenance', 'Content writing'],
    timeline: [
      { days: 'Days 1-2', what: 'Kickoff', text: 'We speak about your business and you send us your content.' },
      { days: 'Days 3-5', what: 'Development', text: 'We build your three pages.' },
      { days: 'Days 6-7', what: 'Review and delivery', text: 'You tell us what to change, and we hand the site over.' },
    ],
    terms: [
      'The full R999 is paid to start.',
      'Delivery is within 7 business days from receipt of your content.',
      '1 major revision is included.',
      'You supply the content: texts, pictures and logo.',
      'You arrange the hosting.',
      'Minor bugs are fixed without charge for 30 days after delivery.',
    ],
  },
  professional: {
    summary: 'A website with its domain, hosting and e-mail, which we look after month by month.',
    included: [
      'Up to 5 pages',
      'Gallery',
      'Domain (.co.za) included',
      'Premium hosting with 99.9% uptime',
      'E-mail setup',
      'Google My Business',
      'Advanced SEO',
      'SSL',
    ],
    notIncluded: [],
    timeline: twoWeeks,
    terms: [
      'Your website is live within 14 days.',
      '2 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "To cancel, give 30 days' notice.",
      'The monthly fee of R299 starts when your site goes live.',
    ],
  },
  premium: {
    summary: 'The larger website, with a blog, reports and support on the same day.',
    included: [
      'Up to 10 pages',
      'Blog setup',
      '5 e-mail addresses',
      'Analytics',
      'Priority same-day support',
      'Monthly reports',
      'SEO monitoring',
    ],
    notIncluded: [],
    timeline: twoWeeks,
    terms: [
      'Your website is live within 14 days.',
      '3 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "To cancel, give 30 days' notice.",
      'The setup fee is R1,499, and the monthly fee R499.',
    ],
  },
}
