/** The home page's copy (specification, 1: marketing claims). */
export const SERVICES = [
  {
    name: 'Website Design',
    text: 'A site drawn for your trade and written for your customers, in place of a R5,000 one for R1,499.',
  },
  {
    name: 'Mobile Optimization',
    text: 'Most of your visitors hold a phone. Your pages are made for that screen first.',
  },
  {
    name: 'SEO Optimization',
    text: 'Built so that Google can read it, with your local Google Business profile set up.',
  },
  { name: 'Domain Registration', text: 'Your own .co.za name, registered in your name and renewed on time.' },
  { name: 'Web Hosting', text: 'Pages that load in under 2 seconds, on hosting with 99.9% uptime.' },
] as const

export const STATISTICS = [
  { figure: '200+', label: 'websites delivered this year' },
  { figure: '5 stars', label: 'our rating on Google' },
  { figure: '2 hours', label: 'to a reply' },
  { figure: '2-14 days', label: 'to go live' },
  { figure: '99.9%', label: 'uptime' },
  { figure: '100%', label: 'satisfaction guarantee' },
] as const

/** Sample work; `drawing` names the picture that goes with it. */
export const PORTFOLIO = [
  {
    drawing: 'bakery',
    name: 'Harbour Bakery',
    category: 'Food and retail',
    text: 'Daily bread, cakes to order, and a map to the door.',
    href: 'https://example.com/harbour-bakery',
  },
  {
    drawing: 'plumber',
    name: 'Highveld Plumbing',
    category: 'Home services',
    text: 'One number to call, and a quote within the hour.',
    href: 'https://example.com/highveld-plumbing',
  },
  {
    drawing: 'guesthouse',
    name: 'Karoo Stoep Guesthouse',
    category: 'Travel',
    text: 'Six rooms, their prices, and a form to book them.',
    href: 'https://example.com/karoo-stoep',
  },
] as const

/** Why your website is losing you money: the questions, each with its answer. */
export const QUESTIONS = [
  {
    question: 'It loads slowly. Does that matter?',
    answer:
      'People leave a page that keeps them waiting, and most of them do not come back. Ours load in under 2 seconds, on a phone as well.',
  },
  {
    question: 'Why can nobody find us on Google?',
    answer:
      'Because nothing on the page says what you do and where. We write it so that search engines understand it, and set up your local Google Business profile.',
  },
  {
    question: 'We have visitors. Why does nobody call?',
    answer:
      'They have to see what you offer, what it costs and how to reach you without searching. Every page we build ends with one clear next step.',
  },
  {
    question: 'What does it really cost?',
    answer:
      'Essential is R999 once-off, with no monthly fees. Professional and Premium are R1,499 to set up, then R299 or R499 a month, for at least 12 months.',
  },
  {
    question: 'How long until we are live?',
    answer: '2-14 days, depending on the package, counted from the day you send us your texts and pictures.',
  },
] as const
