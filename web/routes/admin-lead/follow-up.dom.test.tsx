import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { mutate } from 'swr'
import { expect, test, vi } from 'vitest'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import {
  ayanda,
  entryOf,
  holdBack,
  idOf,
  type LeadApi,
  leadApi,
  openLead,
  tellOnLeads,
} from '../../testing/lead-api.ts'
import { pressInAccountMenu, type TestScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf, type Sent } from '../../testing/server.ts'

const open = async (api: LeadApi, answers: Record<string, Answer> = {}) => {
  const shown = await openLead(api, answers)
  await screen.findByLabelText('Status')
  return shown
}
const reload = async (api: LeadApi, answers: Record<string, Answer> = {}) => {
  cleanup()
  await mutate(() => true, undefined, { revalidate: false })
  return await open(api, answers)
}

const status = () => screen.getByLabelText<HTMLSelectElement>('Status')
const owner = () => screen.getByLabelText<HTMLSelectElement>('Assigned to')
const nextAction = () => screen.getByLabelText<HTMLInputElement>('Remind me on')
const value = () => screen.getByLabelText<HTMLInputElement>('Value (R)')
const note = () => screen.getByLabelText<HTMLTextAreaElement>('Note')
const choose = ({ user }: TestScreen, label: string) => user.selectOptions(status(), label)
const type = async ({ user }: TestScreen, field: HTMLElement, words: string) => {
  await user.clear(field)
  await user.click(field)
  await user.paste(words)
}
const addNote = ({ user }: TestScreen) => user.click(screen.getByRole('button', { name: 'Add note' }))
const press = ({ user }: TestScreen, name: string) => user.click(screen.getByRole('button', { name }))
const undo = async ({ user }: TestScreen) => {
  const notices = screen.getByRole('region', { name: 'Notifications (F8)' })
  await user.click(await within(notices).findByRole('button', { name: 'Undo' }))
}
const timeline = () => within(screen.getByRole('list', { name: 'Timeline' }))
const entry = (words: string) =>
  within(
    timeline()
      .getAllByRole('listitem')
      .find(({ textContent }) => textContent?.includes(words)) ?? expect.fail(`No entry of the timeline says ${words}`),
  )
const patches = () => requestsOf(`PATCH /api/leads/${idOf(1)}`).map(({ body }) => body)
const notesSent = () => requestsOf(`POST /api/leads/${idOf(1)}/notes`)
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('staff/'))
const isGone = (find: () => unknown) => waitFor(() => expect(find()).toBeNull())
const leaveQuestion = async () => within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))

test('Each field of a lead is saved as it is changed, shown in the timeline, and undone', async () => {
  const api = leadApi()
  const shown = await open(api)
  await screen.findByText(/^Answer by /)
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(screen.queryByLabelText('Value (R)')).toBeNull()
  await shown.user.selectOptions(owner(), 'Sipho')
  await screen.findByText('Saved')
  await choose(shown, 'Won')
  await type(shown, value(), '12.500')
  await shown.user.tab()
  await screen.findByText('Enter an amount, e.g. 12,500.50')
  expect(value().getAttribute('aria-invalid')).toBe('true')
  await type(shown, value(), 'R14 999,50')
  await shown.user.tab()
  fireEvent.change(screen.getByLabelText('Conversion date'), { target: { value: '2026-01-31' } })
  fireEvent.change(nextAction(), { target: { value: '2026-01-05' } })
  const conversionDate = '2026-01-31T10:00:00.000Z'
  await waitFor(() =>
    expect(patches()).toEqual([
      { ownerId: SIPHO.id },
      { followUpStatus: 'won' },
      { projectValue: 14_999.5 },
      { conversionDate },
      { nextActionDate: '2026-01-05' },
    ]),
  )
  await screen.findByText('Next action was due 5 January 2026')
  for (const words of [
    'Status: Won',
    'Assigned to: Sipho',
    'Next action: 5 January 2026',
    'Conversion date: 31 January 2026',
  ])
    entry(words)
  const change = entry('Project value: R14,999.50')
  change.getByText((_, element) => /^Thandi, \d\d:\d\d$/.test(element?.textContent ?? ''))
  expect(screen.queryByText(/^Answer by /)).toBeNull()
  await undo(shown)
  await screen.findByText('Undone')
  await waitFor(() => expect(nextAction().value).toBe(''))
  await screen.findByText('Undid a change')
})

