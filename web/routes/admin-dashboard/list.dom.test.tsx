import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../events/settings/settings.ts'
import { THANDI } from '../../testing/answers.ts'
import { cardTitled, cardTitles, foundInAll, openTestDashboard, titledAs } from '../../testing/dashboard.ts'
import { notifyOnStream } from '../../testing/leads.ts'
import { said } from '../../testing/screen.tsx'
import { answerRequests, problem, requestsOf, stopServerClock } from '../../testing/server.ts'
import { bulk, TEST_LEADS } from '../../testing/staff-leads.ts'

const dayTitles = () => [...document.querySelectorAll('h3')].map((it) => it.textContent)
const DAY = TEST_LEADS.slice(0, 3)
/** Two of the sixty of a Sunday are enough for tests without pages. */
const FEW = [...TEST_LEADS.slice(0, 4), bulk(0), bulk(1), ...TEST_LEADS.slice(-2)]
const searchBox = () => screen.getByPlaceholderText<HTMLInputElement>('Name, email, phone, company...')
const search = (text: string) => fireEvent.change(searchBox(), { target: { value: text } })
const period = () => screen.getByLabelText<HTMLSelectElement>('Period')
// jsdom has no layout: the parts that are folded on a phone count as hidden
const press = (name: string) => screen.getByRole('button', { name, hidden: true })

test('The dashboard has the specified texts', async () => {
  const { user } = await openTestDashboard(FEW)
  await foundInAll(3)
  expect([...period().options].map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Single Day', 'Entire Week', 'Entire Month']),
  )
  expect(searchBox().placeholder).toBe('Name, email, phone, company...')
  for (const name of ['Export to Excel', 'Newest First', 'Oldest First']) press(name)
  expect(press('Newest First').getAttribute('aria-pressed')).toBe('true')
  expect(screen.getAllByText('Copy Email')).toHaveLength(2)
  expect(screen.getAllByText('Copy AI Prompt')).toHaveLength(1)
  expect(screen.getAllByText('Copy Data')).toHaveLength(3)
  await user.selectOptions(period(), 'Entire Week')
  await titledAs('Week of 15 November 2026 - 21 November 2026')
})

test('The dashboard shows today, with every field of a card', async () => {
  await openTestDashboard(FEW)
  await screen.findByText('Filter leads by date, search them, and export them to Excel.')
  await titledAs('Wednesday, 18 November 2026')
  await foundInAll(3)
  expect(dayTitles()).toEqual(['Wednesday, 18 November 2026 3 submissions'])
  expect(cardTitles()).toEqual(['Stoep & Co', 'Sipho Khumalo', 'Lerato Dlamini'])
  const card = await cardTitled('Sipho Khumalo')
  const request = card.querySelector('details dl')?.textContent ?? ''
  expect(request).toContain('Sipho Khumalo')
  expect(card.textContent?.replace(request, '')).toBe(
    'Sipho Khumalo [Lead Form]09:25NewOverdue by 35 minEmailana2@example.comPhone082 555 0177' +
      'Log callSourceConsultation form hero_formCompany100% CottonFull requestOpen leadCopy EmailCopy Data',
  )
  const firm = await cardTitled('Stoep & Co')
  within(firm).getByText(/^Answer by \d\d:\d\d \(1 h 12 min\)$/)
  // a card is headed with the business; staff know the person
  expect(firm.textContent).toMatch(/^Stoep & Co \[Lead Form\]11:12Thandi MokoenaNew/)
  const overdue = within(card).getByText('Overdue by 35 min')
  expect(overdue.dataset.tip).toBe('Promised by Wednesday, 18 November 2026, 11:25, in support hours')
  expect(overdue.getAttribute('title')).toBeNull()
  const bare = await cardTitled('Lerato Dlamini')
  expect(bare.querySelectorAll('dd')[3]?.textContent).toBe('N/A')
})

