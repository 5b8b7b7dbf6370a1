import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import { fill, isChecked, textsOf, valueIn } from '../../testing/fields.ts'
import { openScreen } from '../../testing/screen.tsx'
import { requestsOf } from '../../testing/server.ts'
import { button, formOf, openForm, openSettings, settingsServer } from '../../testing/settings-screen.tsx'
import { COMPANY } from './company.tsx'
import { INBOX_ADDRESSES } from './inbox-addresses.tsx'
import { OFFER } from './offer.tsx'
import { PACKAGES } from './packages.tsx'
import { QUOTE_CHOICES } from './quote-choices.tsx'
import { REPLIES } from './replies.tsx'
import { SHOWCASE } from './showcase.tsx'
import { SUPPORT_HOURS } from './support-hours.tsx'
import { WEEK_START } from './week-start.tsx'

const HOURS = 'PUT /api/settings/support-hours'

const day = (name: string) =>
  within(screen.getByLabelText('Support hours', { selector: 'form' })).getByRole('checkbox', { name })

test('An agent sees the settings and why they cannot be changed', async () => {
  const { go } = await openScreen('/admin-settings/support-hours', {
    'GET /api/me': { ...THANDI, role: 'agent' },
    'GET /api/settings': {
      ...DEFAULT_SETTINGS,
      company: { ...DEFAULT_SETTINGS.company, vat: 'registered', vatNumber: '4123456789' },
    },
  })
  await screen.findByText('Only admins can change settings.')
  await screen.findByText('Mon-Fri 8AM-6PM SAST')
  for (const [section, text] of [
    ['replies', '/pricing'],
    ['company', 'VAT number: 4123456789'],
    ['week-start', 'Weeks begin on Sunday.'],
    ['accounts', SIPHO.displayName],
    ['api-tokens', 'Only admins see them.'],
    ['webhooks', /^Only admins see them\./],
  ] as const) {
    await go(`/admin-settings/${section}`)
    await screen.findByText(text)
    expect(within(screen.getByRole('main')).queryAllByRole('button')).toEqual([])
  }
})

test('Each section has an address and a link to it; the address of the settings shows the first one', async () => {
  const { user, address } = await openSettings()
  const index = within(screen.getByRole('navigation', { name: 'Settings' }))
  const current = () => index.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page')
  expect(textsOf(current())).toEqual(['Packages'])
  await user.click(index.getByRole('link', { name: 'Week' }))
  await screen.findByRole('form', { name: 'Week' })
  expect(address()).toBe('/admin-settings/week-start')
  expect(textsOf(current())).toEqual(['Week'])
  expect(textsOf(within(index.getByRole('list', { name: 'For developers' })).getAllByRole('link'))).toEqual([
    'Webhook log',
    'API',
    'Sign-ins',
    'Queues',
  ])
})

test('The bar with the buttons shows only as long as there are unsaved changes', async () => {
  const { user, form } = await openForm(OFFER)
  expect(form.queryAllByRole('button')).toEqual([])
  fill(form.getByLabelText('What the banner says'), 'Half off in spring')
  await user.click(await form.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(form.queryAllByRole('button')).toEqual([]))
})

test('Support hours are previewed and saved', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(SUPPORT_HOURS, answers)
  await user.click(day('Saturday'))
  fill(form.getByLabelText('From'), '07:30')
  fill(form.getByLabelText('Until'), '00:00')
  await form.findByText('Mon-Sat 7:30AM-12AM SAST')
  await form.findByText('Not saved yet')
  await user.click(button(form, 'Save support hours'))
  const saved = await form.findByText('Saved')
  await waitFor(() => expect(document.activeElement).toBe(saved))
  expect(stored().supportHours).toEqual({ days: [1, 2, 3, 4, 5, 6], opensAtMinute: 450, closesAtMinute: 1440 })
  expect(isChecked(day('Saturday'))).toBe(true)
  expect(valueIn(form.getByLabelText('Until'))).toBe('00:00')
})