test('A day that is typed is saved when the field is left or by Enter, a value that was not changed never', async () => {
  const api = leadApi(ayanda({ followUpStatus: 'quoted', projectValue: 9_000 }))
  await open(api)
  const typed = (day: string) => {
    fireEvent.keyDown(nextAction(), { key: '1' })
    fireEvent.change(nextAction(), { target: { value: day } })
  }
  for (const day of ['2027-01-01', '2027-01-31']) typed(day)
  expect(patches()).toEqual([])
  fireEvent.keyDown(nextAction(), { key: 'Enter' })
  await waitFor(() => expect(patches()).toEqual([{ nextActionDate: '2027-01-31' }]))
  typed('0002-01-31')
  fireEvent.blur(nextAction())
  value().focus()
  value().blur()
  await screen.findByText('Saved')
  expect(patches()).toHaveLength(1)
})

test('A day that is typed is saved if its screen is left right then', async () => {
  const { go } = await open(leadApi(ayanda({ followUpStatus: 'quoted' })), { 'GET /api/emails': [] })
  fireEvent.keyDown(nextAction(), { key: '1' })
  fireEvent.change(nextAction(), { target: { value: '2027-01-31' } })
  await go('/admin-email')
  await waitFor(() => expect(patches()).toEqual([{ nextActionDate: '2027-01-31' }]))
})

test('Setting the status of an unassigned lead assigns it to oneself, and losing it does not', async () => {
  const api = leadApi()
  const shown = await open(api)
  await choose(shown, 'Contacted')
  await screen.findByText('It is now assigned to you.')
  await waitFor(() => expect(owner().value).toBe(THANDI.id))
  expect(patches()).toEqual([{ followUpStatus: 'contacted', ownerId: THANDI.id }])
  await undo(shown)
  await waitFor(() => expect([owner().value, status().value]).toEqual(['', 'new']))
  await choose(shown, 'Lost')
  await waitFor(() => expect(patches().at(-1)).toEqual({ followUpStatus: 'lost' }))
})

test('A lead that has a value shows it whatever its status, until it is removed', async () => {
  const api = leadApi(ayanda({ followUpStatus: 'contacted', projectValue: 14_500.5 }))
  const shown = await open(api)
  expect([status().value, value().value]).toEqual(['contacted', '14,500.50'])
  await choose(shown, 'Lost')
  await type(shown, value(), '9000')
  await shown.user.keyboard('{Enter}')
  await waitFor(() => expect(api.lead).toMatchObject({ followUpStatus: 'lost', projectValue: 9_000 }))
  await shown.user.clear(value())
  await shown.user.tab()
  await isGone(() => screen.queryByLabelText('Value (R)'))
  expect(api.lead.projectValue).toBeNull()
})

test('A change that the server does not take is reported, and the field shows the lead again', async () => {
  const api = leadApi()
  const shown = await open(api, { 'PATCH /api/leads/*': problem(503) })
  await choose(shown, 'Quoted')
  await screen.findByText('Not saved')
  await waitFor(() => expect(status().value).toBe('new'))
})

test('Changes made while another is being saved are saved next, on the lead as it is then', async () => {
  const api = leadApi()
  const { answers, letGo } = holdBack(api, 'PATCH /api/leads/*')
  const shown = await open(api, answers)
  await choose(shown, 'Contacted')
  await choose(shown, 'Quoted')
  fireEvent.change(nextAction(), { target: { value: '2026-12-24' } })
  expect([nextAction().value, status().value]).toEqual(['2026-12-24', 'quoted'])
  letGo()
  await waitFor(() => expect(api.lead).toMatchObject({ followUpStatus: 'quoted', nextActionDate: '2026-12-24' }))
  expect(screen.queryByText(/changed this while you were editing/)).toBeNull()
  expect(patches()).toHaveLength(3)
})