test('A week and a month show page by page, with the counts of whole days, and Back works', async () => {
  // as if the Sunday had all of its sixty
  const days = [
    { day: '2026-11-18', count: 3 },
    { day: '2026-11-17', count: 1 },
    { day: '2026-11-15', count: 60 },
  ]
  const { api, user, query, go, back } = await openTestDashboard(FEW)
  const [list, summary] = ['GET /api/leads', 'GET /api/leads/summary'].map(
    (key) => api.answers[key] as (sent: unknown) => unknown,
  )
  const isOfDay = ({ query: sent }: { query: URLSearchParams }) =>
    Date.parse(sent.get('to') ?? '') - Date.parse(sent.get('from') ?? '') < 2 * 24 * 60 * 60 * 1000
  answerRequests({
    'GET /api/leads': (sent: { query: URLSearchParams }) =>
      sent.query.get('offset') === '50' ? [api.named('Bulk 00')] : list?.(sent),
    'GET /api/leads/summary': (sent: { query: URLSearchParams }) =>
      isOfDay(sent) ? summary?.(sent) : { total: 64, days },
  })
  await foundInAll(3)
  await user.selectOptions(period(), 'Entire Week')
  await titledAs('Week of 15 November 2026 - 21 November 2026')
  await foundInAll(64)
  await screen.findByText('Page 1 of 2')
  const sunday = 'Sunday, 15 November 2026 60 submissions'
  await waitFor(() => expect(dayTitles()).toContain(sunday))
  await user.click(press('Next'))
  await screen.findByText('Page 2 of 2')
  await waitFor(() => expect(cardTitles()).toEqual(['Bulk 00']))
  expect(requestsOf('GET /api/leads').at(-1)?.query.toString()).toContain('limit=50&offset=50')
  expect(dayTitles()).toEqual([sunday])
  expect(query()).toBe('?period=week&page=2')
  await waitFor(() => {
    for (const name of ['Next', 'Last']) expect(press(name).getAttribute('aria-disabled')).toBe('true')
  })
  expect(document.activeElement?.id).toBe('period-title')
  await back()
  await screen.findByText('Page 1 of 2')
  await back()
  await titledAs('Wednesday, 18 November 2026')
  await user.selectOptions(period(), 'Entire Month')
  await titledAs('November 2026')
  await foundInAll(64)
  await user.click(press('Last'))
  await screen.findByText('Page 2 of 2')
  await go('/admin-dashboard?period=month&page=99')
  await screen.findByText('Page 2 of 2')
  await waitFor(() => expect(cardTitles()).toEqual(['Bulk 00']))
})

test('A week begins on the day that the agency has set, Sunday by default, whatever the language of the browser', async () => {
  const language = vi.spyOn(navigator, 'language', 'get').mockReturnValue('en-GB')
  onTestFinished(() => language.mockRestore())
  const shown = await openTestDashboard(FEW, '?period=week')
  await titledAs('Week of 15 November 2026 - 21 November 2026')
  shown.close()
  language.mockReturnValue('en-US')
  const answers = { 'GET /api/settings': { ...DEFAULT_SETTINGS, weekStart: 'monday' } }
  await openTestDashboard(FEW, '?period=week', { answers })
  await titledAs('Week of 16 November 2026 - 22 November 2026')
})

test('A week is shown once it is known on which day it begins', async () => {
  let settings: unknown = problem(503)
  const { go } = await openTestDashboard(FEW, '?period=week', { answers: { 'GET /api/settings': () => settings } })
  await screen.findByText('Error loading settings')
  expect(screen.queryByText(/^Week of/)).toBeNull()
  expect(requestsOf('GET /api/leads')).toEqual([])
  expect(press('Export to Excel')).toHaveProperty('disabled', true)
  await go('/admin-dashboard?period=month')
  await titledAs('November 2026')
  await go('/admin-dashboard?period=week')
  settings = { ...DEFAULT_SETTINGS, weekStart: 'monday' }
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await titledAs('Week of 16 November 2026 - 22 November 2026')
  const summed = requestsOf('GET /api/leads/summary').map(({ query }) => query.get('from'))
  expect(summed).toContain('2026-11-15T22:00:00.000Z')
  expect(summed).not.toContain('2026-11-14T22:00:00.000Z')
})

test('The oldest come first within each day, the newest day staying at the top', async () => {
  const { user, query } = await openTestDashboard(FEW, '?period=week')
  await foundInAll(6)
  await user.click(press('Oldest First'))
  const oldest = ['Lerato Dlamini', 'Sipho Khumalo', 'Stoep & Co', 'Late Yesterday', 'Bulk 00', 'Bulk 01']
  await waitFor(() => expect(cardTitles()).toEqual(oldest))
  expect(dayTitles()).toEqual(['18', '17', '15'].map((day) => expect.stringContaining(`${day} November 2026`)))
  expect(press('Oldest First').getAttribute('aria-pressed')).toBe('true')
  expect(query()).toBe('?period=week&sort=asc')
  await user.click(press('Newest First'))
  await waitFor(() => expect(cardTitles()[0]).toBe('Stoep & Co'))
})