test('Hours past midnight and a break for lunch are checked, previewed and saved', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(SUPPORT_HOURS, answers)
  fill(form.getByLabelText('From'), '21:00')
  fill(form.getByLabelText('Until'), '02:00')
  await form.findByText('Mon-Fri 9PM-2AM SAST')
  form.getByText(/Use 'Again from' and 'Again until' if you close during the day, for example for lunch\.$/)
  fill(form.getByLabelText('Again from'), '01:00')
  await user.click(button(form, 'Save support hours'))
  await form.findByText('Choose a time')
  fill(form.getByLabelText('Again until'), '05:00')
  await form.findByText('Must not overlap with the first hours')
  fill(form.getByLabelText('Again from'), '10:00')
  fill(form.getByLabelText('Again until'), '12:30')
  await form.findByText('Mon-Fri 10AM-12:30PM and 9PM-2AM SAST')
  await user.click(button(form, 'Add a day'))
  await user.selectOptions(form.getByLabelText('Day 1'), 'Friday')
  for (const label of ['Again from', 'Again until']) fill(form.getAllByLabelText(label)[1] ?? expect.fail(), '')
  await form.findByText('Mon-Thu 10AM-12:30PM and 9PM-2AM, Fri 9PM-2AM SAST')
  await user.click(button(form, 'Save support hours'))
  await form.findByText('Saved')
  const night = { opensAtMinute: 1_260, closesAtMinute: 120 }
  expect(stored().supportHours).toEqual({
    days: [1, 2, 3, 4, 5],
    ...night,
    second: { opensAtMinute: 600, closesAtMinute: 750 },
    byDay: [{ day: 5, ...night }],
  })
})

test('Hours of single days and closures are checked, saved and removed again', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(SUPPORT_HOURS, answers)
  await user.click(button(form, 'Add a day'))
  await user.click(button(form, 'Add a closure'))
  await user.click(button(form, 'Save support hours'))
  await waitFor(() => expect(form.getAllByText('Choose a day')).toHaveLength(3))
  await user.selectOptions(form.getByLabelText('Day 1'), 'Friday')
  fill(form.getAllByLabelText('Until')[1] ?? expect.fail(), '15:00')
  fill(form.getByLabelText('First day'), '2098-12-20')
  fill(form.getByLabelText('Last day'), '2098-12-29')
  fill(form.getByLabelText('Words for visitors'), 'Closed for the summer')
  await form.findByText('Mon-Thu 8AM-6PM, Fri 8AM-3PM SAST')
  await user.click(button(form, 'Save support hours'))
  await form.findByText('Saved')
  expect(stored().supportHours).toMatchObject({
    byDay: [{ day: 5, opensAtMinute: 480, closesAtMinute: 900 }],
    closures: [{ from: '2098-12-20', until: '2098-12-29', word: 'Closed for the summer' }],
  })
  await user.click(button(form, 'Remove day 1'))
  await user.click(button(form, 'Remove closure 1'))
  await user.click(button(form, 'Save support hours'))
  await waitFor(() => expect(stored().supportHours).toEqual(DEFAULT_SETTINGS.supportHours))
})

test('Impossible support hours show errors at their fields, and can be discarded', async () => {
  const { user, form } = await openForm(SUPPORT_HOURS)
  for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await user.click(day(name))
  fill(form.getByLabelText('From'), '18:00')
  fill(form.getByLabelText('Until'), '18:00')
  await user.click(button(form, 'Save support hours'))
  await form.findByText('Choose at least one day')
  await form.findByText('Must not be the opening time')
  fill(form.getByLabelText('From'), '')
  await form.findByText('Choose a time')
  await user.click(button(form, 'Discard changes'))
  await waitFor(() => expect(valueIn(form.getByLabelText('From'))).toBe('08:00'))
  expect(form.queryByText('Choose at least one day')).toBeNull()
  expect(requestsOf(HOURS)).toEqual([])
})

