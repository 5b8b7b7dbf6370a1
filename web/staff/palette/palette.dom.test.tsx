import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Palette } from '../../../events/lead/screens/palette-wire.ts'
import { THANDI } from '../../testing/answers.ts'
import { fill, textsOf } from '../../testing/fields.ts'
import { leadsApi } from '../../testing/leads.ts'
import { openScreen, said } from '../../testing/screen.tsx'
import type { Answer, Sent } from '../../testing/server.ts'

const NONE: Palette = { leads: [], chats: [], flagged: 0 }

const lead = (id: string, name: string, businessName: string | null = null): Palette['leads'][number] => ({
  id,
  name,
  businessName,
  company: null,
  leadSource: 'hero_form',
  followUpStatus: 'new',
  timestamp: '2026-01-05T08:00:00.000Z',
})

/** Opens the palette by its button; `found` maps a text to its results. */
const openPalette = async (found: Record<string, Palette> = {}, answers: Record<string, Answer> = {}) => {
  const opened = await openScreen('/admin-email', {
    'GET /api/emails': [],
    'GET /api/palette': ({ query }: Sent) => found[query.get('q') ?? ''] ?? NONE,
    ...answers,
  })
  const opener = await screen.findByRole('button', { name: 'Search' })
  await opened.user.click(opener)
  const field = await screen.findByRole('combobox', { name: 'Go to' })
  return { ...opened, opener, field }
}

const dialog = () => within(screen.getByRole('dialog'))
const options = () => textsOf(dialog().getAllByRole('option'))
const chosen = () => dialog().getByRole('option', { selected: true }).textContent

