/** The home page's copy (specification, 1: marketing claims); `artefact` names what shows a service. */
export const SERVICES = [
  {
    name: 'Website Design',
    artefact: 'pages',
    text: 'A site designed for your trade and written for your customers: R1,499 instead of R5,000.',
  },
  {
    name: 'SEO Optimization',
    artefact: 'searchResult',
    text: 'Built for Google, with your local Business Profile set up for you.',
  },
  {
    name: 'Mobile Optimization',
    artefact: 'phone',
    text: 'Most of your visitors are on their phones, so we design for phones first.',
  },
  {
    name: 'Domain Registration',
    artefact: 'addressBar',
    text: 'Your own .co.za domain, in your name and renewed for you.',
  },
  {
    name: 'Web Hosting',
    artefact: 'uptime',
    text: 'Pages that load in under 2 seconds, on hosting with 99.9% uptime.',
  },
] as const

export const STATISTICS = [
  { figure: '200+', label: 'websites delivered this year' },
  { figure: '5 stars', label: 'our rating on Google' },
  { figure: '2 hours', label: 'reply promise' },
  { figure: '2–14 days', label: 'to go live' },
  { figure: '99.9%', label: 'uptime' },
  { figure: '100%', label: 'satisfaction guarantee' },
] as const

/** Sample work; `drawing` names the picture that goes with it, in these colours. */
export const PORTFOLIO = [
  {
    drawing: 'bakery',
    colours: ['#5a3216', '#d19a5b', '#f6e3cd'],
    name: 'Harbour Bakery',
    category: 'Food and retail',
    text: 'Daily bread, cakes to order, and a map to the door.',
    href: 'https://example.com/harbour-bakery',
  },
  {
    drawing: 'plumber',
    colours: ['#123b45', '#c94a22', '#dbe8ea'],
    name: 'Highveld Plumbing',
    category: 'Home services',
    text: 'One number to call, and a quote within the hour.',
    href: 'https://example.com/highveld-plumbing',
  },
  {
    drawing: 'guesthouse',
    colours: ['#7a3d2b', '#c9972f', '#e9e3d1'],
    name: 'Karoo Stoep Guesthouse',
    category: 'Travel',
    text: 'Six rooms, clear prices and easy online booking.',
    href: 'https://example.com/karoo-stoep',
  },
] as const

/** Why your website is losing you money: the questions, each with its answer. */
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
    answer:
      'Essential is R999 once-off, with no monthly fees. Professional and Premium are R1,499 to set up, then R299 or R499 a month, for at least 12 months.',
  },
  {
    question: 'How long until we are live?',
    answer: '2–14 days, depending on the package, counted from the day you send us your texts and pictures.',
  },
] as const