test('Two clicks save once, and a time that is changed during the save stays changed', async () => {
  const { answers, stored } = settingsServer()
  const held = Promise.withResolvers<void>()
  const save = answers['PUT /api/settings/*']
  const { user, form } = await openForm(SUPPORT_HOURS, {
    ...answers,
    'PUT /api/settings/*': async (sent: Parameters<typeof save>[0]) => {
      await held.promise
      return save(sent)
    },
  })
  fill(form.getByLabelText('From'), '07:15')
  await user.dblClick(button(form, 'Save support hours'))
  await form.findByText('Saving...')
  fill(form.getByLabelText('Until'), '17:15')
  held.resolve()
  await form.findByText('Save support hours')
  expect(requestsOf(HOURS)).toHaveLength(1)
  expect(valueIn(form.getByLabelText('Until'))).toBe('17:15')
  await form.findByText('Not saved yet')
  expect(stored().supportHours).toMatchObject({ opensAtMinute: 435, closesAtMinute: 1080 })
  await user.click(button(form, 'Save support hours'))
  await form.findByText('Saved')
  expect(stored().supportHours).toMatchObject({ opensAtMinute: 435, closesAtMinute: 1035 })
})

test('Changes that another owner has saved are shown as a conflict to decide on', async () => {
  const { answers, stored, saveElsewhere } = settingsServer()
  const { user, form } = await openForm(SUPPORT_HOURS, answers)
  fill(form.getByLabelText('From'), '09:00')
  saveElsewhere('support-hours', { days: [1, 2], opensAtMinute: 600, closesAtMinute: 660 })
  await user.click(button(form, 'Save support hours'))
  const choice = within(await form.findByRole('alert'))
  choice.getByText('sipho also changed support hours:')
  choice.getByText('Mon-Tue 10AM-11AM SAST')
  await user.click(button(choice, 'Keep theirs'))
  await waitFor(() => expect(valueIn(form.getByLabelText('From'))).toBe('10:00'))

  fill(form.getByLabelText('From'), '09:00')
  saveElsewhere('support-hours', { days: [3], opensAtMinute: 600, closesAtMinute: 660 })
  await user.click(button(form, 'Save support hours'))
  await form.findByText('Wed 10AM-11AM SAST')
  await user.click(button(form, 'Save mine instead'))
  await form.findByText('Saved')
  expect(stored().supportHours).toEqual({ days: [1, 2], opensAtMinute: 540, closesAtMinute: 660 })
})

test('Replies are checked, added, changed and removed, each with its places', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(REPLIES, answers)
  const last = (label: string) => form.getAllByLabelText(label).at(-1) ?? expect.fail()
  const save = () => user.click(button(form, 'Save replies'))
  await user.click(button(form, 'Remove reply 2'))
  await user.click(button(form, 'Add a reply'))
  fill(last('Name'), 'Thank You')
  await form.findByText('Type /thank-you in chat.')
  await save()
  await form.findByText('A reply is required')
  fill(last('Text'), 'Thanks, {nmae}!')
  await form.findByText('"{nmae}" is no placeholder, and would be sent as written. No placeholders are filled in here.')
  fill(last('Text'), 'Thanks!\nUntil soon.')
  await user.click(last('Email'))
  await save()
  await form.findByText('A subject is required')
  fill(last('Subject'), 'Thank you')
  fill(last('Name'), 'HELLO')
  await save()
  await form.findByText('Names must be unique')
  fill(last('Name'), 'Thank You')
  await save()
  await form.findByText('Saved')
  expect(stored().replies).toEqual([
    DEFAULT_SETTINGS.replies[0],
    ...DEFAULT_SETTINGS.replies.slice(2),
    {
      name: 'Thank You',
      subject: 'Thank you',
      text: 'Thanks!\nUntil soon.',
      chat: true,
      email: true,
      whatsapp: false,
    },
  ])
})

test('Inbox addresses are checked and saved', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(INBOX_ADDRESSES, answers)
  form.getByText('There are no extra recipients.')
  await user.click(button(form, 'Add an address'))
  fill(form.getByLabelText('Address 1'), 'desk@')
  await user.click(button(form, 'Save inbox addresses'))
  await form.findByText('Please enter a valid email address')
  fill(form.getByLabelText('Address 1'), 'desk@agency.example')
  await user.click(button(form, 'Save inbox addresses'))
  await form.findByText('Saved')
  expect(stored().inboxAddresses).toEqual(['desk@agency.example'])
})