test('If a colleague changed the same, both changes are shown next to each other, and theirs can be chosen', async () => {
  const api = leadApi()
  const shown = await open(api)
  api.changeUnseen({ followUpStatus: 'lost' })
  await choose(shown, 'Quoted')
  const panel = await screen.findByText(/^Sipho changed this while you were editing\./)
  const told = [...(panel.parentElement?.querySelectorAll('p, h3, button') ?? [])].map(({ textContent }) =>
    textContent?.replace(/, \w+day, .*/, ', then'),
  )
  expect(told).toEqual([
    'Sipho changed this while you were editing. Your changes aren’t saved.',
    'Status',
    'Lost',
    'Sipho, then',
    'Quoted',
    'Yours',
    'Keep theirs',
    'Use mine',
  ])
  // another field can be changed before that
  fireEvent.change(nextAction(), { target: { value: '2026-12-01' } })
  await waitFor(() => expect(api.lead.nextActionDate).toBe('2026-12-01'))
  await press(shown, 'Keep theirs')
  await isGone(() => screen.queryByText(/changed this while you were editing/))
  await waitFor(() => expect(status().value).toBe('lost'))
  expect(api.lead.followUpStatus).toBe('lost')
})

test('If a colleague changed the same, my change can be chosen, and the focus moves to the section', async () => {
  const api = leadApi()
  const shown = await open(api)
  api.changeUnseen({ followUpStatus: 'lost' })
  await choose(shown, 'Quoted')
  ;(await screen.findByRole('button', { name: 'Use mine' })).focus()
  await shown.user.keyboard('{Enter}')
  await isGone(() => screen.queryByText(/^Sipho changed this/))
  await waitFor(() => expect(api.lead.followUpStatus).toBe('quoted'))
  expect(document.activeElement?.textContent).toBe('Details')
})

test('Changes of two staff members that do not overlap are both saved', async () => {
  const api = leadApi()
  await open(api)
  api.changeUnseen({ followUpStatus: 'contacted' })
  fireEvent.change(nextAction(), { target: { value: '2026-12-24' } })
  await screen.findByText('Saved')
  await waitFor(() => expect(status().value).toBe('contacted'))
  expect(api.lead).toMatchObject({ followUpStatus: 'contacted', nextActionDate: '2026-12-24' })
})

test('If a colleague made the same change first there is nothing of mine to undo', async () => {
  const api = leadApi()
  const { answers, letGo } = holdBack(api, 'PATCH /api/leads/*')
  const shown = await open(api, answers)
  await choose(shown, 'Contacted')
  api.changeUnseen({ followUpStatus: 'contacted', ownerId: SIPHO.id })
  letGo()
  await screen.findByText('Saved')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(api.lead).toMatchObject({ followUpStatus: 'contacted', ownerId: SIPHO.id, version: 2 })
})

test('After an undo in the timeline the focus moves to the composer', async () => {
  const api = leadApi()
  const shown = await open(api)
  await choose(shown, 'Contacted')
  const takeBack = await timeline().findByRole('button', { name: /^Undo: Updated lead/ })
  takeBack.focus()
  await shown.user.keyboard('{Enter}')
  await screen.findByText('Undone')
  await isGone(() => timeline().queryByRole('button', { name: /^Undo: Updated lead/ }))
  expect(document.activeElement?.textContent).toBe('Answer')
})

const RELATED = { leads: [ayanda({ id: idOf(2), name: 'Other Lead' })], timeline: [entryOf('lead')] }

test('A half-written note is stored without a question, for each lead', async () => {
  const api = leadApi(ayanda(), RELATED)
  const shown = await open(api)
  const other = async () => (await screen.findAllByRole('link', { name: /^Other Lead/ }))[0] ?? expect.fail()
  const title = (name: string) => screen.findByRole('heading', { level: 1, name: new RegExp(name) })
  await type(shown, note(), 'Half a no')
  await shown.user.click(await other())
  await title('Other Lead')
  expect(note().value).toBe('')
  await shown.back()
  await title('Ayanda Cele')
  await waitFor(() => expect(note().value).toBe('Half a no'))
})

