import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { OPEN_FIELD } from '../../../events/lead/form/spam-fields.ts'
import { agency } from '../../content/agency.ts'
import { CONSULTATION, CONTRACT, LEAD_FORMS, type LeadFormCase } from '../../testing/lead-forms.ts'
import { openPage, showPage, wake } from '../../testing/page.tsx'
import { problem, requestsOf, type Sent, stopServerClock } from '../../testing/server.ts'

const LEAD_ID = '3f9a2c1b-94c7-4735-a125-0643e2a557f7'
const REFERENCE = '3F9A-2C1B'
const POST = 'POST /api/leads'

// a form that was not sent says why there
beforeEach(() => {
  const quiet = vi.spyOn(console, 'warn').mockImplementation(() => {})
  return () => quiet.mockRestore()
})

const created = () => Response.json({ id: LEAD_ID }, { status: 201 })
const unreachable = () => {
  throw new TypeError('Failed to fetch')
}
const tooMany = () => problem(429, {}, { 'retry-after': '600' })

/** Answers one request after the other, the last of them for good. */
const inTurn = (...answers: ((sent: Sent) => unknown)[]) => {
  let next = 0
  return (sent: Sent) => answers[Math.min(next++, answers.length - 1)]?.(sent)
}

/** The island of a form: roles are looked for in it alone, since the whole page takes its time. */
const islandOf = ({ island }: LeadFormCase) =>
  within(document.querySelector<HTMLElement>(`[data-island=${island}]`) as HTMLElement)
const formOf = (it: LeadFormCase) => islandOf(it).queryByRole('form', { name: it.name })
const inForm = (it: LeadFormCase) => within(islandOf(it).getByRole('form', { name: it.name }))
const field = (it: LeadFormCase, label: string | RegExp) => inForm(it).getByLabelText<HTMLInputElement>(label)
const type = (it: LeadFormCase, label: string | RegExp, value: string) =>
  fireEvent.input(field(it, label), { target: { value } })

const fillIn = async (user: UserEvent, it: LeadFormCase) => {
  type(it, /^Full name/, 'Thandi Nkosi')
  type(it, /^Phone/, '082 555 0142')
  type(it, /^Email/, 'thandi@example.co.za')
  if (it.what !== 'contract') return
  type(it, /^Business name/, 'Nkosi Bakery')
  await user.click(inForm(it).getByRole('checkbox'))
}

const openFilled = async (it: LeadFormCase, send: (sent: Sent) => unknown = created) => {
  const user = await openPage(it.path, [it.island], { [POST]: send })
  await fillIn(user, it)
  const press = (name = it.action) => user.click(inForm(it).getByRole('button', { name }))
  return { user, press }
}

const panelOf = (it: LeadFormCase) =>
  islandOf(it).findByRole('region', { name: `Thanks, we've received your ${it.what}.` })
const sendAnother = (it: LeadFormCase) =>
  islandOf(it).getByRole('button', { name: it.what === 'contract' ? 'Send another contract' : 'Send another request' })
const bodyOf = (index = 0) => requestsOf(POST)[index]?.body as Record<string, unknown>

