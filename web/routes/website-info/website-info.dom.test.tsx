import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { agency } from '../../content/agency.ts'
import { openPage, showPage, wake } from '../../testing/page.tsx'
import { problem, requestsOf, type Sent } from '../../testing/server.ts'

const REQUIRED_MESSAGES = [
  'Website type is required',
  'Business name is required',
  'Target audience is required',
  'Design style is required',
  'Brand colors are required',
  'Business description is required',
  'Primary products/services are required',
  'Business address is required',
  'Phone number is required',
  'Valid email is required',
]
const LEAD_ID = '3f9a2c1b-94c7-4735-a125-0643e2a557f7'
const POST = 'POST /api/submit-website-info'
const MARKUP = '<img src=x onerror="document.title=1"><b>Bold</b>'
const SUBMIT = 'Submit my information'

/** The required answers, as the device stores them. */
const ANSWERS = {
  websiteType: 'Restaurant website',
  businessName: 'Stoep Coffee',
  targetAudience: 'local community members',
  designStyle: 'Warm and handmade',
  brandColorsSelect: 'Karoo earth (#7a3e1d, #d19a5b, #f7efe3)',
  businessDescription: MARKUP,
  primaryProducts: 'Coffee, cake',
  businessAddress: '1 Long Street, Cape Town',
  phoneNumber: '021 555 0100',
  email: 'owner@stoep.example',
}

const alerts: string[] = []
const questions: string[] = []
const assign = vi.fn()

beforeEach(() => {
  alerts.length = 0
  questions.length = 0
  assign.mockClear()
  vi.stubGlobal('alert', (text: string) => alerts.push(text))
  vi.stubGlobal('confirm', (text: string) => questions.push(text))
  // jsdom does not navigate
  vi.stubGlobal('location', { ...location, href: location.href, pathname: location.pathname, assign })
  const quiet = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info')]
  for (const spy of quiet) spy.mockImplementation(() => {})
  return () => {
    vi.unstubAllGlobals()
    for (const spy of quiet) spy.mockRestore()
  }
})

const island = () => within(document.querySelector<HTMLElement>('[data-island=website-info]') as HTMLElement)
const formElement = () => document.querySelector<HTMLElement>('form[aria-label="Website information"]') as HTMLElement
const form = () => within(formElement())
const field = (label: string | RegExp) => form().getByLabelText<HTMLInputElement>(label)
const type = (label: string | RegExp, value: string) => fireEvent.input(field(label), { target: { value } })
const press = (user: UserEvent) => user.click(form().getByText(SUBMIT))
const draft = () => localStorage.getItem('website-info-draft')

const open = (answers: Record<string, (sent: Sent) => unknown> = {}) =>
  openPage('/yourwebsiteinfo', ['website-info'], answers)

/** Opens the form on a device that has stored answers to it. */
const openAnswered = (send: (sent: Sent) => unknown) => {
  localStorage.setItem('website-info-draft', JSON.stringify(ANSWERS))
  return open({ [POST]: send })
}

const choose = (label: string | RegExp, words: string) => {
  const list = form().getByLabelText<HTMLSelectElement>(label)
  const option = [...list.options].find(({ text }) => text === words)
  fireEvent.input(list, { target: { value: option?.value } })
  fireEvent.change(list)
}

const fillIn = () => {
  choose(/^Type of website/, 'Restaurant website')
  type(/^Business name/, 'Stoep Coffee')
  choose(/^Target audience/, 'Local community members')
  fireEvent.click(form().getByText('Warm and handmade'))
  fireEvent.click(form().getByText('Karoo earth'))
  type(/^Business description/, MARKUP)
  type(/^Primary products or services/, 'Coffee, cake')
  type(/^Business address/, '1 Long Street, Cape Town')
  type(/^Phone number/, '021 555 0100')
  type(/^Email/, 'owner@stoep.example')
}

test('A blank form lists all missing answers, in an alert and at each field, and checks again on change', async () => {
  const user = await open()
  await press(user)
  await waitFor(() => expect(alerts).toEqual([`Please fill in all required fields: ${REQUIRED_MESSAGES.join(', ')}`]))
  for (const text of REQUIRED_MESSAGES) form().getByText(text)
  // at its question, and not below all of its cards
  const missing = form().getByText('Design style is required')
  const firstCard = form().getByText('Clean and minimal')
  expect(missing.compareDocumentPosition(firstCard)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)

  type(/^Business name/, 'Stoep Coffee')
  await waitFor(() => expect(form().queryByText('Business name is required')).toBeNull())
  type(/^Email/, 'no address')
  await form().findByText('Valid email is required')
  type(/^Email/, 'owner@stoep.example')
  await waitFor(() => expect(form().queryByText('Valid email is required')).toBeNull())
  expect(requestsOf(POST)).toEqual([])
})

