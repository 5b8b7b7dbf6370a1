import { inRand } from '../../events/base/amount.ts'
import type { Package } from '../../events/settings/packages.ts'
import { PRICE_ELSEWHERE } from '../../events/settings/prices.ts'

/** The home page's copy (specification, 1: marketing claims). `artefact` names the picture of a service. */
export const SERVICES = [
  {
    name: 'Website Design',
    artefact: 'pages',
    text: 'A site designed for your trade and written for your customers.',
  },
  {
    name: 'Mobile Optimization',
    artefact: 'phone',
    text: 'Most of your visitors are on their phones, so we design for phones first.',
  },
  {
    name: 'SEO Optimization',
    artefact: 'searchResult',
    text: 'Built for Google, with your local Google Business profile set up for you.',
  },
  {
    name: 'Domain Registration',
    artefact: 'addressBar',
    text: 'Your own .co.za domain, in your name and renewed for you.',
  },
  {
    name: 'Web Hosting',
    artefact: 'uptime',
    text: 'Pages that load in under 2 seconds, kept online for you.',
  },
] as const

/** Our sample sites, which the website serves itself (web/samples). `picture` is the name of its screenshot. */
export const PORTFOLIO = [
  {
    picture: 'bakery',
    name: 'Harbour Bakery',
    category: 'Food and retail',
    text: 'Daily bread and prices, cakes to order, and a map to the door.',
    href: '/work/bakery',
  },
  {
    picture: 'plumber',
    name: 'Highveld Plumbing',
    category: 'Home services',
    text: 'One number to call, every price in a table, and where they drive.',
    href: '/work/plumber',
  },
  {
    picture: 'guesthouse',
    name: 'Karoo Stoep Guesthouse',
    category: 'Travel',
    text: 'Six rooms, clear prices, and the sky that people come for.',
    href: '/work/guesthouse',
  },
] as const

/** "Why your website is losing you money": questions and answers. */
export const QUESTIONS = [
  {
    question: 'Why can nobody find us on Google?',
    answer:
      'Because nothing on the page says what you do and where. We write it so that search engines understand it, and set up your local Google Business profile.',
  },
  {
    question: 'We get visitors, so why does nobody call?',
    answer:
      'Visitors need to see what you offer, what it costs and how to reach you without searching. Every page we build ends with one clear next step.',
  },
  {
    question: 'What does it really cost?',
    answer: '{prices}',
  },
] as const

const costOf = ({ name, once, monthly, months }: Package) =>
  monthly === null
    ? `${name} is ${inRand(once)} once-off, with no monthly fees.`
    : `${name} is ${inRand(once)} to set up, then ${inRand(monthly)} a month for at least ${months} months.`

/** A text of the home page with the prices of the packages in it. */
export const withPrices = (text: string, packages: readonly Package[]) =>
  text.replace('{prices}', () => packages.map(costOf).join(' '))

const listed = new Intl.ListFormat('en')

const alike = ({ months, noticeDays }: Package) =>
  `for at least ${months} months, then month to month, with ${noticeDays} days' notice`

/** The minimum term and the notice of the packages with a monthly fee. */
export const termInWords = (packages: readonly Package[]) =>
  [
    ...Map.groupBy(
      packages.filter(({ monthly }) => monthly !== null),
      alike,
    ),
  ]
    .map(
      ([term, those]) =>
        `${listed.format(those.map(({ name }) => name))} ${those.length > 1 ? 'run' : 'runs'} ${term}.`,
    )
    .join(' ')

/** The promise below the headline. */
export const promiseOf = (packages: readonly Package[]) => {
  const [first, looked] = [packages[0], packages.find(({ id }) => id === 'professional')]
  if (!first || !looked) return ''
  const monthly = looked.monthly === null ? '' : `, then ${inRand(looked.monthly)} a month`
  return `We design, build and host websites for small businesses across South Africa. Live in 2–14 days, from ${inRand(first.once)}. With domain, hosting and email: ${inRand(looked.once)} to set up instead of the usual ${inRand(PRICE_ELSEWHERE)}${monthly}.`
}