test('A day, a week and a month without leads are reported as such', async () => {
  const { user } = await openTestDashboard(DAY, '?date=2026-03-03')
  for (const name of ['day', 'week', 'month']) {
    await user.selectOptions(period(), name)
    await screen.findByText(`No form submissions for the selected ${name}.`)
  }
  await foundInAll(0)
})

test('The list shows that it loads and which request failed, and tries again', async () => {
  const { user, api } = await openTestDashboard(DAY, '?date=2026-03-03')
  await foundInAll(0)
  const held = Promise.withResolvers<Response>()
  answerRequests({
    'GET /api/leads': () => held.promise,
    'GET /api/leads/summary': () => held.promise.then((it) => it.clone()),
  })
  await user.click(press('Today'))
  await screen.findByText('Loading submissions...')
  held.resolve(problem(500))
  await screen.findByText('Error loading submissions')
  await screen.findByText('Temporarily unavailable. Try again in a moment.')
  answerRequests(api.answers)
  await user.click(press('Try again'))
  await foundInAll(3)
  await waitFor(() => expect(screen.queryByText('Error loading submissions')).toBeNull())
})

test('A lead, its prompt and its data are copied, and this is announced', async () => {
  const { user } = await openTestDashboard(DAY)
  await foundInAll(3)
  const card = (name: string) => within(screen.getByRole('article', { name }))
  await user.click((await card('Stoep & Co')).getByRole('button', { name: 'Copy Email' }))
  await screen.findByText('Copied to clipboard! You can now paste this into an email.')
  expect(await navigator.clipboard.readText()).toContain(
    'New lead: Thandi Mokoena\n\nContact information\nName: Thandi Mokoena\n',
  )
  expect((await card('Lerato Dlamini')).queryByRole('button', { name: 'Copy Email' })).toBeNull()
  await user.click((await card('Lerato Dlamini')).getByRole('button', { name: 'Copy AI Prompt' }))
  await screen.findByText('AI Website Generation Prompt copied')
  await screen.findByText('Paste it into an external AI site generator.')
  expect(await navigator.clipboard.readText()).toBe('You are an expert web developer. "Build" it.')
  await user.click((await card('Stoep & Co')).getByRole('button', { name: 'Copy Data' }))
  await waitFor(async () => expect(JSON.parse(await navigator.clipboard.readText()).name).toBe('Thandi Mokoena'))
})

test.each(['/admin-dashboard', '/admin-submissions'])(
  'The number on a card of %s calls, and beside it and in a notice a call is logged',
  async (path) => {
    const { user, go } = await openTestDashboard(DAY)
    await go(path)
    await screen.findByText(path === '/admin-dashboard' ? 'Leads dashboard' : 'Form submissions', { selector: 'h1' })
    const card = await cardTitled('Sipho Khumalo')
    const call = within(card).getByRole('link', { name: '082 555 0177' })
    expect(call.getAttribute('href')).toBe('tel:+27825550177')
    await user.click(call)
    await said(/^You called 082 555 0177/)
    await user.click(within(card).getByRole('button', { name: 'Log call: Sipho Khumalo' }))
    await screen.findByRole('dialog', { name: 'Log call: Sipho Khumalo' })
  },
)

test('Today and overdue depend on the server’s clock, whatever the clock of the device', async () => {
  stopServerClock('2026-11-18T12:00:00+02:00')
  await openTestDashboard(FEW, '', { now: '2026-11-19T16:00:00+02:00' })
  await titledAs('Wednesday, 18 November 2026')
  const card = await cardTitled('Stoep & Co')
  await waitFor(() => expect(card.textContent).toMatch(/Answer by \d\d:\d\d \(1 h 1[12] min\)/))
})