test('Ctrl+K opens it on every screen, and not over a dialog', async () => {
  await openScreen('/admin-email', { 'GET /api/emails': [] })
  await screen.findByText('No emails yet')
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  await screen.findByRole('combobox', { name: 'Go to' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
})

test('Arrows move the selection, and a text without a match can be searched for', async () => {
  const { user, field } = await openPalette()
  await waitFor(() => expect(chosen()).toBe('Today'))
  field.focus()
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(chosen()).toBe('Leads'))
  fill(field, 'nobody at all')
  await screen.findByText('Nothing found for "nobody at all".')
  expect(options()).toEqual(['All leads with "nobody at all"'])
})

test('The first result is selected: a lead, a chat, a colleague, a screen', async () => {
  const { field } = await openPalette({
    qw: { ...NONE, leads: [lead('one', 'Zanele Qwabe', 'Uxbridge Bakery')] },
    zodwa: {
      ...NONE,
      chats: [{ sessionId: 'chat', visitorName: 'Zodwa', isActive: true, startTime: '2026-01-05T08:00:00.000Z' }],
    },
  })
  for (const [typed, found] of [
    ['qw', /^Zanele Qwabe, Uxbridge Bakery/],
    ['zodwa', /^Zodwa/],
    ['sipho', /^Leads of Sipho/],
    ['hist', /^Sign-ins/],
  ] as const) {
    fill(field, typed)
    await waitFor(() => expect(chosen()).toMatch(found))
  }
})

test('a screen, a section or a command whose name begins with the text comes before leads with it', async () => {
  const { field } = await openPalette({
    'add lead': { ...NONE, leads: [lead('one', 'Adda Leadbetter')] },
    leads: { ...NONE, leads: [lead('two', 'Leads Direct')] },
    support: { ...NONE, leads: [lead('three', 'Support Sam')] },
  })
  for (const [typed, found, other] of [
    ['add lead', 'Add lead', /Adda/],
    ['leads', 'Leads', /Leads Direct/],
    ['support', 'Settings › Support hours', /Support Sam/],
  ] as const) {
    fill(field, typed)
    await waitFor(() => expect(options().join()).toMatch(other))
    expect(chosen()).toBe(found)
    expect(options()[0]).toBe(found)
  }
})

test('Enter opens the selected entry', async () => {
  const { user, field, address } = await openPalette(
    {},
    {
      'GET /api/accounts/history': [],
    },
  )
  fill(field, 'hist')
  await waitFor(() => expect(chosen()).toMatch(/^Sign-ins/))
  field.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin-account-history'))
})

test('A lead with a matching name comes before a newer one with a matching address', async () => {
  const { field } = await openPalette({
    zodwa: { ...NONE, leads: [lead('new', 'Chatty Cathy'), lead('old', 'Zodwa Ndaba')] },
  })
  fill(field, 'zodwa')
  await waitFor(() => expect(options().map((text) => text?.slice(0, 6))).toEqual(['Zodwa ', 'Chatty', 'All le']))
})

test('It shows matching leads in quarantine, and none from the response to another text', async () => {
  const held = Promise.withResolvers<Palette>()
  const { field } = await openPalette(
    {},
    {
      'GET /api/palette': ({ query }: Sent) => (query.get('q') === 'else' ? held.promise : { ...NONE, flagged: 1 }),
    },
  )
  fill(field, 'trapped')
  await waitFor(() => expect(options()).toEqual(['All leads with "trapped"', '1 in quarantine matches "trapped"']))
  fill(field, 'else')
  await waitFor(() => expect(options()).toEqual(['All leads with "else"']))
  held.resolve(NONE)
  await screen.findByText('Nothing found for "else".')
})

test('An agent finds no screens for owners', async () => {
  const { field } = await openPalette({}, { 'GET /api/me': { ...THANDI, role: 'agent' } })
  fill(field, 'account')
  await waitFor(() => expect(options()).toEqual(['Your account', 'All leads with "account"']))
})

test('A section of the settings is found by its title, and commands run once the palette is closed', async () => {
  const { user, field, opener, address } = await openPalette()
  fill(field, 'support hours')
  await waitFor(() => expect(chosen()).toBe('Settings › Support hours'))
  fill(field, 'dark')
  await waitFor(() => expect(chosen()).toBe('Dark theme'))
  field.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(document.documentElement.dataset.theme).toBe('dark')
  await user.click(opener)
  const again = await screen.findByRole('combobox', { name: 'Go to' })
  fill(again, 'system')
  await waitFor(() => expect(chosen()).toBe('Theme of the system'))
  again.focus()
  await user.keyboard('{Enter}')
  expect(document.documentElement.dataset.theme).toBeUndefined()
  expect(address()).toBe('/admin-email')
})

test('The commands on a lead act on the row that had the focus; the form of a new lead opens from any screen', async () => {
  const api = leadsApi([{ name: 'Palette Pam' }])
  const answers = { ...api.answers, 'GET /api/me': { ...THANDI, leadsLayout: 'list' } }
  const { user, go } = await openPalette({}, answers)
  await user.keyboard('{Escape}')
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
  await go('/admin-dashboard')
  await screen.findByRole('checkbox', { name: 'Select Palette Pam' })
  const run = async (text: string, name: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k', ctrlKey: true })
    const typed = await screen.findByRole('combobox', { name: 'Go to' })
    fill(typed, text)
    await waitFor(() => expect(chosen()).toBe(name))
    typed.focus()
    await user.keyboard('{Enter}')
  }
  // without a row it names no lead
  await run('assign', 'Unassigned')
  await go('/admin-dashboard')
  ;(await screen.findByRole('button', { name: /Palette Pam/ })).focus()
  await run('assign', 'Assign to me')
  await said('Assigned to you: Palette Pam')
  expect(api.named('Palette Pam').ownerId).toBe(THANDI.id)
  await go('/admin-email')
  await screen.findByText('No emails yet')
  await run('add lead', 'Add lead')
  await screen.findByRole('dialog', { name: 'Add lead' })
})

test('Without a text the leads that were opened last come first', async () => {
  const api = leadsApi([{ name: 'Recent Rose' }])
  const id = api.named('Recent Rose').id
  localStorage.setItem(`recent-leads/${THANDI.id}`, JSON.stringify([id, '99999999-0000-4000-8000-000000000001']))
  await openPalette({}, api.answers)
  await waitFor(() => expect(options()[0]).toMatch(/^Recent Rose/))
  expect(options()[1]).toBe('Today')
})
