import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Today } from '../../../events/lead/screens/today-wire.ts'
import type { FoundPerson, HeldPerson, PersonExport, PrivacyCase } from '../../../events/privacy/wire.ts'
import { textsOf } from '../../testing/fields.ts'
import { openScreen } from '../../testing/screen.tsx'
import { requestsOf } from '../../testing/server.ts'

const NONE = { count: 0, leads: [] }

const NO_WORK: Today = {
  overdue: NONE,
  dueSoon: NONE,
  fresh: NONE,
  quarantined: NONE,
  nextActions: NONE,
  otherRequests: [],
  chats: { count: 0, chats: [] },
  emails: { count: 0, emails: [] },
}

const ZANELE: FoundPerson = {
  kind: 'lead',
  id: 'zanele',
  name: 'Zanele Dlamini',
  email: 'zanele@example.com',
  phone: '082 555 0142',
  timestamp: '2026-01-05T08:00:00.000Z',
  count: 2,
}

const HELD: HeldPerson = {
  name: 'Zanele Dlamini',
  email: 'zanele@example.com',
  phone: '082 555 0142',
  leads: 2,
  chats: 1,
  isErased: false,
  groups: [
    {
      group: 'notes',
      title: 'Notes by staff',
      reason: 'For colleagues to know what was agreed.',
      count: 40,
      entries: [
        {
          id: 'note',
          timestamp: '2026-01-05T08:00:00.000Z',
          title: 'Note by staff',
          source: 'Staff',
          lines: [{ label: 'Note', text: 'Prefers mornings' }],
          leadId: 'zanele',
          sessionId: null,
        },
      ],
    },
  ],
  others: [{ id: 'bongani', name: 'Bongani', timestamp: '2026-01-05T08:00:00.000Z' }],
}

test('An owner finds a person, and sees what is held, where it came from and why', async () => {
  const listed = [{ id: 'old', name: 'Old Oupa', timestamp: '2024-01-05T08:00:00.000Z' }]
  const { user, address } = await openScreen('/admin-privacy', {
    'GET /api/privacy/retention': {
      until: '2026-02-04T08:00:00.000Z',
      kinds: [
        { kind: 'leads', count: 1, isMore: false, listed },
        { kind: 'spam', count: 0, isMore: false, listed: [] },
      ],
    },
    'GET /api/privacy/people': [ZANELE, { ...ZANELE, kind: 'account', id: 'staff', name: 'Zanele M' }],
    'GET /api/privacy/people/zanele/exports': [],
    'GET /api/privacy/people/zanele?kind=lead': HELD,
  })
  const due = within(await screen.findByLabelText('Leads without a contract'))
  expect(due.getByText('Old Oupa').getAttribute('href')).toBe('/admin-privacy?lead=old')
  expect(screen.queryByText('Flagged leads')).toBeNull()
  await user.type(await screen.findByLabelText('Find a person by email, phone, name or reference'), 'zanele{Enter}')
  const people = within(await screen.findByLabelText('People'))
  expect(requestsOf('GET /api/privacy/people').length).toBeGreaterThan(0)
  expect(textsOf(people.getAllByRole('listitem'))[1]).toContain('Staff account')
  await user.click(people.getByText('Zanele Dlamini'))
  await screen.findByText('zanele@example.com · 082 555 0142 · 2 leads · 1 chat')
  expect(address()).toBe('/admin-privacy?lead=zanele')
  screen.getByText('For colleagues to know what was agreed.')
  const notes = within(screen.getByLabelText('Notes by staff'))
  notes.getByText('Prefers mornings')
  expect(notes.getByText('Open the lead').getAttribute('href')).toBe('/admin-lead?id=zanele')
  screen.getByText('And 39 older entries: an export has all of them.')
  expect(screen.getByText('Bongani').getAttribute('href')).toBe('/admin-privacy?lead=bongani')
})

