import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { cardTitles } from '../../testing/dashboard.ts'
import { type ListedLead, leadsApi, notifyOnStream } from '../../testing/leads.ts'
import { openScreen, said } from '../../testing/screen.tsx'
import { answerRequests, problem, requestsOf } from '../../testing/server.ts'

const PROMPT = {
  name: 'With Prompt',
  leadSource: 'Website Info Form',
  message: 'You are an expert web developer.',
  at: '2026-01-31T22:05:00Z',
}
const persons = (count: number): ListedLead[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Person ${index}`,
    at: new Date(Date.parse('2026-01-05T08:00:00Z') + index * 60_000).toISOString(),
  }))
const flagged = (name: string): ListedLead => ({ name, suspicion: ['too_fast'], at: '2026-01-06T08:00:00Z' })

const open = async (leads: readonly ListedLead[], query = '') => {
  const api = leadsApi(leads)
  return { api, ...(await openScreen(`/admin-submissions${query}`, api.answers)) }
}
const press = (name: string) => screen.getByRole('button', { name })

test('All leads are listed, newest first, a page at a time, and oldest first if chosen', async () => {
  const api = leadsApi([...persons(2), PROMPT])
  const list = api.answers['GET /api/leads'] as (sent: object) => unknown
  const { user, address } = await openScreen('/admin-submissions', {
    ...api.answers,
    // as if 48 more came between
    'GET /api/leads/summary': { total: 51, days: [] },
    'GET /api/leads': (sent: { query: URLSearchParams }) =>
      sent.query.get('offset') === '50' ? [api.named(PROMPT.name)] : list(sent),
  })
  await screen.findByText('Form submissions', { selector: 'h1' })
  await waitFor(() => expect(cardTitles()).toEqual(['With Prompt', 'Person 1', 'Person 0']))
  screen.getByText('Sunday, 1 February 2026, 00:05')
  for (const { query } of requestsOf('GET /api/leads')) expect(query.get('limit')).toBe('50')
  await user.click(press('Oldest First'))
  await waitFor(() => expect(cardTitles()[0]).toBe('Person 0'))
  await user.click(press('Next'))
  await screen.findByText('Page 2 of 2')
  await waitFor(() => expect(cardTitles()).toEqual(['With Prompt']))
  expect(requestsOf('GET /api/leads').at(-1)?.query.get('sort')).toBe('asc')
  expect(address()).toBe('/admin-submissions?sort=asc&page=2')
  await user.click(screen.getByRole('link', { name: 'Search and group by day on the dashboard' }))
  await screen.findByText('Leads dashboard', { selector: 'h1' })
  expect(address()).toBe('/admin-dashboard')
})

test('A lead is copied, with an explanation of its AI prompt', async () => {
  const { user } = await open([...persons(1), PROMPT])
  await user.click(await screen.findByRole('button', { name: 'Copy AI Prompt' }))
  await screen.findByText('AI Website Generation Prompt copied')
  screen.getByText('Paste it into an external AI site generator.')
  await user.click(press('Copy Email'))
  await screen.findByText('Copied to clipboard! You can now paste this into an email.')
  expect(await navigator.clipboard.readText()).toContain('New lead: Person 0')
})

test('New leads show automatically, and the list is fetched again every 30 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await open(persons(1))
  await waitFor(() => expect(cardTitles()).toEqual(['Person 0']))
  await vi.advanceTimersByTimeAsync(2_000)
  const before = requestsOf('GET /api/leads').length
  await vi.advanceTimersByTimeAsync(29_000)
  expect(requestsOf('GET /api/leads').length).toBeGreaterThan(before)
  api.add({ name: 'Just Now' })
  api.tell('Just Now')
  await vi.advanceTimersByTimeAsync(2_000)
  await waitFor(() => expect(cardTitles()).toEqual(['Just Now', 'Person 0']))
})

test('The list shows that it loads, which request failed, and that it is empty', async () => {
  const held = Promise.withResolvers<Response>()
  const api = leadsApi([])
  const { user } = await openScreen('/admin-submissions', {
    'GET /api/leads': () => held.promise,
    'GET /api/leads/summary': () => held.promise.then((answer) => answer.clone()),
  })
  await screen.findByText('Loading submissions...')
  held.resolve(problem(500))
  await screen.findByText('Error loading submissions')
  answerRequests(api.answers)
  await user.click(press('Try again'))
  await screen.findByText('No submissions found')
})

test('Flagged submissions are listed separately, marked as spam, and reviewed again', async () => {
  const { user, address } = await open([...persons(1), flagged('Fast Typist')])
  await user.click(await screen.findByRole('link', { name: 'Quarantine (1)' }))
  await screen.findByText('Submitted too fast.')
  await user.click(press('Spam: Fast Typist'))
  await said('Marked as spam: Fast Typist')
  await screen.findByText('Nothing in quarantine is left to decide')
  await user.click(await screen.findByRole('link', { name: 'Look through the 1 marked as spam' }))
  await screen.findByText('Submitted too fast.')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Spam: Fast Typist' })).toBeNull())
  await user.click(screen.getByRole('link', { name: 'Hide spam' }))
  await screen.findByText('Nothing in quarantine is left to decide')
  await user.click(screen.getByRole('link', { name: 'Show spam too' }))
  await screen.findByText('Submitted too fast.')
  await user.click(screen.getByRole('link', { name: 'Back to all submissions' }))
  await user.click(await screen.findByRole('link', { name: 'Quarantine' }))
  await user.click(await screen.findByRole('link', { name: 'Open lead: Fast Typist' }))
  await screen.findByText(/^In quarantine/)
  expect(address()).toMatch(/^\/admin-lead\?id=/)
})

test('A submission that is not spam joins the others', async () => {
  const { user } = await open([flagged('Real Rose')], '?quarantine=true')
  await screen.findByText('Submitted too fast.')
  await user.click(press('Not spam'))
  await screen.findByText('Nothing in quarantine is left to decide')
  await user.click(screen.getByRole('link', { name: 'Back to all submissions' }))
  await waitFor(() => expect(cardTitles()).toEqual(['Real Rose']))
  expect(screen.queryByRole('link', { name: /^Quarantine/ })).toBeNull()
})

test('A change in quarantine shows in its list and in its count once it is notified', async () => {
  const { api, go } = await open(persons(1), '?quarantine=true')
  await screen.findByText('Nothing in quarantine is left to decide')
  api.add(flagged('Quick Quinn'))
  notifyOnStream('quarantine')
  await waitFor(() => expect(cardTitles()).toEqual(['Quick Quinn']))
  const isGone = () => waitFor(() => expect(cardTitles()).toEqual([]))
  api.unheard('Quick Quinn', { followUpStatus: 'lost' })
  notifyOnStream('quarantine')
  await isGone()

  await go('/admin-submissions')
  await screen.findByText('Form submissions', { selector: 'h1' })
  const count = (name: string) => screen.findByRole('link', { name })
  await count('Quarantine')
  api.unheard('Quick Quinn', { followUpStatus: 'new' })
  notifyOnStream('quarantine')
  await count('Quarantine (1)')
})