test('The search names its scope, and advises if it finds nothing', async () => {
  const { user, query } = await openTestDashboard([...DAY, ...[...Array(8).keys()].map(bulk)], '?period=week')
  await foundInAll(11)
  await user.type(searchBox(), 'bulk 07')
  await foundInAll(2, ' (filtered by "bulk 07")')
  // the number of the second one ends in 1007
  await waitFor(() => expect(cardTitles()).toEqual(['Bulk 07', 'Bulk 03']))
  expect(query()).toBe('?period=week&q=bulk+07')
  for (const term of ['100%', '"O\'Neil"', '😀']) {
    search(term)
    await screen.findByText(new RegExp(`filtered by "${term}"`))
    expect(requestsOf('GET /api/leads').at(-1)?.query.get('q')).toBe(term)
  }
  search('_')
  await foundInAll(0, ' (filtered by "_")')
  screen.getByText('No submissions match your search "_" for the selected period.')
  screen.getByText('No submissions found')
  expect(press('Export to Excel')).toHaveProperty('disabled', true)
  screen.getByText('Names, businesses, emails, phones and companies are searched. Messages are not.')
  expect(screen.queryByText(/Each word must be in/)).toBeNull()
  search('sipho hero')
  await screen.findByText('No submissions match your search "sipho hero" for the selected period.')
  await screen.findByText(/Each word must be in/)
  search('x'.repeat(10_240))
  await foundInAll(0, ` (filtered by "${'x'.repeat(300)}")`)
  search('   ')
  await foundInAll(11)
})

test('A search that finds nothing in its period continues over all dates, and returns to a day', async () => {
  const { user } = await openTestDashboard(FEW, '?q=october')
  await foundInAll(0, ' (filtered by "october")')
  await user.click(await screen.findByRole('button', { name: 'Search all dates' }))
  await titledAs('All dates')
  await foundInAll(1, ' (filtered by "october")')
  await waitFor(() => expect(cardTitles()).toEqual(['Last Of October']))
  expect(period().value).toBe('all')
  search('nobody at all')
  await screen.findByText('No submissions match your search "nobody at all".')
  expect(screen.queryByRole('button', { name: 'Search all dates' })).toBeNull()
  const date = await screen.findByPlaceholderText<HTMLInputElement>('All Dates')
  expect(date.value).toBe('')
  fireEvent.change(date, { target: { value: '17 November 2026' } })
  await titledAs('Tuesday, 17 November 2026')
  expect([...period().options].map(({ text }) => text)).toEqual([
    'Single Day',
    'Entire Week',
    'Entire Month',
    'Last 7 Days',
    'Last 30 Days',
    'Custom Range',
    'All Dates',
  ])
})

test('A search shows how many leads other dates have, next to its results and in their place', async () => {
  const { user, go } = await openTestDashboard(FEW, '?q=mokoena&date=2023-01-01')
  await said(/^1 on other dates\./)
  search('nobody at all')
  await screen.findByText('None on other dates either.')
  expect(screen.queryByRole('button', { name: 'Search all dates' })).toBeNull()
  search('of')
  await said(/^2 on other dates\./)
  await go('/admin-dashboard?q=of&date=2026-11-01')
  await screen.findByText(/^1 submissions found/)
  await said(/^1 on other dates\./)
  search('month')
  await screen.findByText(/filtered by "month"/)
  await waitFor(() => expect(screen.queryByText(/on other dates/)).toBeNull())
  search('nobody at all')
  await screen.findByText('None on other dates either.')
  search('bulk')
  await said(/^2 on other dates\./)
  await user.click(press('Search all dates'))
  await screen.findByText(/^2 submissions found/)
})

test('Back and forward also restore the search box', async () => {
  const { user, back } = await openTestDashboard(FEW, '?q=sipho')
  await foundInAll(1, ' (filtered by "sipho")')
  expect(searchBox().value).toBe('sipho')
  await user.selectOptions(period(), 'week')
  await titledAs('Week of 15 November 2026 - 21 November 2026')
  search('thandi')
  await foundInAll(1, ' (filtered by "thandi")')
  await back()
  await foundInAll(1, ' (filtered by "sipho")')
  await waitFor(() => expect(searchBox().value).toBe('sipho'))
})

