import { inRand } from '../../events/base/amount.ts'
import { CONTRACT_MONTHS, monthlyInRand, onceInRand, PRICE_ELSEWHERE } from '../../events/settings/prices.ts'
import { loadingIn } from './claims.ts'

/** The home page's copy (specification, 1: marketing claims). `artefact` names the picture of a service. */
export const SERVICES = [
  {
    name: 'Website Design',
    artefact: 'pages',
    text: `A site designed for your trade and written for your customers: ${onceInRand('professional')} to set up instead of ${inRand(PRICE_ELSEWHERE)}.`,
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
    text: loadingIn('Pages that load in under 2 seconds'),
  },
] as const

/**
 * Our sample sites, which the website serves itself (web/samples). `picture` is the name of its screenshot; `loads` is
 * the time in seconds until its largest part shows on a phone on slow 4G, as `npm run bench -- pages` measures it. Each
 * is a single page, built within `days`.
 */
export const PORTFOLIO = [
  {
    picture: 'bakery',
    name: 'Harbour Bakery',
    category: 'Food and retail',
    text: 'Daily bread and prices, cakes to order, and a map to the door.',
    href: '/work/bakery',
    loads: 0.8,
    days: '1 day',
  },
  {
    picture: 'plumber',
    name: 'Highveld Plumbing',
    category: 'Home services',
    text: 'One number to call, every price in a table, and where they drive.',
    href: '/work/plumber',
    loads: 0.8,
    days: '1 day',
  },
  {
    picture: 'guesthouse',
    name: 'Karoo Stoep Guesthouse',
    category: 'Travel',
    text: 'Six rooms, clear prices, and the sky that people come for.',
    href: '/work/guesthouse',
    loads: 0.8,
    days: '1 day',
  },
] as const

/** "Why your website is losing you money": questions and answers. */
export const QUESTIONS = [
  {
    question: 'My site is slow. Does it matter?',
    answer:
      'People leave a page that keeps them waiting, and most of them do not come back. Ours load in under 2 seconds, on a phone as well.',
  },
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
    answer: `Essential is ${onceInRand('essential')} once-off, with no monthly fees: you arrange the domain and the hosting. Professional and Premium are ${onceInRand('professional')} to set up, then ${monthlyInRand('professional')} or ${monthlyInRand('premium')} a month, for at least ${CONTRACT_MONTHS} months.`,
  },
  {
    question: 'How long until we are live?',
    answer: '2–14 days, depending on the package, after we receive your content: texts, pictures and logo.',
  },
] as const