test('Answers survive a reload, are counted by section, and are discarded on request', async () => {
  await open()
  fillIn()
  await screen.findByText('10 of 10 required answers')
  const user = await open()
  await screen.findByText('10 of 10 required answers')
  expect(field(/^Type of website/).value).toBe('Restaurant website')
  expect(field(/^Business description/).value).toBe(MARKUP)
  expect(form().getByText('Karoo earth').closest('label')?.querySelector('input')?.checked).toBe(true)
  const section = screen.getByText('About Your Business', { selector: 'a *' })
  expect(section.closest('a')?.textContent).toBe('About Your Business1 of 6')
  await user.click(screen.getByText('Discard draft'))
  expect(questions).toEqual(['Discard all your answers?'])
  await screen.findByText('0 of 10 required answers')
  expect(field(/^Business description/).value).toBe('')
  expect(draft()).toBeNull()
})

test('Answers given before the form came alive stay', async () => {
  showPage('/yourwebsiteinfo')
  field(/^Business name/).value = 'Stoep Coffee'
  const card = form().getByText('Karoo earth').closest('label')?.querySelector('input') as HTMLInputElement
  card.checked = true
  await wake('website-info')
  await screen.findByText('2 of 10 required answers')
  expect(field(/^Business name/).value).toBe('Stoep Coffee')
  expect(card.checked).toBe(true)
})

test('A contract that was signed before fills in known answers, as long as the tab, and until it is discarded', async () => {
  const signer = await openPage('/contract/essential', ['contract-form'], {
    'POST /api/leads': () => Response.json({ id: LEAD_ID }, { status: 201 }),
  })
  const contract = within(document.querySelector<HTMLElement>('form[aria-label="Essential contract"]') as HTMLElement)
  const answer = (label: RegExp, value: string) =>
    fireEvent.input(contract.getByLabelText(label), { target: { value } })
  answer(/^Full name/, 'Thandi Nkosi')
  answer(/^Phone/, '082 555 0142')
  answer(/^Email/, 'thandi@nkosi.example')
  answer(/^Business name/, 'Nkosi Bakery')
  await signer.click(contract.getByRole('checkbox'))
  await signer.click(contract.getByText('Sign the contract'))
  const next = await screen.findByText('Tell us about your website')
  expect(next.closest('a')?.getAttribute('href')).toBe('/yourwebsiteinfo?reference=3F9A-2C1B')

  const user = await open()
  await screen.findByText('3 of 10 required answers')
  expect(field(/^Business name/).value).toBe('Nkosi Bakery')
  expect(field(/^Phone number/).value).toBe('082 555 0142')
  expect(field(/^Email/).value).toBe('thandi@nkosi.example')
  await user.click(screen.getByText('Discard draft'))
  await screen.findByText('0 of 10 required answers')
  await open()
  expect(field(/^Business name/).value).toBe('')
})

test('Answers after a contract are sent with its private link, and show its reference', async () => {
  const contract = (reference: string, sentAt: string) => ({
    leadId: LEAD_ID.replace('3f9a2c1b', reference),
    sentAt,
    copy: `/api/contracts/${reference}`,
  })
  sessionStorage.setItem('contract_premium-sent', JSON.stringify(contract('22222222', '2026-11-27T10:00:00.000Z')))
  sessionStorage.setItem('contract_essential-sent', JSON.stringify(contract('11111111', '2026-11-26T10:00:00.000Z')))
  const user = await openAnswered(() => Response.json({ leadId: LEAD_ID }, { status: 201 }))
  await press(user)
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/thanks'))
  expect(requestsOf(POST)[0]?.body).toMatchObject({ contractCopy: '/api/contracts/22222222' })
  expect(sessionStorage.getItem('sent-reference')).toBe('"2222-2222"')
  // with a reference they belong to that contract, whichever was signed last, and also if another tab has signed it
  for (const [query, contractReference, shown] of [
    ['1111-1111', '1111-1111', '1111-1111'],
    ['33333333', '3333-3333', '3F9A-2C1B'],
  ] as const) {
    sessionStorage.removeItem('website-info-sent')
    vi.stubGlobal('location', { ...location, href: `http://localhost/yourwebsiteinfo?reference=${query}` })
    const again = await openAnswered(() => Response.json({ leadId: LEAD_ID }, { status: 201 }))
    expect((await form().findByText(contractReference)).parentElement?.textContent).toBe(
      `For your contract ${contractReference}`,
    )
    await press(again)
    await waitFor(() => expect(sessionStorage.getItem('sent-reference')).toBe(`"${shown}"`))
    const body = requestsOf(POST).at(-1)?.body
    expect(body).toMatchObject({ contractReference })
    if (shown === contractReference) expect(body).toMatchObject({ contractCopy: '/api/contracts/11111111' })
    else expect(body).not.toHaveProperty('contractCopy')
  }
})