const NOWHERE = { 'GET /api/settings': problem(500) }

test('Leaving text that this device does not store needs a confirmation', async () => {
  const shown = await open(leadApi())
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  try {
    await type(shown, note(), 'Nobody keeps this')
    await shown.user.click(screen.getByRole('link', { name: 'Overview' }))
    await shown.user.click((await leaveQuestion()).getByRole('button', { name: 'Stay here' }))
    expect(note().value).toBe('Nobody keeps this')
  } finally {
    full.mockRestore()
  }
})

test('Leaving text that another tab has replaced needs a confirmation, and it can be saved', async () => {
  const shown = await open(leadApi())
  await type(shown, note(), 'What one tab wrote')
  const key = kept().find((each) => each.endsWith('-note-draft')) ?? expect.fail('No draft')
  const other = JSON.stringify({
    value: 'Quite other words',
    id: 'other',
    savedAt: new Date().toISOString(),
  })
  localStorage.setItem(key, other)
  dispatchEvent(new StorageEvent('storage', { key, newValue: other }))
  const isLeftUnasked = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await waitFor(() => expect(isLeftUnasked()).toBe(false))
  await shown.user.click(screen.getByRole('link', { name: 'Overview' }))
  await shown.user.click((await leaveQuestion()).getByRole('button', { name: 'Stay here' }))
  await addNote(shown)
  await timeline().findByText('What one tab wrote')
  expect(notesSent().map(({ body }) => body)).toEqual([{ note: 'What one tab wrote' }])
})

test('A note that is being sent when one leaves is no longer a draft once it is stored', async () => {
  const api = leadApi()
  const { answers, letGo } = holdBack(api, 'POST /api/leads/*/notes')
  const shown = await open(api, { ...answers, ...NOWHERE })
  await type(shown, note(), 'Called at noon')
  await addNote(shown)
  await shown.go('/admin-settings')
  await isGone(() => screen.queryByLabelText('Note'))
  expect(kept()).toHaveLength(1)
  letGo()
  await waitFor(() => expect(kept()).toEqual([]))
})

test('A note that was begun about a lead moves along when a colleague merges it into another one', async () => {
  const api = leadApi()
  const shown = await open(api)
  await type(shown, note(), 'Half a no')
  const stays = ayanda({ id: idOf(2), name: 'Stays Here' })
  api.others = [stays]
  api.lead = { ...api.lead, mergedInto: stays.id }
  const after = await reloadAt(api)
  await waitFor(() => expect(after.address()).toBe(`/admin-lead?id=${stays.id}`))
  await waitFor(() => expect(note().value).toBe('Half a no'))
  expect(kept().map((key) => key.includes(stays.id))).toEqual([true])
})

const reloadAt = async (api: LeadApi) => {
  cleanup()
  await mutate(() => true, undefined, { revalidate: false })
  return await openLead(api)
}

test('Signing out with half a note asks first, by its button and by the palette, and one can stay signed in', async () => {
  const shown = await open(leadApi(), { 'GET /api/palette': { leads: [], flagged: 0, chats: [] } })
  await type(shown, note(), 'Half a no')
  const stay = async () => {
    const question = within(await screen.findByRole('dialog', { name: 'Sign out without saving?' }))
    await shown.user.click(question.getByRole('button', { name: 'Stay here' }))
  }
  await pressInAccountMenu(shown.user, 'Sign out')
  await stay()
  await shown.user.keyboard('{Control>}k{/Control}')
  await shown.user.type(
    await screen.findByPlaceholderText('A lead, a chat, a person, a screen or a command...'),
    'sign out',
  )
  await shown.user.click(await screen.findByRole('option', { name: 'Sign out' }))
  await stay()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(note().value).toBe('Half a no')
  expect(requestsOf('POST /api/logout')).toEqual([])
})

