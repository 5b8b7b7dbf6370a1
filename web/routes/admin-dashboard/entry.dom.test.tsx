import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Lead } from '../../../events/lead/wire.ts'
import { THANDI } from '../../testing/answers.ts'
import { testLead } from '../../testing/lead.ts'
import { leadsApi } from '../../testing/leads.ts'
import { openScreen, pressInAccountMenu, said } from '../../testing/screen.tsx'
import { answerRequests, requestsOf } from '../../testing/server.ts'

const ADDED = testLead({ id: '20000000-0000-4000-8000-000000000001', name: 'Candice Adams' })

const open = async (leads: Parameters<typeof leadsApi>[0] = []) => {
  const api = leadsApi(leads)
  const shown = await openScreen('/admin-dashboard', {
    ...api.answers,
    'POST /api/leads/by-hand': ({ body }: { body: unknown }) => ({ ...ADDED, ...(body as Partial<Lead>) }),
    [`GET /api/leads/${ADDED.id}`]: ADDED,
    [`GET /api/leads/${ADDED.id}/person`]: { leads: [ADDED], timeline: [], links: [] },
  })
  await screen.findByText('No form submissions for the selected day.')
  return shown
}
const button = () => screen.findByText(/^Add lead/, { selector: 'main button:not(dialog *)' })
const dialog = () => within(screen.getByRole('dialog', { name: 'Add lead', hidden: true }))
const isClosed = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add lead', hidden: true })).toBeNull())
const field = (label: string) => dialog().getByLabelText<HTMLInputElement>(label)
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const press = (name: string) => fireEvent.click(dialog().getByText(name, { selector: 'button' }))
const pressEscape = () =>
  fireEvent(
    dialog().getByText('Add lead', { selector: 'h2' }).closest('dialog') as Element,
    new Event('cancel', { cancelable: true }),
  )
const openForm = async () => {
  fireEvent.click(await button())
  dialog()
}
const restored = () => dialog().queryByText('You typed this before. It is not added yet.')
const keptHere = () => Object.keys(localStorage).filter((key) => key.startsWith('staff/'))
const undo = async () => fireEvent.click(await screen.findByText('Undo', { selector: 'button' }))

test('A draft survives Escape, leaving and another visit, and is removed once the lead is added', async () => {
  await open()
  await openForm()
  type('Name', 'Candice Adams')
  type('Phone', '082 555 0150')
  type('Note', 'Rang at noon.')
  type('Package', 'premium')
  fireEvent.click(field('Not answered yet'))
  pressEscape()
  await screen.findByText('Kept for later')
  await isClosed()
  expect((await button()).textContent).toBe('Add lead (not added yet)')
  await openForm()
  expect(restored()).toBeTruthy()
  expect(field('Name').value).toBe('Candice Adams')
  type('Email', 'candice@adams.example')
  await waitFor(() => expect(restored()).toBeNull())
  press('Keep for later')
  await isClosed()
  cleanup()

  const { address, go } = await open()
  await openForm()
  expect(restored()).toBeTruthy()
  const values = ['Name', 'Email', 'Phone', 'Package', 'Note'].map((label) => field(label).value)
  expect(values).toEqual(['Candice Adams', 'candice@adams.example', '082 555 0150', 'premium', 'Rang at noon.'])
  expect(field('Not answered yet').checked).toBe(true)
  press('Add lead')
  await waitFor(() => expect(address()).toBe(`/admin-lead?id=${ADDED.id}`))
  expect(requestsOf('POST /api/leads/by-hand').at(-1)?.body).toMatchObject({ name: 'Candice Adams', isWaiting: true })
  expect(keptHere()).toEqual([])
  await screen.findByText('Candice Adams', { selector: 'h1 *, h1' })
  await go('/admin-dashboard')
  await screen.findByText('Leads dashboard', { selector: 'h1' })
  fireEvent.click(
    screen.getByText('Kept for later').closest('section')?.querySelector('[aria-label=Dismiss]') as Element,
  )
  await openForm()
  expect(field('Name').value).toBe('')
  pressEscape()
  await isClosed()
  expect(screen.queryByText('Kept for later')).toBeNull()
})

test('A discarded draft is restored by an undo, unless another lead was begun since then, and an empty one is not stored', async () => {
  await open()
  await openForm()
  type('Name', 'Sipho Mokoena')
  press('Discard')
  await screen.findByText('Lead discarded')
  expect(keptHere()).toEqual([])
  await undo()
  await waitFor(() => expect(restored()).toBeTruthy())
  expect(field('Name').value).toBe('Sipho Mokoena')
  press('Keep for later')
  await isClosed()
  await openForm()
  press('Discard')
  await screen.findByText('Lead discarded')
  await openForm()
  type('Name', 'Somebody else')
  pressEscape()
  await isClosed()
  await openForm()
  type('Name', '')
  await waitFor(() => expect(keptHere()).toEqual([]))
  press('Cancel')
  await isClosed()
})