test('A link with no reference of a contract shows none', async () => {
  for (const query of ['', '?reference=', '?reference=%3Cb%3E', '?reference=1111-1111-1111-1111']) {
    vi.stubGlobal('location', { ...location, href: `http://localhost/yourwebsiteinfo${query}` })
    await open()
    expect(screen.queryByText(/^For your contract/)).toBeNull()
  }
})

test('A custom choice sends its own text, and only with that choice', async () => {
  const user = await openAnswered(() => problem(500))
  fireEvent.click(form().getByText('None of these: describe your own.'))
  fireEvent.click(form().getByText('Your own'))
  choose('Image theme', 'Custom')
  for (const label of ['Describe your style', 'Describe your colours', 'Describe your pictures'])
    type(label, `My own: ${label}`)
  fireEvent.click(form().getByText('Clean and minimal'))
  await press(user)
  await waitFor(() => expect(requestsOf(POST)).toHaveLength(1))
  expect(requestsOf(POST)[0]?.body).toMatchObject({
    designStyle: 'Clean and minimal',
    customDesignStyle: null,
    brandColorsSelect: 'custom',
    customBrandColors: 'My own: Describe your colours',
    customImageTheme: 'My own: Describe your pictures',
    businessDescription: MARKUP,
  })
  await waitFor(() => expect(alerts).toHaveLength(1))
})

test('A failure is reported and the answers stay; the next attempt leads to the thank-you page, with the same key', async () => {
  const { promise: held, resolve: proceed } = Promise.withResolvers<void>()
  const errors = [{ path: 'email', message: 'Valid email is required' }]
  const failing = [
    () => problem(422, { errors }),
    () => problem(429, {}, { 'retry-after': '1' }),
    () => problem(500),
    () => {
      throw new TypeError('Failed to fetch')
    },
  ]
  const user = await openAnswered(async () => {
    const fail = failing.shift()
    if (fail) return fail()
    await held
    return Response.json({ leadId: LEAD_ID }, { status: 201 })
  })
  // an error that the server finds shows at its field, without a note that sending failed
  await press(user)
  await form().findByText('Valid email is required')
  await waitFor(() => expect(alerts).toHaveLength(1))
  expect(form().queryByText("We couldn't send this yet.")).toBeNull()
  for (const round of [2, 3, 4]) {
    await press(user)
    await waitFor(() => expect(alerts).toHaveLength(round))
    expect(alerts.at(-1)).toBe(`Something went wrong. Please try again or call us at ${agency().phone}.`)
    await form().findByText(SUBMIT)
    form().getByText("We couldn't send this yet.")
    expect(field(/^Business name/).value).toBe('Stoep Coffee')
    expect(draft()).toContain('Stoep Coffee')
  }
  await press(user)
  const sending = await form().findByText<HTMLButtonElement>('Submitting your information...')
  expect(sending.disabled).toBe(true)
  proceed()
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/thanks'))
  const keys = requestsOf(POST).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(5)
  expect(new Set(keys).size).toBe(1)
  expect(draft()).toBeNull()
  expect(sessionStorage.getItem('sent-reference')).toBe('"3F9A-2C1B"')

  const again = await open()
  const panel = within(await island().findByRole('region', { name: "Thanks, we've received your answers." }))
  panel.getByText('3F9A-2C1B')
  panel.getByText('You hear from us about your answers')
  expect(formElement().style.display).toBe('none')
  await again.click(panel.getByText('Answer the questions again'))
  expect(formElement().style.display).toBe('')
  expect(field(/^Business name/).value).toBe('')
  await open()
  expect(screen.queryByText('3F9A-2C1B')).toBeNull()
})