test('A late response is never shown over a newer one', async () => {
  const { api } = await openTestDashboard([...DAY, bulk(1), bulk(2)], '?period=week')
  await foundInAll(5)
  const held = Promise.withResolvers<void>()
  const [list, summary] = ['GET /api/leads', 'GET /api/leads/summary'].map(
    (key) => api.answers[key] as (sent: unknown) => unknown,
  )
  const late: Promise<unknown>[] = []
  const after = (answer: typeof list) => (sent: { query: URLSearchParams }) => {
    if (sent.query.get('q') !== 'bulk') return answer?.(sent)
    const waiting = held.promise.then(() => answer?.(sent))
    late.push(waiting)
    return waiting
  }
  answerRequests({ 'GET /api/leads': after(list), 'GET /api/leads/summary': after(summary) })
  search('bulk')
  // no text about the new search refers to the old list
  await screen.findByText('Searching...')
  expect(screen.queryByText(/submissions found/)).toBeNull()
  expect(late.length).toBeGreaterThanOrEqual(2)
  search('sipho')
  await foundInAll(1, ' (filtered by "sipho")')
  held.resolve()
  await Promise.all(late)
  await new Promise((drawn) => setTimeout(drawn))
  expect(cardTitles()).toEqual(['Sipho Khumalo'])
  await foundInAll(1, ' (filtered by "sipho")')
})

test('The list is narrowed by filters in the address, live, and they are cleared', async () => {
  const LONG_AGO = { name: 'Long Ago', at: '2023-03-01T10:00:00+02:00' }
  const more = [
    { name: 'Quoted One', followUpStatus: 'quoted', ownerId: THANDI.id, at: '2026-11-18T11:00:00+02:00' } as const,
    { name: 'Another One', at: '2026-11-18T11:00:00+02:00' },
  ]
  const { user, api, query, back } = await openTestDashboard([...DAY, LONG_AGO, ...more], '?period=all')
  await foundInAll(6)
  const status = screen.getByLabelText<HTMLSelectElement>('Status')
  await user.selectOptions(status, 'Quoted')
  await foundInAll(1, ' (filtered by Quoted)')
  await waitFor(() => expect(cardTitles()).toEqual(['Quoted One']))
  expect(query()).toBe('?period=all&status=quoted')
  await back()
  await foundInAll(6)
  await waitFor(() => expect(status.value).toBe(''))

  await user.click(screen.getByRole('link', { name: 'My leads' }))
  await foundInAll(1, ' (filtered by My leads)')
  api.change('Another One', { ownerId: THANDI.id })
  await foundInAll(2, ' (filtered by My leads)')
  await waitFor(() => expect(cardTitles().toSorted()).toEqual(['Another One', 'Quoted One']))
  api.change('Another One', { ownerId: null })
  await foundInAll(1, ' (filtered by My leads)')
  await user.selectOptions(screen.getByLabelText('Source'), 'Live chat')
  await foundInAll(0, ' (filtered by My leads, Live chat)')
  screen.getByText('No submissions match the filters.')
  await user.click(
    within(screen.getByRole('group', { name: 'Filters' })).getByRole('button', { name: 'Clear filters' }),
  )
  await foundInAll(6)
  expect(query()).toBe('?period=all')

  await user.click(screen.getByRole('link', { name: 'Overdue' }))
  await screen.findByRole('button', { name: 'Only overdue', pressed: true })
  await user.selectOptions(period(), 'Custom Range')
  const choose = async (label: string, day: string) => {
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(label).readOnly).toBe(false))
    fireEvent.change(screen.getByLabelText(label), { target: { value: day } })
    fireEvent.keyDown(screen.getByLabelText(label), { key: 'Enter' })
  }
  await choose('From', '1 March 2023')
  await choose('Until', '3 March 2023')
  await foundInAll(1, ' (filtered by Overdue)')
  await titledAs('1 March 2023 - 3 March 2023')
  await waitFor(() => expect(cardTitles()).toEqual(['Long Ago']))
})