test('Leaving unsaved changes asks first, and discarding them shows the saved state', async () => {
  const { answers } = settingsServer({ inboxAddresses: ['desk@agency.example'] })
  const { user, address, go } = await openSettings({ ...answers, 'GET /api/imports': [] }, 'inbox-addresses')
  const field = () => formOf('Inbox addresses').getByLabelText('Address 1')
  fill(field(), 'other@agency.example')
  await formOf('Inbox addresses').findByText('Not saved yet')
  go('/admin-import')
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(question).getByText('Stay here'))
  await waitFor(() => expect(question.isConnected).toBe(false))
  expect(valueIn(field())).toBe('other@agency.example')
  go('/admin-import')
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  await waitFor(() => expect(address()).toBe('/admin-import'))
  await screen.findAllByText('Import leads')
  await go('/admin-settings/inbox-addresses')
  await screen.findByLabelText('Inbox addresses', { selector: 'form' })
  expect(valueIn(field())).toBe('desk@agency.example')
})

test('Unsaved changes survive a reload, and conflict with the changes of another owner', async () => {
  const { answers, saveElsewhere } = settingsServer({ inboxAddresses: ['desk@agency.example'] })
  const before = await openForm(INBOX_ADDRESSES, answers)
  fill(before.form.getByLabelText('Address 1'), 'draft@agency.example')
  await before.form.findByText('Not saved yet')
  before.close()
  saveElsewhere('inbox-addresses', { addresses: ['theirs@agency.example'] })
  const { user, form } = await openForm(INBOX_ADDRESSES, answers)
  await form.findByText('Not saved yet')
  expect(valueIn(form.getByLabelText('Address 1'))).toBe('draft@agency.example')
  await user.click(button(form, 'Save inbox addresses'))
  await user.click(await form.findByText('Keep theirs'))
  await waitFor(() => expect(valueIn(form.getByLabelText('Address 1'))).toBe('theirs@agency.example'))
  expect(form.queryByText('Not saved yet')).toBeNull()
  expect(Object.keys(localStorage).filter((key) => key.includes('settings'))).toEqual([])
})

test('The browser asks before a page with unsaved changes is closed, and only then', async () => {
  const { user } = await openSettings({}, 'support-hours')
  const form = formOf('Support hours')
  const asks = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(asks()).toBe(false)
  await user.click(day('Sunday'))
  await waitFor(() => expect(asks()).toBe(true))
  await user.click(button(form, 'Discard changes'))
  await waitFor(() => expect(asks()).toBe(false))
})

test('A failed fetch is shown and can be tried again', async () => {
  let isDown = true
  const { user } = await openScreen('/admin-settings', {
    'GET /api/settings': () => (isDown ? new Response('down', { status: 503 }) : DEFAULT_SETTINGS),
  })
  await screen.findByText('Error loading settings')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByLabelText('Packages', { selector: 'form' })
})

test('An offer is checked and saved, and shows its end date on the website', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(OFFER, answers)
  form.getByText(/^Ended on 30 September 2025, not on the website/)
  fill(form.getByLabelText('What the banner says'), 'Summer offer on Premium')
  fill(form.getByLabelText('Last day'), '2999-12-24')
  fill(form.getByLabelText('Professional, in rand'), '')
  fill(form.getByLabelText('Premium, in rand'), '1 999,50')
  await user.click(button(form, 'Save offer'))
  await form.findByText('Write whole rand')
  fill(form.getByLabelText('Premium, in rand'), 'R1 999,00')
  await form.findByText('Price now: R1,499, 25% off')
  await user.click(button(form, 'Save offer'))
  await form.findByText(/^On the website until 24 December 2999/)
  expect(stored().offer).toEqual({
    text: 'Summer offer on Premium',
    lastDay: '2999-12-24',
    packages: [{ id: 'premium', usualPrice: 1_999 }],
  })
  fill(form.getByLabelText('Last day'), '2025-01-31')
  await user.click(button(form, 'Save offer'))
  await form.findByText(/^Ended on 31 January 2025/)
})

