import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SIPHO, THANDI } from '../../../testing/answers.ts'
import { type ListedLead, leadsApi } from '../../../testing/leads.ts'
import { openScreen, said } from '../../../testing/screen.tsx'
import { requestsOf } from '../../../testing/server.ts'

const open = (...leads: ListedLead[]) => openAt('/admin-pipeline', ...leads)

const openAt = async (path: string, ...leads: ListedLead[]) => {
  const api = leadsApi(leads)
  const shown = await openScreen(path, {
    ...api.answers,
    'POST /api/me/leads-layout': { ...THANDI, leadsLayout: 'list' },
  })
  await stage('New')
  return { api, ...shown }
}
const stage = (name: string) => screen.findByRole('region', { name: new RegExp(`^${name} \\d`) })
const card = async (name: string, title: string) => {
  const list = await stage(name)
  return waitFor(() => {
    const found = within(list)
      .queryAllByRole('listitem')
      .find(({ textContent }) => textContent?.includes(title))
    if (!found) throw new Error(`There is no ${title} in ${name}`)
    return within(found)
  })
}
const isGone = async (name: string, title: string) => {
  const list = await stage(name)
  await waitFor(() => expect(list.textContent).not.toContain(title))
}
const choice = (title: string) => screen.getByLabelText<HTMLSelectElement>(`Stage of ${title}`)
const OWNED = 'It is now assigned to you.'
const NANDI = { name: 'Nandi Cele', businessName: 'Cele Flowers' }

test('A card is moved by keys with the focus on it, until the focus moves elsewhere', async () => {
  const { user, api } = await open({ name: 'Thandi Mokoena', businessName: 'Mokoena Salon' })
  const link = async (name: string) => (await card(name, 'Mokoena Salon')).getByRole('link')
  ;(await link('New')).focus()
  for (const name of ['Contacted', 'Quoted', 'Won']) {
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}')
    await waitFor(async () => expect(document.activeElement).toBe(await link(name)))
  }
  expect(api.named('Thandi Mokoena').followUpStatus).toBe('won')
  const days = screen.getByRole('button', { name: 'Period: Any time' })
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}')
  days.focus()
  await link('Quoted')
  await isGone('Won', 'Mokoena Salon')
  expect(document.activeElement).toBe(days)
})

test('A card is moved by its select of stages, and the move is undone', async () => {
  const { user } = await open({ name: 'Xolani Zulu', businessName: 'Zulu Motors' })
  ;(await card('New', 'Zulu Motors')).getByText(/^(Answer by|Overdue by)/)
  choice('Xolani Zulu').focus()
  await user.selectOptions(choice('Xolani Zulu'), 'Lost')
  const moved = await card('Lost', 'Zulu Motors')
  await waitFor(() => expect(document.activeElement).toBe(moved.getByRole('link')))
  await said('Moved to Lost: Xolani Zulu')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await card('New', 'Zulu Motors')
})

test('Moving the card of an unassigned lead assigns it to oneself, until that is undone, except for a lost one', async () => {
  const { user, api } = await open(NANDI)
  ;(await card('New', 'Cele Flowers')).getByRole('link').focus()
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}')
  await screen.findByText(OWNED)
  await (await card('Contacted', 'Cele Flowers')).findByText(/, Thandi$/)
  expect(api.named(NANDI.name)).toMatchObject({ followUpStatus: 'contacted', ownerId: THANDI.id })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await card('New', 'Cele Flowers')
  // each stage is fetched separately
  await isGone('Contacted', 'Cele Flowers')
  expect(api.named(NANDI.name)).toMatchObject({ followUpStatus: 'new', ownerId: null })

  await user.selectOptions(choice(NANDI.name), 'Lost')
  await said(`Moved to Lost: ${NANDI.name}`)
  expect(screen.queryByText(OWNED)).toBeNull()
  expect(api.named(NANDI.name)).toMatchObject({ followUpStatus: 'lost', ownerId: null })
})

test('A lead that a colleague took first stays theirs as its card is moved', async () => {
  const { user, api } = await open(NANDI)
  await card('New', 'Cele Flowers')
  api.unheard(NANDI.name, { ownerId: SIPHO.id })
  await user.selectOptions(choice(NANDI.name), 'Quoted')
  await said(`Moved to Quoted: ${NANDI.name}`)
  expect(screen.queryByText(OWNED)).toBeNull()
  expect(api.named(NANDI.name)).toMatchObject({ followUpStatus: 'quoted', ownerId: SIPHO.id })
  expect(requestsOf(`PATCH /api/leads/${api.named(NANDI.name).id}`)).toHaveLength(2)
})