test('An undo does not affect a draft begun since then', async () => {
  await open()
  await openForm()
  type('Name', 'Sipho Mokoena')
  press('Discard')
  await screen.findByText('Lead discarded')
  // as another tab stores it
  const key = `staff/${THANDI.id}/new-lead-draft`
  localStorage.setItem(
    key,
    JSON.stringify({ value: { name: 'Somebody else' }, id: 'other', savedAt: new Date().toISOString() }),
  )
  dispatchEvent(new StorageEvent('storage', { key }))
  await undo()
  await screen.findByText('You have begun another lead')
  await openForm()
  expect(field('Name').value).toBe('Somebody else')
})

test('A draft of another account on this device is not shown', async () => {
  localStorage.setItem(
    'staff/other/new-lead-draft',
    JSON.stringify({ value: { name: 'Secret' }, id: 'other', savedAt: new Date().toISOString() }),
  )
  await open()
  expect((await button()).textContent).toBe('Add lead')
  await openForm()
  expect(field('Name').value).toBe('')
})

test('Leaving text that the device does not store needs a confirmation', async () => {
  const { address } = await open()
  const { setItem } = Storage.prototype
  onTestFinished(() => {
    Storage.prototype.setItem = setItem
  })
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  await openForm()
  type('Phone', '082 555 0152')
  const question = () => screen.findByRole('dialog', { name: 'Leave without saving?', hidden: true })
  pressEscape()
  fireEvent.click(within(await question()).getByText('Stay here', { selector: 'button' }))
  expect(field('Phone').value).toBe('082 555 0152')
  press('Cancel')
  fireEvent.click(within(await question()).getByText('Leave without saving', { selector: 'button' }))
  await isClosed()
  await openForm()
  type('Phone', '082 555 0152')
  press('Add lead')
  await waitFor(() => expect(address()).toBe(`/admin-lead?id=${ADDED.id}`))
})

test('Signing out asks first, mentions the unsaved lead without its content, and removes it', async () => {
  const { user } = await open()
  await openForm()
  type('Name', 'Candice Adams')
  pressEscape()
  answerRequests({ 'POST /api/logout': undefined })
  await pressInAccountMenu(user, 'Sign out')
  const question = within(await screen.findByRole('dialog', { name: 'Sign out without saving?', hidden: true }))
  expect(question.getAllByRole('listitem', { hidden: true }).map((it) => it.textContent)).toEqual([
    'A new lead that was not added',
  ])
  await user.click(question.getByText('Sign out', { selector: 'button' }))
  await waitFor(() => expect(keptHere()).toEqual([]))
  expect(requestsOf('POST /api/logout')).toHaveLength(1)
})

test('An email address or a phone number is needed, and a second press adds no second one', async () => {
  const { user, address } = await open()
  await openForm()
  press('Add lead')
  await screen.findByText('Enter an email address or a phone number')
  type('Phone', '082 555 0177')
  await user.dblClick(dialog().getByText('Add lead', { selector: 'button' }))
  await waitFor(() => expect(address()).toBe(`/admin-lead?id=${ADDED.id}`))
  expect(requestsOf('POST /api/leads/by-hand')).toHaveLength(1)
})

test('The typed text stays if the server fails', async () => {
  await open()
  await openForm()
  type('Email', 'late@example.com')
  answerRequests({ 'POST /api/leads/by-hand': () => Promise.reject(new TypeError('no network')) })
  press('Add lead')
  await waitFor(() =>
    expect(
      dialog()
        .getAllByRole('alert', { hidden: true })
        .some((it) => it.textContent),
    ).toBe(true),
  )
  expect(field('Email').value).toBe('late@example.com')
})

test('The form shows leads with the typed address or number, however it is written, and can still add another', async () => {
  const { address } = await open([
    {
      name: 'Thandi Nkosi',
      email: 'thandi@nkosi.example',
      phone: '021 555 0123 / 083 444 5566',
      followUpStatus: 'quoted',
      at: '2026-01-05T10:00:00+02:00',
    },
    { name: 'Nobody Else', email: 'not.thandi@nkosi.example', phone: '083 444 5567', at: '2026-01-05T10:00:00+02:00' },
  ])
  await openForm()
  type('Phone', '+27 (0)83-444-5566')
  await said('There is a lead with this number: Thandi Nkosi (new tab), quoted, 5 January 2026.')
  type('Email', 'Thandi@nkosi.example')
  await said(/^There is a lead with this email address and number: Thandi Nkosi/)
  const link = dialog().getByText('Thandi Nkosi (new tab)')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.getAttribute('href')).toBe('/admin-lead?id=10000000-0000-4000-8000-000000000001')
  type('Email', 'nobody@nkosi.example')
  type('Phone', '083 444')
  await waitFor(() => expect(dialog().queryByText(/^There is a lead/)).toBeNull())
  expect(dialog().queryByText(/^This number/)).toBeNull()
  type('Phone', '083 444 556')
  await said('This number cannot be called. Is a digit missing?')
  type('Phone', '083 444 5566')
  await said(/^There is a lead with this number/)
  dialog().getByText(/^The lead counts as contacted, and is assigned to you\./)
  fireEvent.click(field('Not answered yet'))
  await screen.findByText('This starts the 2-hour clock.')
  press('Add lead')
  await waitFor(() => expect(address()).toBe(`/admin-lead?id=${ADDED.id}`))
})
