import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SIPHO, THANDI } from '../../testing/answers.ts'
import { type ListedLead, leadsApi } from '../../testing/leads.ts'
import { openScreen, said } from '../../testing/screen.tsx'
import { requestsOf } from '../../testing/server.ts'
import { TEST_LEADS } from '../../testing/staff-leads.ts'

/** Opens the dashboard with its leads in rows; they are there once this resolves. */
const openRows = async (given: readonly ListedLead[], query = '?period=all') => {
  const api = leadsApi(given)
  const answers = { ...api.answers, 'GET /api/me': { ...THANDI, leadsLayout: 'list' } }
  const shown = await openScreen(`/admin-dashboard${query}`, answers)
  await screen.findAllByRole('checkbox', { name: /^Select (?!all)/ })
  return { api, ...shown }
}
/** Leads that came a minute after each other, the first one first. */
const came = (...names: string[]): ListedLead[] =>
  names.map((name, index) => ({ name, at: new Date(Date.now() - (60 - index) * 60_000).toISOString() }))

const row = (name: string) =>
  screen.getByRole('button', { name: new RegExp(`^(New|Contacted|Quoted|Lost|Won) ?${name}`) })
const rows = () => screen.queryAllByRole('button', { expanded: false }).filter(({ id }) => id.startsWith('row-'))
const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` })
const bar = () => screen.findByRole('group', { name: 'Selected leads' })
const preview = (name: string) => screen.findByRole('complementary', { name: `Preview: ${name}` })
const chosenIn = (peek: HTMLElement, label: 'Status' | 'Assigned to') =>
  within(peek).getByLabelText<HTMLSelectElement>(label).selectedOptions[0]?.text
const notices = () => screen.getByRole('region', { name: 'Notifications (F8)' })
const undo = async (user: { click: (it: Element) => Promise<void> }) =>
  user.click(await within(notices()).findByRole('button', { name: 'Undo' }))
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })

test('With Shift all rows between two are selected, or cleared', async () => {
  const { user } = await openRows(came(...Array.from({ length: 12 }, (_, index) => `Bulk ${index}`)))
  const boxes = screen.getAllByRole('checkbox', { name: /^Select Bulk/ })
  const withShift = async (place: number) => {
    await user.keyboard('{Shift>}')
    await user.click(boxes[place] as Element)
    await user.keyboard('{/Shift}')
  }
  await user.click(boxes[2] as Element)
  await withShift(7)
  within(await bar()).getByText('6 selected')
  await withShift(5)
  within(await bar()).getByText('3 selected')
  boxes[3]?.focus()
  await user.keyboard(' ')
  within(await bar()).getByText('2 selected')
})

test('In a window that is taller than its first rows the list grows until it is whole', async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      #onNear: (entries: { isIntersecting: boolean }[]) => void
      constructor(onNear: (entries: { isIntersecting: boolean }[]) => void) {
        this.#onNear = onNear
      }
      observe() {
        queueMicrotask(() => this.#onNear([{ isIntersecting: true }]))
      }
      disconnect() {}
    },
  )
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  await openRows(came(...Array.from({ length: 160 }, (_, index) => `Tall ${index}`)), '?period=all&limit=200')
  await waitFor(() => expect(rows()).toHaveLength(160))
})

test('A lead gets a status and an assignee in the panel next to its row', async () => {
  const { user, api } = await openRows([{ name: 'Owned One', ownerId: SIPHO.id }, { name: 'Owned Two' }])
  within(row('Owned One')).getByRole('img', { name: 'Assigned to Sipho' })
  await user.click(row('Owned One'))
  const peek = await preview('Owned One')
  within(peek).getByText('2 of 2')
  await waitFor(() => expect(chosenIn(peek, 'Assigned to')).toBe('Sipho'))
  for (const status of ['Contacted', 'Quoted']) {
    await user.selectOptions(within(peek).getByLabelText('Status'), status)
    await within(row('Owned One')).findByRole('img', { name: status })
    expect(chosenIn(peek, 'Status')).toBe(status)
  }
  await user.selectOptions(within(peek).getByLabelText('Assigned to'), 'Unassigned')
  await waitFor(() => expect(within(row('Owned One')).queryByRole('img', { name: /^Assigned/ })).toBeNull())
  expect(chosenIn(peek, 'Assigned to')).toBe('Unassigned')
  expect(api.named('Owned One')).toMatchObject({ followUpStatus: 'quoted', ownerId: null })
})

test('Setting the status of an unassigned lead in the panel assigns it to oneself, except for a lost one', async () => {
  const { user, api } = await openRows([{ name: 'Taken One' }])
  await user.click(row('Taken One'))
  const peek = await preview('Taken One')
  const setStatus = async (status: string) => {
    await user.selectOptions(within(peek).getByLabelText('Status'), status)
    await waitFor(() => expect(api.named('Taken One').followUpStatus).toBe(status.toLowerCase()))
    await said('Saved')
  }
  const isAgain = async () => {
    await said('Undone')
    await within(row('Taken One')).findByRole('img', { name: 'New' })
    await waitFor(() => expect(chosenIn(peek, 'Status')).toBe('New'))
    expect(chosenIn(peek, 'Assigned to')).toBe('Unassigned')
  }
  await setStatus('Lost')
  expect(screen.queryByText('It is now assigned to you.')).toBeNull()
  expect(api.named('Taken One')).toMatchObject({ followUpStatus: 'lost', ownerId: null })
  await undo(user)
  await isAgain()
  await setStatus('Quoted')
  await said('It is now assigned to you.')
  await waitFor(() => expect(chosenIn(peek, 'Assigned to')).toBe('Thandi'))
  expect(api.named('Taken One').ownerId).toBe(THANDI.id)
  await undo(user)
  await isAgain()
  expect(api.named('Taken One')).toMatchObject({ followUpStatus: 'new', ownerId: null })
})

test('The selected leads are marked as spam at once, except for a won one, and all of them can be undone', async () => {
  const { user, api } = await openRows([
    { name: 'Junk One' },
    { name: 'Junk Two' },
    { name: 'Junk Three', followUpStatus: 'won' },
  ])
  const names = ['Junk One', 'Junk Two', 'Junk Three']
  const flagged = () => names.map((name) => api.named(name).suspicion !== undefined)
  const boxes = () => screen.getAllByRole('checkbox', { name: /^Select Junk/ })
  await user.click(box('Junk One'))
  await user.click(box('Junk Two'))
  await user.click(within(await bar()).getByRole('button', { name: 'Spam' }))
  await said('2 leads marked as spam')
  await waitFor(() => expect(boxes()).toHaveLength(1))
  expect(flagged()).toEqual([true, true, false])
  await undo(user)
  await said('Undone for 2 leads')
  await waitFor(() => expect(boxes()).toHaveLength(3))
  expect(flagged()).toEqual([false, false, false])

  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  within(await bar()).getByText('3 selected')
  await user.click(within(await bar()).getByRole('button', { name: 'Spam' }))
  await said('1 of 3 leads not changed')
  await said('This lead is won: it cannot be spam.')
  expect(flagged()).toEqual([true, true, false])
})

test('Spam and a cleared selection remove their buttons and leave the focus on a row, or on the heading', async () => {
  const { user } = await openRows(came('Swept One', 'Swept Two', 'Swept Three', 'Swept Four'))
  const [, second, , last] = rows().map(({ id }) => id)
  const pressIn = async (name: string) => {
    within(await bar())
      .getByRole('button', { name })
      .focus()
    await user.keyboard('{Enter}')
  }
  const focused = () => document.activeElement?.id
  for (const name of ['Swept Four', 'Swept Three']) await user.click(box(name))
  await pressIn('Clear selection')
  await waitFor(() => expect(focused()).toBe(second))

  for (const name of ['Swept Three', 'Swept Two']) await user.click(box(name))
  await pressIn('Spam')
  await waitFor(() => expect(rows()).toHaveLength(2))
  await waitFor(() => expect(focused()).toBe(last))

  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await pressIn('Spam')
  await waitFor(() => expect(rows()).toHaveLength(0))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Leads'))
})

test('A change in the preview that removes its lead from the list moves the focus to the next row', async () => {
  const { user, api } = await openRows(came('Leaving One', 'Leaving Two', 'Leaving Three'), '?period=all&status=new')
  const next = `row-${api.named('Leaving One').id}`
  row('Leaving Two').focus()
  await user.keyboard('{Enter}')
  const peek = await preview('Leaving Two')
  await user.selectOptions(within(peek).getByLabelText('Status'), 'Contacted')
  await waitFor(() => expect(rows()).toHaveLength(2))
  await waitFor(() => expect(document.activeElement?.id).toBe(next))
  await undo(user)
  const again = await preview('Leaving Two')
  await user.selectOptions(within(again).getByLabelText('Status'), 'Lost')
  await waitFor(() => expect(document.activeElement?.id).toBe(next))
})

test('A lead that leaves the list under its preview on a phone leaves no entry in the history', async () => {
  window.innerWidth = 390
  const { api, user, address, go, back } = await openRows(came('Going One', 'Going Two'), '?period=month')
  await go('/admin-dashboard?period=all&status=new')
  await screen.findByText('2 submissions found (filtered by New)')
  await user.click(row('Going Two'))
  await user.selectOptions(within(await preview('Going Two')).getByLabelText('Status'), 'Contacted')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  await waitFor(() => expect(rows()).toHaveLength(1))
  await waitFor(() => expect(document.activeElement?.id).toBe(`row-${api.named('Going One').id}`))
  await back()
  expect(address()).toBe('/admin-dashboard?period=month')
})

test.each([
  [390, true],
  [768, true],
  [1440, false],
])('At %i px a preview has an entry of the history: %s', async (width, hasEntry) => {
  window.innerWidth = width
  const { user, address, go, back } = await openRows(came('First One', 'Second One'))
  await go('/admin-dashboard?period=all&sort=asc')
  await screen.findByRole('button', { name: 'Sort by time, reversed', pressed: true })
  await user.click(row('First One'))
  await preview('First One')
  await user.click(row('Second One'))
  await preview('Second One')
  await back()
  if (hasEntry) {
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    await waitFor(() => expect(address()).toBe('/admin-dashboard?period=all&sort=asc'))
  } else await waitFor(() => expect(address()).toBe('/admin-dashboard?period=all'))
})

test('One’s own changes are not counted as on other dates', async () => {
  const { user } = await openRows([{ name: 'Palesa One' }, { name: 'Palesa Two' }], '?status=new&q=palesa')
  const seen: string[] = []
  const watcher = new MutationObserver(() => {
    const lie = /\d+ on other dates/.exec(document.body.textContent ?? '')?.[0]
    if (lie) seen.push(lie)
  })
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true })
  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await user.selectOptions(within(await bar()).getByLabelText('Set status'), 'Contacted')
  await said('None on other dates either.')
  watcher.disconnect()
  expect(seen).toEqual([])
})

test('A row and its preview show the same reply time, whenever the preview is opened', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date('2026-11-18T11:59:40+02:00'))
  const { user } = await openRows(TEST_LEADS.slice(0, 3), '?date=2026-11-18')
  within(row('Sipho Khumalo')).getByText('Overdue by 34 min')
  vi.setSystemTime(new Date('2026-11-18T12:00:01+02:00'))
  await user.click(row('Sipho Khumalo'))
  await within(await preview('Sipho Khumalo')).findByText('Overdue by 35 min')
  within(row('Sipho Khumalo')).getByText('Overdue by 35 min')
})

test('A signed contract is marked in its row, in the preview next to it, and on its own page', async () => {
  const businessName = 'Botanical Gardens'
  const { user, api, go } = await openRows([
    {
      name: 'Contract Cynthia',
      businessName,
      leadSource: 'contract_essential',
      package: 'essential',
      agreedToTerms: true,
    },
  ])
  within(row('Contract Cynthia')).getByText('Contract signed')
  // the second line on a phone
  within(row('Contract Cynthia')).getByText('Signed contract · Essential')
  await user.click(row('Contract Cynthia'))
  const peek = within(await preview('Contract Cynthia'))
  peek.getByText('Contract signed')
  const address = `/admin-lead?id=${api.named('Contract Cynthia').id}`
  expect(peek.getByRole('link', { name: /^Open lead/ }).getAttribute('href')).toBe(address)
  await go(address)
  await screen.findByRole('heading', { level: 1, name: `Contract Cynthia, ${businessName}` })
  await screen.findByText('Contract signed')
})

test('Keys move through the rows, open the preview, and take leads over', async () => {
  const { api, user } = await openRows(
    ['Row One', 'Row Two', 'Row Three'].map((name, index) => ({
      name,
      message: `From ${name}`,
      phone: `082 700 100${index}`,
      at: new Date(Date.now() - (60 - index) * 60_000).toISOString(),
    })),
  )
  const focused = () => document.activeElement?.textContent
  for (const key of ['j', 'j', 'k', 'j']) press(key)
  expect(focused()).toContain('Row Two')
  await user.keyboard('{Enter}')
  within(await preview('Row Two')).getByText('From Row Two')
  press('j')
  within(await preview('Row One')).getByText('From Row One')
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  expect(focused()).toContain('Row One')
  press('a')
  await said('Assigned to you: Row One')
  await within(row('Row One')).findByRole('img', { name: 'Assigned to Thandi' })
  // it is assigned by now
  press('a')
  const dialog = await screen.findByRole('dialog', { name: 'Assign to: Row One' })
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(requestsOf(`PATCH /api/leads/${api.named('Row One').id}`)).toHaveLength(1)
  expect(focused()).toContain('Row One')
  await user.keyboard('{Enter}')
  const first = await preview('Row One')
  expect(within(first).getByRole('link', { name: '082 700 1000' }).getAttribute('href')).toBe('tel:+27827001000')
  await user.click(within(first).getByRole('button', { name: 'WhatsApp' }))
  const whatsapp = await within(first).findByRole('link', { name: 'Open WhatsApp (new tab)' })
  await waitFor(() => expect(whatsapp.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/27827\d+\?text=.*Row%20One/))
  row('Row One').focus()
  press('k')
  await preview('Row Two')
  press('a')
  await waitFor(() => expect(api.named('Row Two').ownerId).toBe(THANDI.id))
  expect(api.named('Row Three').ownerId).toBeNull()
})

test('Keys set the status of a lead, assign it to a colleague, select it, open WhatsApp and the email, and flag it', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => opened.mockRestore())
  const { api, user, address, back } = await openRows([{ name: 'Key One', phone: '082 700 1000', ownerId: SIPHO.id }])
  const id = api.named('Key One').id
  press('j')
  press('s')
  const field = await screen.findByRole('combobox', { name: 'Set status' })
  await user.type(field, 'quo{Enter}')
  await said('Set to Quoted: Key One')
  await waitFor(() => expect(document.activeElement?.id).toBe(`row-${id}`))
  press('a')
  await user.type(await screen.findByRole('combobox', { name: 'Assign to' }), 'than{Enter}')
  await said('Assigned to Thandi: Key One')
  expect(api.named('Key One')).toMatchObject({ followUpStatus: 'quoted', ownerId: THANDI.id })
  press('x')
  within(await bar()).getByText('1 selected')
  press('x')
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected leads' })).toBeNull())
  press('w')
  expect(opened.mock.calls[0]?.[0]).toMatch(/^https:\/\/wa\.me\/27827001000\?text=/)
  await said('WhatsApp opened for 082 700 1000: Key One')
  press('#')
  await said('Marked as spam: Key One')
  await undo(user)
  await said('Undone: Key One')
  row('Key One').focus()
  press('e')
  await waitFor(() => expect(address()).toBe(`/admin-lead?id=${id}`))
  await back()
  await preview('Key One')
  expect(document.activeElement?.id).toBe(`row-${id}`)
})

test('With a selection the keys of assign, status and spam act on it, not on the row with the focus', async () => {
  const { api, user } = await openRows(came('Row One', 'Row Two', 'Row Three'))
  for (const name of ['Row Three', 'Row Two']) {
    row(name).focus()
    press('x')
  }
  row('Row One').focus()
  press('a')
  expect(document.activeElement).toBe(within(await bar()).getByLabelText('Assign to'))
  row('Row One').focus()
  press('s')
  expect(document.activeElement).toBe(within(await bar()).getByLabelText('Set status'))
  row('Row One').focus()
  press('#')
  await said('2 leads marked as spam')
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(document.activeElement?.id).toBe(`row-${api.named('Row One').id}`)
  expect(requestsOf(`PATCH /api/leads/${api.named('Row One').id}`)).toHaveLength(0)
  // without a selection they act on the row again
  press('#')
  await said('Marked as spam: Row One')
  await undo(user)
  await said('Undone: Row One')
})

test('Many leads are changed at once, with undo; a faster change by a colleague stays, and the owner stays empty', async () => {
  const { api, user } = await openRows(came('Row One', 'Row Two', 'Row Three'))
  const statuses = () => ['Row One', 'Row Two', 'Row Three'].map((name) => api.named(name).followUpStatus)
  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await said('3 selected')
  await user.click(box('Row One'))
  await said('2 selected')
  await user.selectOptions(within(await bar()).getByLabelText('Set status'), 'Contacted')
  await said('2 leads set to Contacted')
  expect(statuses()).toEqual(['new', 'contacted', 'contacted'])
  expect(api.named('Row Three').ownerId).toBeNull()
  await undo(user)
  await said('Undone for 2 leads')
  expect(statuses()).toEqual(['new', 'new', 'new'])
  for (const name of ['Row Two', 'Row Three']) await waitFor(() => within(row(name)).getByRole('img', { name: 'New' }))

  // the screen has not been notified of it
  await api.unheard('Row Two', { followUpStatus: 'won' })
  await user.selectOptions(within(await bar()).getByLabelText('Set status'), 'Lost')
  await said('1 of 2 leads not changed')
  await said('A colleague has changed it since; their version was kept.')
  expect(statuses()).toEqual(['new', 'won', 'lost'])
})

test('An unanswered call shows in the row of a lead that still waits', async () => {
  const timestamp = new Date().toISOString()
  await openRows([{ name: 'Row Three', unansweredCalls: [{ id: 'b', timestamp }] }])
  expect(row('Row Three').textContent).toMatch(/No answer · \d\d:\d\d/)
  within(row('Row Three')).getByText(/^(in|today|[MTWFS][a-z]{2,8}) |^Overdue by /)
})

test('The working list opens with the open leads of any time, and its filters are chips', async () => {
  const { user, address } = await openRows(
    [
      { name: 'Open One', at: '2026-01-05T08:00:00Z', package: 'essential' },
      { name: 'Open Two', ownerId: SIPHO.id },
      { name: 'Won One', followUpStatus: 'won' },
    ],
    '',
  )
  await waitFor(() => expect(rows()).toHaveLength(2))
  expect(address()).toBe('/admin-dashboard')
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull()
  const choose = async (chip: string, letters: string) => {
    await user.click(screen.getByRole('button', { name: chip }))
    await user.type(await screen.findByRole('combobox'), `${letters}{Enter}`)
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  }
  await choose('Status: Open', 'won')
  await screen.findByRole('checkbox', { name: 'Select Won One' })
  expect(address()).toBe('/admin-dashboard?period=all&status=won')
  await choose('Status: Won', 'any')
  await waitFor(() => expect(rows()).toHaveLength(3))
  await choose('Assigned to: Anyone', 'sipho')
  await waitFor(() => expect(rows()).toHaveLength(1))
  screen.getByRole('button', { name: 'Save view' })
  await choose('Assigned to: Sipho', 'anyone')
  await choose('Add a filter: + Filter', 'package essential')
  await screen.findByRole('button', { name: 'Package: Essential' })
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(address()).toBe('/admin-dashboard?period=all&package=essential')
  await choose('Add a filter: + Filter', 'next action')
  await waitFor(() => expect(rows()).toHaveLength(0))
  await user.click(screen.getByRole('button', { name: 'Without this filter: Next action due' }))
  await waitFor(() => expect(rows()).toHaveLength(1))
  // a single day without other filters has an address of its own
  await choose('Package: Essential', 'any package')
  await choose('Period: Any time', 'single')
  await waitFor(() => expect(address()).toBe('/admin-dashboard?period=day'))
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(address()).toBe('/admin-dashboard'))
})

test('The heads of the columns put the rows in order', async () => {
  const { user, address } = await openRows([
    { name: 'Beata', at: '2026-01-05T08:00:00Z' },
    { name: 'Aron', at: '2026-01-06T08:00:00Z', followUpStatus: 'quoted', ownerId: SIPHO.id },
    { name: 'Carl', at: '2026-01-07T08:00:00Z', nextActionDate: '2026-01-08', followUpStatus: 'contacted' },
  ])
  const names = () => rows().map(({ textContent }) => /Beata|Aron|Carl/.exec(textContent ?? '')?.[0])
  expect(names()).toEqual(['Carl', 'Aron', 'Beata'])
  const sort = async (name: string, order: string[]) => {
    await user.click(screen.getByRole('button', { name: new RegExp(`^Sort by ${name}`) }))
    await waitFor(() => expect(names()).toEqual(order))
  }
  await sort('name', ['Aron', 'Beata', 'Carl'])
  await sort('name', ['Carl', 'Beata', 'Aron'])
  await sort('status', ['Beata', 'Carl', 'Aron'])
  // the unassigned come last
  await sort('assigned', ['Aron', 'Carl', 'Beata'])
  await sort('time', ['Carl', 'Aron', 'Beata'])
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(3)
  await sort('time', ['Beata', 'Aron', 'Carl'])
  expect(address()).toBe('/admin-dashboard?period=all&sort=asc')
})

test('The account remembers whether the dashboard opens as cards or as the working list', async () => {
  let me: object = THANDI
  const api = leadsApi([{ name: 'Kept One' }])
  const answers = {
    ...api.answers,
    'GET /api/me': () => me,
    'POST /api/me/leads-layout': ({ body }: { body: unknown }) => {
      me = { ...me, ...(body as object) }
      return me
    },
  }
  const { user, close } = await openScreen('/admin-dashboard', answers)
  await screen.findByRole('heading', { name: 'Leads dashboard' })
  await user.click(await screen.findByRole('button', { name: 'List' }))
  await screen.findByRole('checkbox', { name: 'Select Kept One' })
  await waitFor(() => expect(document.activeElement?.id).toBe('content'))
  close()
  const again = await openScreen('/admin-dashboard', answers)
  await screen.findByRole('checkbox', { name: 'Select Kept One' })
  await again.user.click(screen.getByRole('button', { name: 'Cards' }))
  await screen.findByRole('heading', { name: 'Leads dashboard' })
  expect(me).toMatchObject({ leadsLayout: 'cards' })
})
