import { CONTRACT_MONTHS, monthlyInRand, onceInRand } from '../../events/settings/prices.ts'

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
    answer: `Essential is ${onceInRand('essential')} once-off, with no monthly fees: you arrange the domain and the hosting. Professional and Premium are ${onceInRand('professional')} to set up, then ${monthlyInRand('professional')} or ${monthlyInRand('premium')} a month, for at least ${CONTRACT_MONTHS} months.`,
  },
] as const
