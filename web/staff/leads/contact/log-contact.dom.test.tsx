import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Lead } from '../../../../events/lead/wire.ts'
import { ayanda, entryOf, holdBack, idOf, leadApi, openLead } from '../../../testing/lead-api.ts'
import type { TestScreen } from '../../../testing/screen.tsx'
import { type Answer, problem, requestsOf } from '../../../testing/server.ts'

const SCREENS = { 'GET /api/emails': [] }

const open = (api: ReturnType<typeof leadApi>, answers: Record<string, Answer> = {}) =>
  openLead(api, { ...SCREENS, ...answers })
const panel = async () => within(await screen.findByRole('region', { name: 'Answer' }))
const notices = () => within(screen.getByRole('region', { name: 'Notifications (F8)' }))
const openCall = async ({ user }: TestScreen) =>
  await user.click(await (await panel()).findByRole('button', { name: 'Call' }))
const call = async (shown: TestScreen) => {
  await openCall(shown)
  await shown.user.click(await (await panel()).findByRole('link', { name: /^Call / }))
}
const startLog = async ({ user }: TestScreen) =>
  await user.click(await notices().findByRole('button', { name: 'Log call' }))
const dialog = async (name = 'Ayanda Cele') => within(await screen.findByRole('dialog', { name: `Log call: ${name}` }))
const choose = async ({ user }: TestScreen, outcome: string) =>
  await user.click((await dialog()).getByRole('button', { name: outcome }))
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const noted = (id = idOf(1)) => requestsOf(`POST /api/leads/${id}/contacts`).map(({ body }) => body)

test('The toast of a call survives a change of the screen, and a double click logs the call once', async () => {
  const api = leadApi()
  const { answers, letGo } = holdBack(api, 'POST /api/leads/*/contacts')
  const shown = await open(api, answers)
  await call(shown)
  notices().getByText(/^You called 082 700 1001/)
  await shown.go('/admin-email')
  await startLog(shown)
  await shown.user.dblClick((await dialog()).getByRole('button', { name: 'We spoke' }))
  letGo()
  await screen.findByText(/^Call logged/)
  await isClosed()
  expect(noted()).toEqual([{ channel: 'call', text: null }])
  await shown.user.click(notices().getByRole('link', { name: 'Ayanda Cele' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' })))
})

test('A call is logged next to the number without a toast, and leads to its note by the keyboard alone', async () => {
  const shown = await open(leadApi())
  await openCall(shown)
  const button = await (await panel()).findByRole('button', { name: 'Log call' })
  button.focus()
  await shown.user.keyboard('{Enter}')
  ;(await dialog()).getByRole('button', { name: 'Cancel' }).focus()
  await shown.user.keyboard('{Enter}')
  await isClosed()
  expect(document.activeElement).toBe(button)
  await shown.user.keyboard('{Enter}')
  ;(await dialog()).getByRole('button', { name: 'We spoke' }).focus()
  await shown.user.keyboard('{Enter}')
  await screen.findByText(/^Call logged/)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' })))
  await screen.findByText('Called')
  expect(noted()).toEqual([{ channel: 'call', text: null }])
})

test('After a call, a lead that had an owner is not shown as one’s own', async () => {
  const shown = await open(leadApi(ayanda({ ownerId: '1128067a-94c7-4735-a125-0643e2a557f7' })))
  await call(shown)
  await startLog(shown)
  await choose(shown, 'We spoke')
  await screen.findByText(/^Call logged/)
  expect(screen.queryByText(/It is now assigned to you/)).toBeNull()
})

test.each<[string, (lead: Lead) => unknown]>([
  ['a person who was erased', () => problem(409, { detail: 'The lead was erased' })],
  ['a lead that does not exist', () => problem(404)],
])('A call to %s is not logged, which the dialog survives', async (_, then) => {
  const api = leadApi()
  const shown = await open(api, { 'POST /api/leads/*/contacts': () => then(api.lead) })
  await call(shown)
  await startLog(shown)
  await choose(shown, 'We spoke')
  await screen.findByText('This was not logged')
  await choose(shown, 'Cancel')
  await isClosed()
})

test('A call about a lead that has been merged is logged on the one that stays', async () => {
  const api = leadApi(ayanda(), { leads: [ayanda({ id: idOf(2), name: 'Staying Stan' })], timeline: [entryOf('lead')] })
  const shown = await open(api)
  await call(shown)
  api.lead = { ...api.lead, mergedInto: idOf(2) }
  await startLog(shown)
  await choose(shown, 'We spoke')
  await screen.findByText(/^Call logged/)
  expect([noted(idOf(1)), noted(idOf(2)).length]).toEqual([[], 1])
})

test('A logged call is undone; a lead that has been answered since then no longer waits', async () => {
  const api = leadApi()
  const shown = await open(api)
  await call(shown)
  await startLog(shown)
  await choose(shown, 'We spoke')
  await screen.findByText(/^Call logged/)
  await shown.user.click(notices().getByRole('button', { name: 'Undo' }))
  await screen.findByText('Undone')
  api.changeUnseen({ followUpStatus: 'contacted', answeredAt: new Date().toISOString() })
  await call(shown)
  await startLog(shown)
  await choose(shown, 'No answer')
  await screen.findByText(/^No answer logged/)
  expect(screen.queryByText(/still waits/)).toBeNull()
})

test('A call that is logged later has the time at which it was made', async () => {
  const shown = await open(leadApi())
  await call(shown)
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 3_600_000)
  await startLog(shown)
  await choose(shown, 'We spoke')
  await screen.findByText(/^Call logged/)
  const [{ secondsAgo }] = noted() as [{ secondsAgo: number }]
  expect(Math.abs(secondsAgo - 3_600)).toBeLessThan(60)
})

test('No call about a flagged lead is logged before its release', async () => {
  const shown = await open(leadApi(ayanda({ suspicion: ['trap'] })))
  const request = within(await screen.findByRole('region', { name: 'Details' }))
  await shown.user.click(request.getByRole('link', { name: '082 700 1001' }))
  expect(screen.queryByRole('button', { name: /^Log call/ })).toBeNull()
})

test('WhatsApp is not offered for a landline', async () => {
  await open(leadApi(ayanda({ phone: '011 555 0123' })))
  await (await panel()).findByRole('button', { name: 'Call' })
  expect(screen.queryByRole('button', { name: 'WhatsApp' })).toBeNull()
})
