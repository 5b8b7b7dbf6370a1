import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Palette } from '../../../events/lead/palette-wire.ts'
import { THANDI } from '../../testing/answers.ts'
import { fill, textsOf } from '../../testing/fields.ts'
import { openScreen } from '../../testing/screen.tsx'
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
  await waitFor(() => expect(chosen()).toBe('Dashboard'))
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
    ['hist', /^Account history/],
  ] as const) {
    fill(field, typed)
    await waitFor(() => expect(chosen()).toMatch(found))
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
  await waitFor(() => expect(chosen()).toMatch(/^Account history/))
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
