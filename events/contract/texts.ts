import { inRand } from '../base/amount.ts'
import { DEFAULT_PACKAGES, type OwnPackages, type Package, packageOf } from '../settings/packages.ts'
import type { PackageId } from '../settings/prices.ts'

const SUPPLIED = 'the texts, pictures and logo that you supplied'

/** The sentences about paying, the domain and leaving that come with the website (specification, 2 and 9). */
export const promisesOf = ({ id, once, monthly, months, noticeDays }: Package) => ({
  payment:
    monthly === null
      ? `You pay nothing on this page. We email you an invoice for the full ${inRand(once)}, which says how to pay. We start when it is paid.`
      : `You pay nothing on this page. We email you an invoice for the setup fee of ${inRand(once)}, which says how to pay. The monthly invoices of ${inRand(monthly)} start when your site goes live.`,
  domain:
    id === 'essential'
      ? 'You register the domain and arrange the hosting, so both are yours.'
      : 'We register it in your name. It stays yours if you cancel.',
  leaving:
    monthly === null
      ? 'There is nothing to cancel: no monthly fee and no minimum term.'
      : `You pay the monthly fee for the first ${months} months, ${inRand(months * monthly)} in all. Then you can leave with ${noticeDays} days' notice, and pay until it ends.`,
  afterLeaving:
    id === 'essential'
      ? `The site that we hand over, and ${SUPPLIED}.`
      : `Your domain, and ${SUPPLIED}. Hosting, email and support end with the monthly fee. Want to move the site to another host later? Ask us before you sign.`,
})

/** The parts of the smaller package that one includes. */
export type AlsoIncluded = { title: string; points: readonly string[] }

/** The points of Professional that Premium includes as well. */
export const alsoIncluded = (own: OwnPackages): AlsoIncluded => {
  const { name, included } = packageOf('professional', own)
  const isDefault = included.join('\n') === DEFAULT_PACKAGES.professional.included.join('\n')
  return {
    title: `And everything in ${name}`,
    points: isDefault
      ? [
          'Domain (.co.za) included',
          'Premium hosting with 99.9% uptime',
          'Email setup',
          'Gallery',
          'Google My Business',
          'Advanced SEO',
          'SSL',
        ]
      : included,
  }
}

type Step = { days: string; what: string; text: string }

const twoWeeks: readonly Step[] = [
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

/** The timeline of each package. */
export const TIMELINES: Record<PackageId, readonly Step[]> = {
  essential: [
    { days: 'Days 1–2', what: 'Kickoff', text: 'We have a kickoff call and go through your content.' },
    { days: 'Days 3–5', what: 'Development', text: 'We build your three pages.' },
    { days: 'Days 6–7', what: 'Review and delivery', text: 'You send us your feedback, and we hand the site over.' },
  ],
  professional: twoWeeks,
  premium: twoWeeks,
}
