import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Sent } from '../../../events/base/word.ts'
import type { contractRow, contractsSummary } from '../../../events/contract/wire.ts'
import { openScreen } from '../../testing/screen.tsx'
import { requestsOf } from '../../testing/server.ts'

const row = (number: number, more: Partial<Sent<typeof contractRow>> = {}): Sent<typeof contractRow> => ({
  leadId: `20000000-0000-4000-8000-00000000000${number}`,
  name: `Client ${number}`,
  businessName: 'Stoep Bakery',
  package: 'premium',
  monthly: 499,
  signedOn: '2026-11-01',
  state: 'live',
  liveOn: '2026-11-10',
  endsOn: null,
  firstPossibleEnd: '2027-11-09',
  waits: null,
  dueOn: '2026-11-15',
  isLate: false,
  isEnding: false,
  questionnaireId: null,
  sessionId: null,
  ...more,
})

const WAITING = { state: 'signed', liveOn: null, firstPossibleEnd: null, waits: 20, isLate: true } as const

const QUESTIONNAIRE = '20000000-0000-4000-8000-000000000007'
const SESSION = '20000000-0000-4000-8000-000000000008'

const ROWS = [
  row(1, { questionnaireId: QUESTIONNAIRE, sessionId: SESSION }),
  row(2, { ...WAITING, package: 'essential', monthly: null, dueOn: '2026-11-11' }),
  row(3, { ...WAITING, waits: 0, isLate: false }),
]

const SUMMARY: Sent<typeof contractsSummary> = {
  count: 2,
  totals: {
    monthly: 798,
    packages: [
      { package: 'premium', contracts: 1, monthly: 499 },
      { package: 'professional', contracts: 1, monthly: 299 },
    ],
    waiting: 1,
    late: 1,
    ending: 0,
  },
}

const open = () => openScreen('/admin-contracts', { 'GET /api/contracts': ROWS, 'GET /api/contracts/summary': SUMMARY })

const cellsOf = (name: RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('The contracts show their money and their dates, and the totals of all', async () => {
  await open()
  await screen.findByRole('table')
  expect(cellsOf(/Client 1/)).toEqual([
    'Premium',
    'R499/month',
    '10 November 2026',
    '9 November 2027',
    'Live',
    'QuestionnaireChat',
  ])
  expect(cellsOf(/Client 2/)).toEqual(['Essential', 'Once', '–', '–', 'Signed · 20 days, due 11 November 2026', ''])
  const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(linkTo('Questionnaire of Client 1')).toBe(`/admin-lead?id=${QUESTIONNAIRE}`)
  expect(linkTo('Chat of Client 1')).toBe(`/admin-chat?session=${SESSION}`)
  expect(cellsOf(/Client 3/).at(-2)).toBe('Signed · today, due 15 November 2026')
  screen.getByText('R798')
  screen.getByText('Premium R499 · Professional R299')
  screen.getByText('1 late against the promise')
  expect(screen.getByRole('link', { name: 'Client 1' }).getAttribute('href')).toBe(`/admin-lead?id=${ROWS[0]?.leadId}`)
})

test('State, package and search narrow the list and the export', async () => {
  const { user } = await open()
  await screen.findByRole('table')
  await user.selectOptions(screen.getByRole('combobox', { name: 'All states' }), 'Not live yet')
  await user.selectOptions(screen.getByRole('combobox', { name: 'All packages' }), 'Premium')
  await user.type(screen.getByRole('searchbox', { name: 'Search clients' }), 'stoep')
  await waitFor(() =>
    expect(Object.fromEntries(requestsOf('GET /api/contracts').at(-1)?.query ?? [])).toEqual({
      show: 'waiting',
      package: 'premium',
      q: 'stoep',
    }),
  )
  expect(screen.getByRole('link', { name: 'Export to Excel', hidden: true }).getAttribute('href')).toBe(
    '/api/contracts/export?show=waiting&package=premium&q=stoep&format=xlsx',
  )
})

test('An agency without contracts reads where they come from, and one without a match can show all', async () => {
  const { user, address } = await openScreen('/admin-contracts?show=ended')
  await user.click(await screen.findByRole('button', { name: 'Show all contracts' }))
  await screen.findByText('No contracts yet')
  expect(address()).toBe('/admin-contracts')
})

test('j and k move through the contracts', async () => {
  const { user } = await open()
  await screen.findByRole('table')
  await user.keyboard('jj')
  expect(document.activeElement?.textContent).toBe('Client 2')
  await user.keyboard('k')
  expect(document.activeElement?.textContent).toBe('Client 1')
})