test('A company registered for VAT needs its number', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(COMPANY, answers)
  fill(form.getByLabelText('Registered name'), 'Karoo Web Studio (Pty) Ltd')
  expect(form.queryByLabelText('VAT number')).toBeNull()
  await user.selectOptions(form.getByLabelText('VAT'), 'Registered for VAT')
  await user.click(button(form, 'Save company details'))
  await form.findByText('Enter the VAT number')
  fill(form.getByLabelText('VAT number'), '4123 456 789')
  fill(form.getByLabelText('Physical address'), '12 Loop Street\nCape Town')
  await user.click(button(form, 'Save company details'))
  await form.findByText('Saved')
  expect(stored().company).toMatchObject({
    registeredName: 'Karoo Web Studio (Pty) Ltd',
    vat: 'registered',
    vatNumber: '4123456789',
    address: '12 Loop Street\nCape Town',
  })
})

test('Claims, links, reviews and people of the showcase are checked and saved', async () => {
  const { answers, stored } = settingsServer()
  const { user, form } = await openForm(SHOWCASE, answers)
  form.getByText(/^The website comes with these claims\./)
  fill(form.getByLabelText('Rating: figure'), '4.8')
  fill(form.getByLabelText('Websites: figure'), '')
  fill(form.getAllByLabelText('Page that proves it')[2] ?? expect.fail(), 'status.example')
  await user.click(button(form, 'Add a social link'))
  fill(form.getByLabelText('Name'), 'Facebook')
  fill(form.getByLabelText('Address'), 'http://facebook.example')
  await user.click(button(form, 'Add a review'))
  fill(form.getByLabelText('Who said it'), 'Thandi, Nkosi Bakery')
  fill(form.getByLabelText('Review'), 'They answered within the hour.')
  await user.click(button(form, 'Add a person'))
  fill(form.getByLabelText('Role'), 'Support')
  fill(form.getAllByLabelText('Name')[1] ?? expect.fail(), 'Lerato Mokoena')
  await user.click(button(form, 'Save showcase'))
  await form.findByText('The address has to begin with https://')
  await form.findByText('Write a short figure')
  await form.findByText('Write a whole address, such as https://www.facebook.com/yourpage')
  fill(form.getAllByLabelText('Page that proves it')[2] ?? expect.fail(), 'https://status.example')
  fill(form.getAllByLabelText('What it counts')[0] ?? expect.fail(), '')
  fill(form.getByLabelText('Address'), 'https://facebook.example/us')
  await user.click(button(form, 'Save showcase'))
  await form.findByText('Saved')
  expect(stored().showcase).toMatchObject({
    socialLinks: [{ name: 'Facebook', href: 'https://facebook.example/us' }],
    reviews: [{ name: 'Thandi, Nkosi Bakery', text: 'They answered within the hour.' }],
    people: [{ name: 'Lerato Mokoena', role: 'Support', photo: null }],
  })
  const { claims } = stored().showcase as { claims?: { id: string; figure: string; proof?: string }[] }
  expect(claims?.flatMap(({ id, proof }) => (proof ? [[id, proof]] : []))).toEqual([
    ['uptime', 'https://status.example'],
  ])
  expect(claims?.map(({ id, figure }) => `${id} ${figure}`)).toEqual([
    'rating 4.8',
    'reply 2 hours',
    'delivery 2–14 days',
    'uptime 99.9%',
    'guarantee 100%',
  ])
})

