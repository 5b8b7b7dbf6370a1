import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, agencyDay } from '../../../events/base/agency-day.ts'
import type { Overview } from '../../../events/lead/screens/overview-wire.ts'
import { openScreen } from '../../testing/screen.tsx'
import { type Answer, answerRequests, problem, requestsOf } from '../../testing/server.ts'

const TODAY = agencyDay(new Date())
const WEEK_AGO = addDays(TODAY, -7)

const NOTHING: Overview = {
  asOf: TODAY,
  from: addDays(TODAY, -29),
  leads: 0,
  daily: [],
  sources: [],
  packages: [],
  replies: [],
  overdue: 0,
  chatRatings: [],
  recurring: [],
  won: { leads: 0, value: 0, daily: [] },
}

/** The figures of 30 days. */
const MONTH: Overview = {
  ...NOTHING,
  leads: 3,
  daily: [
    { day: addDays(TODAY, -20), source: 'contact_form', leads: 1 },
    { day: addDays(TODAY, -20), source: 'hero_form', leads: 1 },
    { day: addDays(TODAY, -3), source: 'contact_form', leads: 1 },
  ],
  sources: [
    { source: 'contact_form', leads: 2, won: 1 },
    { source: 'hero_form', leads: 1, won: 0 },
  ],
  packages: [
    { package: 'premium', leads: 1, won: 1 },
    { package: 'none', leads: 2, won: 0 },
  ],
  replies: [
    { time: 'within_1h', leads: 1 },
    { time: 'waiting', leads: 2 },
  ],
  overdue: 2,
  chatRatings: [
    { score: 'good', ratings: 5 },
    { score: 'bad', ratings: 1 },
  ],
  won: { leads: 1, value: 45_000, daily: [{ day: addDays(TODAY, -2), leads: 1, value: 45_000 }] },
}

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 2, name })
const open = (query: string, answer: Answer) => openScreen(`/admin-overview${query}`, { 'GET /api/overview': answer })

test('The overview reports a failure, and tries again on demand', async () => {
  const { user } = await open('', () => problem(503))
  await screen.findByText('Error loading the overview')
  answerRequests({ 'GET /api/overview': NOTHING })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('No leads in 30 days')
})

test('The overview of an agency without leads says so, and links to a year', async () => {
  const { user, address } = await open('', NOTHING)
  await screen.findByText(/^The charts begin with the first lead/)
  await user.click(screen.getByRole('button', { name: 'Show last 12 months' }))
  await screen.findByText('No leads in a year')
  expect(screen.queryByText('Chat ratings by visitors')).toBeNull()
  expect(address()).toBe('/admin-overview?days=365')
})

test('The monthly fees of live contracts show by month, once there are any', async () => {
  const recurring = [
    { day: '2026-10-31', monthly: 299 },
    { day: '2026-11-27', monthly: 798 },
  ]
  await open('', { ...MONTH, recurring })
  await heading('R798 a month from contracts that are live')
  const card = within(screen.getByRole('region', { name: /^Recurring revenue by month R798/ }))
  const row = card.getByRole('row', { name: /October 2026/, hidden: true })
  expect([...row.children].map(({ textContent }) => textContent)).toEqual(['October 2026', 'R299'])
})

test('Each finding is a sentence, and its numbers are in a table', async () => {
  await open('', MONTH)
  await heading('3 leads in 30 days, 2 from the quote form')
  await heading('R45,000 won in 30 days, from 1 lead')
  // none is called the best of so few
  expect(screen.getAllByRole('heading', { name: '1 of 3 leads won' })).toHaveLength(2)
  await heading(/^First reply within 2 hours for 33% of leads answered or overdue$/)
  await heading('83% of 6 chat ratings are good')
  expect(screen.getAllByText('Show as table')).toHaveLength(6)
  const cells = (name: RegExp) =>
    [...screen.getByRole('row', { name, hidden: true }).children].map((it) => it.textContent)
  expect(cells(/^Premium/)).toEqual(['Premium', '1', '1', '–'])
  expect(cells(/^Within 1 hour/)).toEqual(['Within 1 hour', '1', '33%'])
})

test('The overview is as of the day in the address, and Today returns to the current one', async () => {
  const past = {
    ...MONTH,
    asOf: WEEK_AGO,
    from: addDays(WEEK_AGO, -29),
    leads: 2,
    daily: MONTH.daily.slice(0, 2),
    sources: [
      { source: 'contact_form', leads: 1, won: 0 },
      { source: 'hero_form', leads: 1, won: 0 },
    ],
    chatRatings: [{ score: 'good', ratings: 1 }],
    won: { leads: 0, value: 0, daily: [] },
  }
  const { user, address, back } = await open(`?days=30&asOf=${WEEK_AGO}`, ({ query }: { query: URLSearchParams }) =>
    query.get('asOf') === WEEK_AGO ? past : MONTH,
  )
  await heading('2 leads in 30 days, 1 from the quote form')
  await heading('The one chat rating is good')
  await heading('Nothing won in 30 days')
  await screen.findByText(/^Won leads appear here with their project value/)
  await screen.findByText(/^Snapshot of .*: what came later is left out\.$/)
  await user.click(screen.getByRole('button', { name: 'Today' }))
  await heading('R45,000 won in 30 days, from 1 lead')
  expect(address()).toBe('/admin-overview?days=30')
  await back()
  await heading('Nothing won in 30 days')
})

test('The overview covers the range that is chosen', async () => {
  const { user } = await open('', ({ query }: { query: URLSearchParams }) => {
    const days = Number(query.get('days'))
    return { ...MONTH, from: addDays(TODAY, 1 - days), leads: days === 7 ? 1 : days === 30 ? 3 : 4 }
  })
  for (const [label, words] of [
    ['7 days', /^1 lead in 7 days/],
    ['90 days', /^4 leads in 90 days/],
    ['A year', /^4 leads in a year/],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: label }))
    await heading(words)
  }
  await screen.findByText('Leads per week, by source')
  await waitFor(() => expect(screen.getByRole('button', { name: 'A year' }).getAttribute('aria-pressed')).toBe('true'))
  expect(requestsOf('GET /api/overview').at(-1)?.query.get('days')).toBe('365')
})