test('Matching leads in quarantine are counted, whenever they came, with a link to those alone', async () => {
  const at = '2026-01-05T10:00:00+02:00'
  const flagged = ['Trapped Thami', 'Trapped Tumelo', 'Caught Cara'].map((name) => ({
    name,
    at,
    suspicion: ['trap' as const],
  }))
  const { user, address, go } = await openTestDashboard([...DAY, ...flagged], '?q=cara')
  const inQuarantine = (text: string) => screen.findByRole('link', { name: text })
  await inQuarantine('1 in quarantine matches "cara"')
  search('trapped')
  await foundInAll(0, ' (filtered by "trapped")')
  await user.click(await inQuarantine('2 in quarantine match "trapped"'))
  await waitFor(() => expect(address()).toBe('/admin-submissions?quarantine=true&decided=true&q=trapped'))
  await waitFor(() => expect(cardTitles().toSorted()).toEqual(['Trapped Thami', 'Trapped Tumelo']))
  expect(searchBox().value).toBe('trapped')
  // the search term stays when the list is narrowed to leads that are still to be decided on
  await user.click(press('Spam: Trapped Thami'))
  await said('Marked as spam: Trapped Thami')
  await user.click(screen.getByRole('link', { name: 'Hide spam' }))
  await waitFor(() => expect(cardTitles()).toEqual(['Trapped Tumelo']))
  search('nobody at all')
  await screen.findByText('Nothing in quarantine matches "nobody at all"')
  search('')
  await waitFor(() => expect(cardTitles().toSorted()).toEqual(['Caught Cara', 'Trapped Tumelo']))
  await go('/admin-dashboard?period=week')
  await foundInAll(3)
  expect(screen.queryByRole('link', { name: /in quarantine match/ })).toBeNull()
})

test('A new lead appears at its place and the counts rise, a changed one changes in its place', async () => {
  const { api } = await openTestDashboard([])
  await screen.findByText('No form submissions for the selected day.')
  api.add({ name: 'First Visitor' })
  api.tell('First Visitor')
  await foundInAll(1)
  await cardTitled('First Visitor')
  vi.setSystemTime(Date.now() + 60_000)
  api.add({ name: 'Second Visitor' })
  api.tell('Second Visitor')
  await foundInAll(2)
  await waitFor(() => expect(cardTitles()).toEqual(['Second Visitor', 'First Visitor']))
  api.change('First Visitor', { followUpStatus: 'contacted', nextActionDate: '2026-01-05' })
  const card = within(await cardTitled('First Visitor'))
  await card.findByText('Contacted')
  card.getByText('Next action was due 5 January 2026')
  expect(card.queryByText(/^Answer by|^Overdue/)).toBeNull()
  await foundInAll(2)
})

test('A lead that does not match the search stays out', async () => {
  const { api } = await openTestDashboard([], '?q=wanted')
  await foundInAll(0, ' (filtered by "wanted")')
  const asked = requestsOf('GET /api/leads').length
  api.add({ name: 'Somebody Else' })
  api.tell('Somebody Else')
  api.add({ name: 'Wanted Person' })
  api.tell('Wanted Person')
  await foundInAll(1, ' (filtered by "wanted")')
  await waitFor(() => expect(cardTitles()).toEqual(['Wanted Person']))
  expect(requestsOf('GET /api/leads').length).toBeGreaterThan(asked)
})

test('A flood of leads costs few fetches, shows one page of them, and is counted whole', async () => {
  const { api } = await openTestDashboard(DAY)
  await foundInAll(3)
  const fetches = () => requestsOf('GET /api/leads').length + requestsOf('GET /api/leads/summary').length
  const before = fetches()
  const begun = performance.now()
  for (let index = 0; index < 150; index += 1) {
    api.add({ name: `Flood ${index}` })
    api.tell(`Flood ${index}`)
  }
  await foundInAll(153)
  await waitFor(() => expect(cardTitles()).toHaveLength(50))
  await screen.findByText('Page 1 of 4')
  // page and counts, twice at most in a second, and the quarantine's
  expect(fetches() - before).toBeLessThan(6 + 5 * ((performance.now() - begun) / 1_000))
})

test('Leads that were removed are not shown after a refetch', async () => {
  const { api } = await openTestDashboard(DAY)
  await foundInAll(3)
  api.remove('Sipho Khumalo')
  notifyOnStream('withdrawn')
  await foundInAll(2)
  await waitFor(() => expect(cardTitles()).toEqual(['Stoep & Co', 'Lerato Dlamini']))
})

test('On a phone one button holds all filters, shows how many are active, and leaves the files folded', async () => {
  window.innerWidth = 390
  const { user } = await openTestDashboard(DAY)
  await foundInAll(3)
  const button = screen.getByText(/^Filters/, { selector: 'button' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await user.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  await user.selectOptions(screen.getByLabelText('Status'), 'new')
  await user.selectOptions(period(), 'month')
  await waitFor(() => expect(button.textContent).toBe('Filters 2 active'))
})