test('A note survives a failed attempt and a closed page', async () => {
  const api = leadApi()
  const shown = await open(api, { 'POST /api/leads/*/notes': () => Promise.reject(new TypeError('Failed to fetch')) })
  await type(shown, note(), 'Called at noon')
  await addNote(shown)
  await screen.findByText('The note was not added')
  const again = await reload(api)
  await screen.findByText('You typed this before. It is not saved yet.')
  expect(note().value).toBe('Called at noon')
  await addNote(again)
  await timeline().findByText('Called at noon')
  await waitFor(() => expect(kept()).toEqual([]))
  const keys = notesSent().map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

test('A note that another tab saved disappears from this one, and one is removed from the device when its person is erased', async () => {
  const api = leadApi()
  const shown = await open(api)
  await type(shown, note(), 'Called at noon')
  await reload(api)
  expect(note().value).toBe('Called at noon')
  const [key = ''] = kept()
  localStorage.removeItem(key)
  dispatchEvent(new StorageEvent('storage', { key, newValue: null }))
  await screen.findByText('This note was saved or discarded in another tab')
  expect(note().value).toBe('')
  await type(shown, note(), 'Half a no')
  await waitFor(() => expect(kept()).toHaveLength(1))
  tellOnLeads('lead', { ...api.lead, name: 'Erased', email: '', phone: '' })
  await waitFor(() => expect(kept()).toEqual([]))
})

test('A note joins the timeline and can be undone', async () => {
  const api = leadApi()
  const shown = await open(api)
  expect(screen.getByRole('button', { name: 'Add note' }).getAttribute('aria-disabled')).toBe('true')
  await type(shown, note(), 'Called. They want a shop.')
  await addNote(shown)
  await timeline().findByText('Called. They want a shop.')
  await waitFor(() => expect(note().value).toBe(''))
  const added = entry('Called. They')
  added.getByText((_, element) => /^Thandi, \d\d:\d\d$/.test(element?.textContent ?? ''))
  await shown.user.click(added.getByRole('button', { name: /^Undo/ }))
  await screen.findByText('Undone')
  await screen.findByText('Note (removed)')
})

test('Ctrl or Cmd and Enter add a note once, and an empty one never', async () => {
  const shown = await open(leadApi())
  await shown.user.click(note())
  await shown.user.keyboard('{Control>}{Enter}{/Control}')
  await type(shown, note(), 'Called back')
  await shown.user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(note().value).toBe(''))
  await type(shown, note(), 'Met in person')
  await shown.user.keyboard('{Meta>}{Enter}{/Meta}')
  await waitFor(() =>
    expect(notesSent().map(({ body }) => body)).toMatchObject([{ note: 'Called back' }, { note: 'Met in person' }]),
  )
})

test('The server’s reason for refusing a note is shown, and the typed text stays', async () => {
  const detail = 'This person has been erased: notes can no longer be added'
  const shown = await open(leadApi(), { 'POST /api/leads/*/notes': () => problem(409, { detail }) })
  await type(shown, note(), 'Called.')
  await addNote(shown)
  await screen.findByText(`${detail}.`)
  expect(note().value).toBe('Called.')
})

test('A session that ends leaves the typed text visible, and says so until one signs in again', async () => {
  const api = leadApi()
  let isSignedIn = true
  const shown = await open(api, {
    'GET /api/me': () => (isSignedIn ? THANDI : problem(401)),
    'POST /api/leads/*/notes': (sent: Sent) =>
      isSignedIn ? (api.answers['POST /api/leads/*/notes'] as (sent: Sent) => unknown)(sent) : problem(401),
  })
  await type(shown, note(), 'Half a no')
  isSignedIn = false
  tellOnLeads('staff')
  await screen.findByText('Your session has ended.')
  screen.getByText(/Your text stays on this device\. Sign in to continue here\./)
  screen.getByRole('button', { name: 'Sign in' })
  expect(note().value).toBe('Half a no')
  isSignedIn = true
  tellOnLeads('staff')
  await isGone(() => screen.queryByText('Your session has ended.'))
  await addNote(shown)
  await timeline().findByText('Half a no')
})