test('A request is noted, shown on Today once it is due within a week, and done', async () => {
  const noted = (more: Partial<PrivacyCase> = {}): PrivacyCase => ({
    id: 'case',
    kind: 'access',
    from: 'Zanele Dlamini',
    note: 'All of it',
    subjectId: null,
    receivedOn: '2026-01-05',
    dueOn: '2026-02-04',
    doneBy: null,
    doneAt: null,
    ...more,
  })
  let cases: PrivacyCase[] = []
  const { user, go } = await openScreen('/admin-privacy', {
    'GET /api/privacy/retention': { until: '2026-02-04T08:00:00.000Z', kinds: [] },
    'GET /api/privacy/cases': () => cases,
    'POST /api/privacy/cases': () => {
      cases = [noted()]
      return cases
    },
    'POST /api/privacy/cases/case/done': () => {
      cases = [noted({ doneAt: '2026-01-06T08:00:00.000Z', doneBy: 'Thandi' })]
      return cases
    },
    'GET /api/today': NO_WORK,
  })
  await user.click(await screen.findByRole('button', { name: 'Note a request' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Note a request' }))
  await user.selectOptions(dialog.getByLabelText(/^The person asks for/), 'Erasure')
  await user.click(dialog.getByRole('button', { name: 'Note it' }))
  await dialog.findByText('Write who asks')
  await user.type(dialog.getByLabelText(/^From/), 'Zanele Dlamini')
  await user.click(dialog.getByRole('button', { name: 'Note it' }))
  await screen.findByText('Received on 5 January 2026. Due on 4 February 2026.')
  expect(requestsOf('POST /api/privacy/cases').map(({ body }) => body)).toMatchObject([
    { kind: 'erasure', from: 'Zanele Dlamini', note: null },
  ])
  await go('/admin-today')
  await screen.findByRole('heading', { name: /^Privacy requests/ })
  await go('/admin-privacy')
  await user.click(await screen.findByRole('button', { name: 'Done: Zanele Dlamini' }))
  await screen.findByText('Received on 5 January 2026. Done on 6 January 2026 by Thandi.')
})

test('An unknown person, and one who was erased, are reported', async () => {
  const { user } = await openScreen('/admin-privacy?lead=zanele', {
    'GET /api/privacy/people': [],
    'GET /api/privacy/people/zanele/exports': [],
    'GET /api/privacy/people/zanele?kind=lead': { ...HELD, isErased: true, groups: [] },
  })
  await screen.findByText('Nothing is left about this person')
  await user.type(screen.getByLabelText('Find a person by email, phone, name or reference'), 'nobody at all{Enter}')
  await screen.findByText('Nothing is held under these words')
})

test('An export without notes wants a reason; its progress shows, and its download is noted first', async () => {
  const made: PersonExport = {
    id: 'export',
    state: 'waiting',
    progress: 0.5,
    size: 0,
    hasNotes: false,
    requestedAt: '2026-01-05T08:00:00.000Z',
    deletedAt: '2026-01-12T08:00:00.000Z',
    by: 'Thandi',
  }
  let exports: PersonExport[] = []
  const { user } = await openScreen('/admin-privacy?lead=zanele', {
    'GET /api/privacy/people/zanele?kind=lead': HELD,
    'GET /api/privacy/people/zanele/exports': () => exports,
    'POST /api/privacy/people/zanele/exports': () => {
      exports = [made]
      return exports
    },
    'POST /api/privacy/exports/export/download': { address: '#file' },
  })
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  await user.click(screen.getByLabelText('Include the notes by staff, marked as such'))
  await user.click(screen.getByRole('button', { name: 'Make the export' }))
  await screen.findByText('Write why the notes are left out')
  await user.type(screen.getByLabelText(/^Why are the notes left out\?/), 'They name another client')
  await user.click(screen.getByRole('button', { name: 'Make the export' }))
  expect((await screen.findByLabelText('Export', { selector: 'progress' })).getAttribute('value')).toBe('0.5')
  expect(requestsOf('POST /api/privacy/people/zanele/exports').map(({ body }) => body)).toEqual([
    { kind: 'lead', hasNotes: false, reason: 'They name another client' },
  ])
  exports = [{ ...made, state: 'ready', progress: 1, size: 3_000_000 }]
  await user.click(await screen.findByRole('button', { name: 'Download' }, { timeout: 5_000 }))
  screen.getByText('Ready, 2.9 MB, without notes. Deleted on 12 January 2026.')
  await waitFor(() => expect(requestsOf('POST /api/privacy/exports/export/download')).toHaveLength(1))
})