test('If two people move one card the second one sees the first one’s move, and chooses', async () => {
  const { user, api } = await open(NANDI)
  await card('New', 'Cele Flowers')
  api.unheard(NANDI.name, { followUpStatus: 'contacted' })
  await user.selectOptions(choice(NANDI.name), 'Lost')
  const dialog = within(await screen.findByRole('dialog', { name: 'A colleague was faster' }))
  dialog.getByText('Sipho changed this while you were editing. Your changes aren’t saved.')
  expect(api.named(NANDI.name).followUpStatus).toBe('contacted')
  await user.click(dialog.getByRole('button', { name: 'Use mine' }))
  await card('Lost', 'Cele Flowers')
  expect(api.named(NANDI.name).followUpStatus).toBe('lost')
})

test('A quoted lead has a value, which counts for its stage and for the forecast', async () => {
  const { user, api } = await open({ name: 'Zanele Qwabe', businessName: 'Qwabe Bakery', followUpStatus: 'quoted' })
  await user.click(await screen.findByRole('button', { name: /: value of Zanele Qwabe$/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Project value (R)'), '10,001')
  await user.click(dialog.getByRole('button', { name: 'Save value' }))
  await within(await stage('Quoted')).findByText('R10,001, from 1')
  await screen.findByText('Forecast: R5,000.50 (won, plus the likely part of the rest)')
  expect(api.named('Zanele Qwabe').projectValue).toBe(10_001)
})

test('A stage shows a value only if its cards can take one, or if it has one', async () => {
  const { api } = await open({ name: 'Naledi Fourie', businessName: 'Fourie Guesthouse', followUpStatus: 'contacted' })
  await card('Contacted', 'Fourie Guesthouse')
  within(await stage('Quoted')).getByText('50% in the forecast')
  for (const name of ['New', 'Contacted', 'Lost']) {
    const shown = within(await stage(name))
    expect(shown.queryByText('No values yet'), name).toBeNull()
    expect(shown.queryByText(/% in the forecast$/), name).toBeNull()
  }
  api.change('Naledi Fourie', { projectValue: 14_500.5 })
  await within(await stage('Contacted')).findByText('R14,500.50, from 1')
  within(await stage('Contacted')).getByText('25% in the forecast')
})

test('The board has the filters and the search of the list, and keeps them in the address from one to the other', async () => {
  const mine = { name: 'Thandi Mokoena', ownerId: THANDI.id, followUpStatus: 'contacted' as const }
  const { user, address } = await openAt(
    '/admin-pipeline?status=open&owner=me',
    mine,
    { ...mine, name: 'Ana Smit' },
    NANDI,
  )
  await card('Contacted', 'Thandi Mokoena')
  expect(screen.queryByText(NANDI.name)).toBeNull()
  expect(screen.queryByRole('button', { name: /^Status/ })).toBeNull()
  await user.type(screen.getByLabelText('Search'), 'smit')
  await isGone('Contacted', 'Thandi Mokoena')
  await stage('Contacted').then((found) => within(found).getByText('1'))
  await user.click(screen.getByRole('button', { name: 'Assigned to: My leads' }))
  await user.click(await screen.findByRole('option', { name: 'Unassigned' }))
  await isGone('Contacted', 'Ana Smit')
  await user.click(screen.getByRole('button', { name: 'List' }))
  await waitFor(() => expect(address()).toMatch(/^\/admin-dashboard\?/))
  const kept = Object.fromEntries(new URLSearchParams(address().split('?')[1]))
  expect(kept).toEqual({ status: 'open', owner: 'none', q: 'smit' })
})

test('Keys go through the cards of all stages, assign, set the status and flag, with the focus on the card or the next', async () => {
  const { user, api } = await open(
    { ...NANDI, at: '2026-11-20T08:00:00Z' },
    { name: 'Ana Smit', followUpStatus: 'quoted' },
    { name: 'Xolani Zulu', at: '2026-11-21T08:00:00Z' },
  )
  const focused = () => document.activeElement?.textContent
  await card('Quoted', 'Ana Smit')
  await user.keyboard('j')
  expect(focused()).toContain('Xolani Zulu')
  await user.keyboard('jj')
  expect(focused()).toContain('Ana Smit')
  await user.keyboard('kka')
  await said('Assigned to you: Xolani Zulu')
  await user.keyboard('s')
  await user.type(await screen.findByRole('combobox', { name: 'Set status' }), 'cont{Enter}')
  const moved = await card('Contacted', 'Xolani Zulu')
  await waitFor(() => expect(document.activeElement).toBe(moved.getByRole('link')))
  await user.keyboard('k#')
  await isGone('New', NANDI.name)
  await waitFor(() => expect(focused()).toContain('Xolani Zulu'))
  expect(api.named(NANDI.name).suspicion).toEqual(['staff'])
})