test('Packages are previewed, checked and saved; unchanged ones are not sent', async () => {
  const { user, form } = await openForm(PACKAGES, settingsServer().answers)
  const first = (label: string) => form.getAllByLabelText(label)[0] ?? expect.fail()
  const preview = () => within(form.getByLabelText('Preview of Starter'))
  fill(first('Name'), 'Starter')
  fill(first('Price at the start, in rand'), 'R1,200')
  await waitFor(() => preview().getByText('The full R1,200 is paid to start.'))
  fill(first('Monthly fee, in rand'), '0')
  fill(first('Minimum months'), '0')
  fill(first('Terms, a line each'), '<b>All</b> of {prise}')
  await user.click(button(form, 'Save packages'))
  await form.findByText('Write a price in rand, or nothing')
  await form.findByText('At least 1 month')
  await form.findByText(/^"\{prise\}" is no placeholder/)
  fill(first('Monthly fee, in rand'), '50')
  fill(first('Minimum months'), '6')
  fill(first('Terms, a line each'), '<b>All</b> of {price}')
  await waitFor(() => preview().getByText('<b>All</b> of R1,200'))
  preview().getByText('Starter - R1,200 + R50/month')
  await user.click(button(form, 'Save packages'))
  await form.findByText('Saved')
  const [sent] = requestsOf('PUT /api/settings/packages')
  expect(sent?.body).toEqual({
    packages: {
      essential: expect.objectContaining({
        name: 'Starter',
        once: 1_200,
        monthly: 50,
        months: 6,
        terms: ['<b>All</b> of {price}'],
      }),
    },
  })
})

test('A hint shows if the quote form’s prices differ from the cards’, and fills those in', async () => {
  const { user, form } = await openForm(QUOTE_CHOICES, settingsServer().answers)
  form.getByText(/name different prices for Essential, Professional, and Premium\./)
  form.getByText('The card says: Professional - R1,499 + R299/month')
  fill(form.getByLabelText('Essential'), 'Essential - R999')
  await form.findByText(/name different prices for Professional and Premium\./)
  fill(form.getByLabelText('None of them'), '')
  await user.click(button(form, 'Save quote form'))
  await form.findByText('Write something')
  fill(form.getByLabelText('None of them'), 'Something else')
  await user.click(button(form, 'Write the cards’ prices'))
  await waitFor(() => expect(form.queryByText(/different prices/)).toBeNull())
  await user.click(button(form, 'Save quote form'))
  await form.findByText('Saved')
  expect(requestsOf('PUT /api/settings/quote-choices')[0]?.body).toEqual({
    labels: {
      essential: 'Essential - R999',
      professional: 'Professional - R1,499 + R299/month',
      premium: 'Premium - R1,499 + R499/month',
      custom: 'Something else',
    },
  })
})

test('An owner sets the day on which weeks begin', async () => {
  const { user, form } = await openForm(WEEK_START, settingsServer().answers)
  const choice = form.getByLabelText<HTMLSelectElement>('Weeks begin on')
  expect(choice.value).toBe('sunday')
  await user.selectOptions(choice, 'Monday')
  await user.click(button(form, 'Save start of the week'))
  await form.findByText('Saved')
  expect(requestsOf('PUT /api/settings/week-start')[0]?.body).toEqual({ weekStart: 'monday' })
})

test('Typed text stays in its form while there is no network, and is saved afterwards', async () => {
  const { answers, stored } = settingsServer()
  let isOffline = true
  const save = answers['PUT /api/settings/*']
  const { user, form } = await openForm(INBOX_ADDRESSES, {
    ...answers,
    'PUT /api/settings/*': (sent: Parameters<typeof save>[0]) => {
      if (isOffline) throw new TypeError('Failed to fetch')
      return save(sent)
    },
  })
  Object.defineProperty(navigator, 'onLine', { get: () => !isOffline, configurable: true })
  await user.click(button(form, 'Add an address'))
  fill(form.getByLabelText('Address 1'), 'inbox@agency.example')
  await user.click(button(form, 'Save inbox addresses'))
  await form.findByText('You are offline. Try again once you are connected.')
  expect(valueIn(form.getByLabelText('Address 1'))).toBe('inbox@agency.example')
  isOffline = false
  await user.click(button(form, 'Save inbox addresses'))
  await form.findByText('Saved')
  expect(stored().inboxAddresses).toEqual(['inbox@agency.example'])
  Reflect.deleteProperty(navigator, 'onLine')
})
