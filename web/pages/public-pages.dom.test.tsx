import { within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { alsoIncluded } from '../../events/contract/texts.ts'
import { DEFAULT_PACKAGES } from '../../events/settings/packages.ts'
import { agency } from '../content/agency.ts'
import { MEANINGS } from '../content/meanings.ts'
import { pathsOf, publicRoutes } from '../routes.tsx'
import { showPage } from '../testing/page.tsx'
import { revealOnScroll } from '../ui/reveal.ts'

const CONTRACTS = [
  {
    id: 'essential' as const,
    name: 'Essential',
    line: 'Essential - R999',
    facts: [
      'R999',
      'once-off, no monthly fees',
      '3 pages: Home, About and Contact',
      'Mobile responsive',
      'Social links',
      'Loads under 2 seconds',
      'Basic SEO',
      'SSL',
      '1 design revision',
      'Domain',
      'Hosting',
      'Email setup',
      'Maintenance',
      'Content writing',
      'Days 1–2',
      'Days 3–5',
      'Days 6–7',
      'The full R999 is paid to start.',
      'Delivery is within 7 business days after we receive your content.',
      '1 major revision is included.',
      'You arrange the hosting.',
      'Minor bug fixes are free for 30 days after delivery.',
      'R999 in total over the first 12 months, without domain and hosting',
      'You pay nothing on this page. We email you an invoice for the full R999, which says how to pay. We start when it is paid.',
      'Our prices include VAT where it applies. Your invoice shows it.',
      'You register the domain and arrange the hosting, so both are yours.',
      'There is nothing to cancel: no monthly fee and no minimum term.',
      'The site that we hand over, and the texts, pictures and logo that you supplied.',
    ],
  },
  {
    id: 'professional' as const,
    name: 'Professional',
    line: 'Professional - R1,499 + R299/month',
    facts: [
      'R1,499 setup',
      'plus R299/month',
      'R5,087 in total over the first 12 months',
      'Up to 5 pages',
      'Gallery',
      'Domain (.co.za) included',
      'Premium hosting with 99.9% uptime',
      'Email setup',
      'Google My Business',
      'Advanced SEO',
      'SSL',
      'Days 1–7',
      'Days 8–14',
      'Your website is live within 14 days after we receive your content: texts, pictures and logo.',
      '2 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "You can cancel with 30 days' notice after month 12.",
      'The monthly fee of R299 starts when your site goes live.',
      "You pay the monthly fee for the first 12 months, R3,588 in all. Then you can leave with 30 days' notice, and pay until it ends.",
      'Your domain, and the texts, pictures and logo that you supplied. Hosting, email and support end with the monthly fee. Want to move the site to another host later? Ask us before you sign.',
    ],
  },
  {
    id: 'premium' as const,
    name: 'Premium',
    line: 'Premium - R1,499 + R499/month',
    facts: [
      'R1,499 setup',
      'plus R499/month',
      'R7,487 in total over the first 12 months',
      'Up to 10 pages',
      'Blog setup',
      '5 email addresses',
      'Analytics',
      'Priority same-day support',
      'Monthly reports',
      'SEO monitoring',
      'And everything in Professional',
      'Domain (.co.za) included',
      'Premium hosting with 99.9% uptime',
      'Your website is live within 14 days after we receive your content: texts, pictures and logo.',
      '3 major revisions are included.',
      'The contract runs for a minimum of 12 months, then month-to-month.',
      "You can cancel with 30 days' notice after month 12.",
      'You pay nothing on this page. We email you an invoice for the setup fee of R1,499, which says how to pay. The monthly invoices of R499 start when your site goes live.',
      'We register it in your name. It stays yours if you cancel.',
      "You pay the monthly fee for the first 12 months, R5,988 in all. Then you can leave with 30 days' notice, and pay until it ends.",
      'Your domain, and the texts, pictures and logo that you supplied. Hosting, email and support end with the monthly fee. Want to move the site to another host later? Ask us before you sign.',
    ],
  },
]

const wordsOf = (element: Element | null | undefined) => element?.textContent.replace(/\s+/g, ' ').trim() ?? ''

const all = <Kind extends Element = HTMLElement>(selector: string) => [...document.querySelectorAll<Kind>(selector)]

/** The address of the first link with these words; the arrow of one that opens a tab is a style's. */
const hrefOf = (words: string, within = 'body') =>
  all(`${within} a`)
    .find((link) => wordsOf(link).startsWith(words))
    ?.getAttribute('href')

describe.each(CONTRACTS)('The contract page of $name', ({ id, name, line, facts }) => {
  test('tells every fact of the package, and helps by WhatsApp', () => {
    showPage(`/contract/${id}`)
    const said = new Set(all('body *').map(wordsOf))
    expect(facts.filter((fact) => !said.has(fact))).toEqual([])
    // no offer runs
    expect(all('s')).toEqual([])
    expect(decodeURIComponent(hrefOf('Ask us on WhatsApp') ?? '')).toBe(
      `https://wa.me/${agency().whatsapp}?text=Hi! I need help with the ${name} package contract.`,
    )
    expect(hrefOf('Sign the contract', '[aria-label="Contact us"]')).toBe('#sign')
  })

  test('explains each inclusion by half a sentence, and sums up price and next steps', () => {
    const page = within(showPage(`/contract/${id}`))
    const { included } = DEFAULT_PACKAGES[id]
    const further = id === 'premium' ? alsoIncluded({}).points : []
    const listed = all('#included li').map(wordsOf)
    for (const inclusion of [...included, ...further])
      expect(listed).toContain(inclusion + (MEANINGS[inclusion] ?? expect.fail(`${inclusion} is not explained`)))
    const summary = within(page.getByLabelText('Summary'))
    summary.getByText(/^R[\d,]+ in total over the first 12 months/)
    expect(summary.getAllByRole('listitem').map((step) => wordsOf(step.firstElementChild))).toEqual([
      'We get back to you',
      'We have a kickoff call',
      'You get your invoice',
      'You send us your texts, pictures and logo',
      'You get your website',
    ])
  })

  test('sends the package with its price, and which contract it is', () => {
    showPage(`/contract/${id}`)
    const valuesOf = (field: string) => all<HTMLInputElement>(`main form [name=${field}]`).map(({ value }) => value)
    expect([valuesOf('package'), valuesOf('leadSource')]).toEqual([[line], [`contract_${id}`]])
  })
})

test.each(['professional', 'premium'])('The contract page of %s names the setup before the month', (id) => {
  showPage(`/contract/${id}`)
  expect(wordsOf(document.querySelector('main'))).toMatch(/R1,499 setup ?plus R\d99\/month ?R\d,\d87 in total/)
})

test('Every page has one heading of the first level', () => {
  for (const path of pathsOf(publicRoutes)) {
    showPage(path === '*' ? '/no-such-page' : path)
    expect(all('h1'), path).toHaveLength(1)
  }
})

test('Every form says what is collected and why, and leads to the privacy page', () => {
  for (const path of ['/', '/contract/essential', '/yourwebsiteinfo']) {
    showPage(path)
    const forms = all('main form')
    expect(forms.length).toBeGreaterThan(0)
    for (const form of forms) {
      expect(within(form).getAllByText(/^We use /)).toHaveLength(1)
      expect(within(form).getByText('Privacy').getAttribute('href')).toBe('/privacy')
    }
  }
})

test('Every form that makes a lead asks for name and phone first', () => {
  for (const path of ['/', '/contract/professional']) {
    showPage(path)
    for (const form of all('main form')) {
      const labels = [...form.querySelectorAll('label')].map(wordsOf).filter((label) => !/empty/.test(label))
      expect(labels.slice(0, 2)).toEqual(['Full name *', 'Phone *'])
    }
  }
})

test('An address without a page says so, and leads to what people look for', () => {
  const page = within(showPage('/no-such-page'))
  page.getByText('404 Page Not Found')
  page.getByText('Did you forget to add the page to the router?')
  expect(all('main a').map((link) => link.getAttribute('href'))).toEqual(['/#pricing', '/#portfolio', '/#contact', '/'])
})

test('The project page has four cards, a list, and a way to the quote form', () => {
  const page = within(showPage('/yourwebsiteproject'))
  expect(all('main li').filter((item) => item.querySelector('h2, h3'))).toHaveLength(4)
  page.getByText("What's included")
  page.getByText('Search engines can read every page, and your Google Business profile is set up.')
  expect(hrefOf('Get Your Quote')).toBe('/#contact')
})

test('The home page leads by the right doors, and shows no offer that has ended', () => {
  const page = within(showPage('/'))
  for (const [work, category] of [
    ['Harbour Bakery', 'Food and retail'],
    ['Highveld Plumbing', 'Home services'],
    ['Karoo Stoep Guesthouse', 'Travel'],
  ] as const) {
    within(page.getByText(work).closest('li') ?? expect.fail()).getByText(category)
    expect(page.getByText(`Visit ${work}`).closest('a')?.target).toBe('_blank')
  }
  for (const name of ['Essential', 'Professional', 'Premium'])
    expect(hrefOf(`Choose ${name}`)).toBe(`/contract/${name.toLowerCase()}`)
  const asksForQuote = encodeURIComponent("Hi! I'd like a quote for a website.")
  const whatsApp = `https://wa.me/${agency().whatsapp}?text=${asksForQuote}`
  expect(hrefOf('Message us on WhatsApp', '#contact')).toBe(whatsApp)
  expect(hrefOf('Call', '[aria-labelledby=final-call-title]')).toBe(`tel:${agency().dial}`)
  expect(hrefOf('Call', '[aria-label="Contact us"]')).toBe(`tel:${agency().dial}`)
  expect(hrefOf('WhatsApp', '[aria-label="Contact us"]')).toBe(whatsApp)
  expect(hrefOf('Get a quote', '[aria-label="Contact us"]')).toBe('#contact')
  // what counts as a call to action
  expect(page.getByText('Get a quote').closest('[data-button]')).not.toBeNull()
  expect(page.queryByText(/The offer ends/)).toBeNull()
})

test('The home page has the texts of the specification', () => {
  showPage('/')
  const said = wordsOf(document.querySelector('main'))
  for (const text of [
    'R1,499 to set up instead of the usual R5,000',
    'in under 2 seconds',
    'reply within 2 hours',
    '2–14 days',
    'your local Google Business profile set up for you',
    'Why your website is losing you money',
    'Response within 2 hours',
    'Chat Now',
  ])
    expect(said, text).toContain(text)
  expect(all('body > * header nav a, header nav a').map(wordsOf)).toEqual(
    expect.arrayContaining(['Home', 'Pricing', 'Portfolio', 'FAQ', 'Contact']),
  )
  const services = [...all('footer h2')].find((title) => wordsOf(title) === 'Services')?.parentElement
  expect([...(services?.querySelectorAll('li') ?? [])].map(wordsOf)).toEqual([
    'Website Design',
    'Mobile Optimization',
    'SEO Optimization',
    'Domain Registration',
    'Web Hosting',
  ])
  expect(wordsOf(document.querySelector('footer'))).toContain('South Africa')
  // calls to action lead to the contact and to the portfolio section
  const calls = new Set(all('main a[data-button]').map((link) => link.getAttribute('href')))
  for (const section of ['#contact', '#portfolio']) expect(calls).toContain(section)
})

test('Blocks come in once a tenth of them is in sight, 50px above the edge of the window', () => {
  const asked: IntersectionObserverInit[] = []
  vi.stubGlobal('IntersectionObserver', function Observer(_: unknown, options: IntersectionObserverInit) {
    asked.push(options)
  })
  revealOnScroll()
  vi.unstubAllGlobals()
  expect(asked).toEqual([{ threshold: 0.1, rootMargin: '0px 0px -50px 0px' }])
})

test('The quote form offers the packages with one amount each, and says that it is not all', () => {
  showPage('/')
  const form = within(all('main form[data-draft=contact_form]')[0] as HTMLElement)
  expect([...form.getByLabelText<HTMLSelectElement>('Package').options].map(wordsOf)).toEqual([
    'Please choose',
    'Essential - R1,399',
    'Professional - R250/month',
    'Premium - R450/month',
    'Custom',
  ])
  expect(form.getByText('packages and prices').getAttribute('href')).toBe('#pricing')
  form.getByText(/Your quote confirms the total\./)
})

test('The menu of small windows has the same entries as the bar', () => {
  showPage('/')
  expect(all('#menu-entries li').map(wordsOf)).toEqual(['Home', 'Pricing', 'Portfolio', 'FAQ', 'Contact'])
  expect(hrefOf('GET STARTED', '#menu-entries')).toBe('#contact')
})

test('The questionnaire has no next step in the bar of a small window', () => {
  showPage('/yourwebsiteinfo')
  expect(hrefOf('Get a quote', '[aria-label="Contact us"]')).toBeUndefined()
  expect(hrefOf('Call', '[aria-label="Contact us"]')).toBe(`tel:${agency().dial}`)
})

test('The thank-you page tells the next steps and every way to the agency', () => {
  const page = within(showPage('/thanks'))
  const [review, ...later] = all('main li').map((item) => [...item.children].map(wordsOf))
  expect(review).toEqual(['Within 2 business hours', 'We review what you sent us'])
  expect(later.map(([when]) => when)).toEqual([
    'Within 24 hours',
    'Within 48 hours',
    '2–14 days after we receive your content',
  ])
  page.getByText(`We reply within 2 hours during business hours: ${agency().supportHours}.`)
  expect(hrefOf('Call', 'main')).toBe(`tel:${agency().dial}`)
  expect(hrefOf('Email', 'main')).toBe(`mailto:${agency().email}`)
  expect(hrefOf('WhatsApp', 'main')).toMatch(/^https:\/\/wa\.me\/.*\?text=/)
  expect(hrefOf('Back to home', 'main')).toBe('/')
  expect(hrefOf('tell us what you need', 'main')).toBe('/#contact')
})