describe.each(LEAD_FORMS)('The form "$name"', (it) => {
  const isContract = it.what === 'contract'

  test('says what is wrong on submit, then on change', async () => {
    const user = await openPage(it.path, [it.island])
    await user.click(inForm(it).getByRole('button', { name: it.action }))
    const faults = [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Please enter a valid phone number',
      ...(isContract ? ['Business name is required', 'You must agree to the terms and conditions'] : []),
    ]
    for (const fault of faults) await inForm(it).findByText(fault)
    expect(field(it, /^Full name/)).toBe(document.activeElement)
    await fillIn(user, it)
    await waitFor(() => expect(inForm(it).queryByText(/must|Please enter|required/)).toBeNull())
    if (!isContract) return
    await user.click(inForm(it).getByRole('checkbox'))
    await inForm(it).findByText('You must agree to the terms and conditions')
  })

  test('gives way to the reference, what happens next and by when, once it was sent', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-06T08:01:00Z') })
    const { press } = await openFilled(it)
    expect(screen.getByText(it.asked)).toBeTruthy()
    await press()
    const panel = within(await panelOf(it))
    panel.getByText(REFERENCE)
    expect(document.activeElement?.textContent).toContain('Thanks, we')
    expect(formOf(it)).toBeNull()
    await panel.findByText('Today before 12:05, South African time')
    const steps = panel.getAllByRole('listitem').map((item) => item.querySelector('strong')?.textContent)
    expect(steps).toEqual(it.steps)
    expect(panel.queryAllByText('Live within 14 days after we receive your content')).toHaveLength(isContract ? 1 : 0)
    const whatsapp = panel.getByRole('link', { name: 'WhatsApp us' }).getAttribute('href')
    expect(decodeURIComponent(whatsapp ?? '')).toContain(`My reference is ${REFERENCE}.`)
    const questionnaire = panel.queryByRole('link', { name: 'Tell us about your website' })
    expect(questionnaire?.getAttribute('href')).toBe(isContract ? `/yourwebsiteinfo?reference=${REFERENCE}` : undefined)
    expect(panel.getByRole('button', { name: 'Chat now' }).dataset.opensChat).toBe('')
    const toast = await screen.findByText(it.title)
    expect(toast.closest('[role]')?.getAttribute('role')).toBe('status')
    screen.getByText(it.description)
    // of this form nothing stays; what the questionnaire need not ask again does
    expect(Object.keys(sessionStorage).filter((key) => key.endsWith('-draft'))).toEqual(['website-info-draft'])
    expect(bodyOf()).toMatchObject({
      leadSource: it.source,
      pageUrl: location.href,
      name: 'Thandi Nkosi',
      ...(isContract && {
        agreedToTerms: true,
        businessName: 'Nkosi Bakery',
        package: 'Premium - R1,499 + R499/month',
      }),
    })
    expect(bodyOf()[OPEN_FIELD]).toBeGreaterThan(0)
  })

  test('stays with what was typed where it could not be sent, and tries again with the same key', async () => {
    const { promise: held, resolve: proceed } = Promise.withResolvers<void>()
    const slowly = async () => {
      await held
      return created()
    }
    const { user, press } = await openFilled(
      it,
      inTurn(tooMany, () => problem(500), unreachable, slowly),
    )
    for (const [action, wait] of [
      [it.action, /in about 10 minutes/],
      ['Try again', /also after a reload\. $/],
      [it.action, /also after a reload\. $/],
    ] as const) {
      await press(action)
      expect((await screen.findByText('Submission Failed')).closest('[role]')?.getAttribute('role')).toBe('alert')
      screen.getByText(`Please try again or contact us directly at ${agency().email}`)
      expect(inForm(it).getByRole<HTMLButtonElement>('button', { name: it.action }).disabled).toBe(false)
      expect(field(it, /^Full name/).value).toBe('Thandi Nkosi')
      if (isContract) {
        expect(field(it, /^Business name/).value).toBe('Nkosi Bakery')
        expect(inForm(it).getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
      }
      expect(screen.queryByText(/^Thanks, we've received/)).toBeNull()
      await user.click(screen.getByLabelText('Dismiss'))
      expect(screen.queryByText('Submission Failed')).toBeNull()
      // the help is still there when the toast is long gone
      inForm(it).getByText("We couldn't send this yet.")
      inForm(it).getByText(wait, { normalizer: (text) => text })
      const whatsapp = inForm(it).getByRole('link', { name: 'Use WhatsApp' }).getAttribute('href')
      expect(decodeURIComponent(whatsapp ?? '')).toContain('I am Thandi Nkosi.')
    }
    await press('Try again')
    const sending = await inForm(it).findByRole<HTMLButtonElement>('button', { name: it.sending })
    expect(sending.disabled).toBe(true)
    proceed()
    await panelOf(it)
    const keys = requestsOf(POST).map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toBeTruthy()
    await user.click(sendAnother(it))
    expect(field(it, /^Full name/).value).toBe('')
    if (isContract) expect(inForm(it).getByRole<HTMLInputElement>('checkbox').checked).toBe(false)
  })

  test('keeps what was typed over a reload, but no agreement, and can be sent at once then', async () => {
    await openFilled(it)
    expect(localStorage).toHaveLength(0)
    const user = await openPage(it.path, [it.island], { [POST]: created })
    await waitFor(() => expect(field(it, /^Full name/).value).toBe('Thandi Nkosi'))
    expect(field(it, /^Email/).value).toBe('thandi@example.co.za')
    if (isContract) {
      expect(inForm(it).getByRole<HTMLInputElement>('checkbox').checked).toBe(false)
      await user.click(inForm(it).getByRole('checkbox'))
    }
    await user.click(inForm(it).getByRole('button', { name: it.action }))
    await panelOf(it)
    // who fills in a form at one look and sends it at the next is no machine
    expect(bodyOf()).not.toHaveProperty(OPEN_FIELD)
  })

  test('promises a reply by the server’s clock, whatever that of the device says', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-06T15:31:00Z') })
    stopServerClock('2026-05-06T08:31:00Z')
    const { press } = await openFilled(it, () => ({ id: LEAD_ID }))
    await press()
    await within(await panelOf(it)).findByText('Today before 12:35, South African time')
  })

  test('still shows its reference after a reload, until another one is begun', async () => {
    const { press } = await openFilled(it)
    await press()
    await panelOf(it)
    const user = await openPage(it.path, [it.island])
    await screen.findByText(REFERENCE)
    await screen.findByText(/^(Today|Tomorrow|On [A-Z][a-z]+day) before .*, South African time$/)
    expect(formOf(it)).toBeNull()
    // who only looks again is left where they are
    expect(document.activeElement).toBe(document.body)
    if (isContract) islandOf(it).getByRole('heading', { name: 'Your Premium contract is signed.' })
    await user.click(sendAnother(it))
    expect(formOf(it)).toBeTruthy()
    expect(Object.keys(sessionStorage).filter((key) => key.endsWith('-sent'))).toEqual([])
    await openPage(it.path, [it.island])
    expect(formOf(it)).toBeTruthy()
    expect(screen.queryByText(REFERENCE)).toBeNull()
  })
})

test('An address with a slip is asked about, is mended by one press, and may also stay', async () => {
  const it = CONSULTATION
  const { user, press } = await openFilled(it)
  const email = field(it, /^Email/)
  const leave = async (address: string) => {
    await user.click(email)
    type(it, /^Email/, address)
    await user.click(field(it, /^Phone/))
  }
  await leave('anna@gmial.com')
  await user.click(await inForm(it).findByRole('button', { name: 'anna@gmail.com' }))
  expect(email.value).toBe('anna@gmail.com')
  expect(document.activeElement).toBe(email)
  expect(inForm(it).queryByText(/Did you mean/)).toBeNull()
  await leave('anna@gmial.com')
  await inForm(it).findByText(/Did you mean/)
  await press()
  await panelOf(it)
  expect(bodyOf()).toMatchObject({ email: 'anna@gmial.com' })
})

test('An address with a slip is asked about also where it was left before the form came alive', async () => {
  await openPage('/', [])
  showPage('/')
  field(CONSULTATION, /^Email/).value = 'anna@gmial.com'
  field(CONSULTATION, /^Phone/).focus()
  await wake('hero-form')
  const button = await inForm(CONSULTATION).findByRole('button', { name: 'anna@gmail.com' })
  expect(button.closest('[role=status]')?.textContent).toBe('Did you mean anna@gmail.com?')
})

test('A box ticked before the form came alive stays ticked', async () => {
  const user = await openPage(CONTRACT.path, [])
  inForm(CONTRACT).getByRole<HTMLInputElement>('checkbox').checked = true
  await wake('contract-form')
  await user.click(inForm(CONTRACT).getByRole('button', { name: CONTRACT.action }))
  await inForm(CONTRACT).findByText('Business name is required')
  expect(inForm(CONTRACT).queryByText('You must agree to the terms and conditions')).toBeNull()
})

test('What the server finds wrong shows at its field, without a note that it failed', async () => {
  const errors = [{ path: 'phone', message: 'Please enter a valid phone number' }]
  const { press } = await openFilled(CONSULTATION, () => problem(422, { title: 'Invalid', errors }))
  await press()
  await inForm(CONSULTATION).findByText('Please enter a valid phone number')
  expect(field(CONSULTATION, /^Phone/).getAttribute('aria-invalid')).toBe('true')
  expect(inForm(CONSULTATION).queryByText("We couldn't send this yet.")).toBeNull()
})

test('A contract whose terms have changed shows the difference, keeps what was typed and asks to agree again', async () => {
  const terms = {
    version: 2,
    line: 'Premium - R1,599 + R499/month',
    agreement: 'I agree to the new terms.',
    changes: [
      { part: 'Terms', removed: ['3 major revisions are included.'], added: ['2 major revisions are included.'] },
    ],
  }
  const changed = () => problem(409, { type: 'urn:problem:terms-changed', terms })
  const { user, press } = await openFilled(CONTRACT, inTurn(changed, created))
  await press()
  const difference = within(await islandOf(CONTRACT).findByRole('region', { name: 'Changed terms' }))
  difference.getByText('3 major revisions are included.')
  difference.getByText('2 major revisions are included.')
  await screen.findByText('Submission Failed')
  expect(field(CONTRACT, /^Full name/).value).toBe('Thandi Nkosi')
  const box = inForm(CONTRACT).getByRole<HTMLInputElement>('checkbox', { name: /^I agree to the new terms\./ })
  expect(box.checked).toBe(false)
  await press()
  await inForm(CONTRACT).findByText('You must agree to the terms and conditions')
  expect(requestsOf(POST)).toHaveLength(1)
  await user.click(box)
  await press()
  await panelOf(CONTRACT)
  expect(bodyOf(0)).toMatchObject({ termsVersion: '1', package: 'Premium - R1,499 + R499/month' })
  expect(bodyOf(1)).toMatchObject({ termsVersion: '2', package: 'Premium - R1,599 + R499/month' })
  expect(bodyOf(1).openedBeforeMs).toBeGreaterThan(0)
  expect(bodyOf(1).tickedBeforeMs).toBeGreaterThanOrEqual(0)
})
