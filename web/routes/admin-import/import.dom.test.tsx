import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ImportCheck, ImportPreview, LeadImport } from '../../../events/lead/import/import-wire.ts'
import { THANDI } from '../../testing/answers.ts'
import { textsOf, valueIn } from '../../testing/fields.ts'
import { testLead } from '../../testing/lead.ts'
import { openScreen } from '../../testing/screen.tsx'
import { type Answer, problem, requestsOf } from '../../testing/server.ts'

const PREVIEW: ImportPreview = {
  id: 'file',
  encoding: 'utf-8',
  delimiter: ',',
  columns: ['Client name', 'Electronic post', 'Cell'],
  rows: [
    ['Zola Khumalo', 'zola@example.com', '0825550177'],
    ['Nobody', '', ''],
  ],
  rowNumbers: [2, 3],
  total: 4,
  mapping: { name: 0, email: 1, phone: 2 },
}

const NONE = { count: 0, rows: [] }
const NO_ROWS = { fresh: NONE, duplicates: NONE }

const CHECK: ImportCheck = {
  fresh: 1,
  inFile: 0,
  inFileRows: [],
  known: 0,
  knownRows: [],
  erased: 0,
  refused: 0,
  problems: [],
  badEmails: NO_ROWS,
  badPhones: NO_ROWS,
  badDates: NO_ROWS,
  badTimes: NO_ROWS,
  newZeros: NO_ROWS,
  labels: {},
}

const testImport = (more: Partial<LeadImport> = {}): LeadImport => ({
  id: 'import',
  by: 'Ben Dube',
  state: 'done',
  createdAt: '2026-01-05T08:00:00.000Z',
  total: 4,
  done: 4,
  added: 1,
  skipped: 0,
  refused: 0,
  leftOut: 0,
  hasLeftOutFile: false,
  incomplete: 0,
  mayUndo: false,
  ...more,
})

const file = (content: string | File) =>
  content instanceof File ? content : new File([content], 'leads.csv', { type: 'text/csv' })

/** Opens the import, and chooses a file that the server reads as given. */
const openPreview = async (check: unknown = CHECK, preview: Partial<ImportPreview> = {}, answers = {}) => {
  const opened = await openScreen('/admin-import', {
    'GET /api/imports': [],
    'POST /api/imports': { ...PREVIEW, ...preview },
    'POST /api/imports/*/check': check,
    ...answers,
  })
  await screen.findByText('Nothing has been imported yet.')
  await opened.user.upload(screen.getByLabelText('CSV file'), file('Name'))
  await screen.findByRole('heading', { name: /rows found\. Which column is which\?$/ })
  return opened
}

const openImports = async (imports: LeadImport[], answers: Record<string, Answer> = {}) => {
  const opened = await openScreen('/admin-import', { 'GET /api/imports': imports, ...answers })
  const entry = within((await screen.findByLabelText('Imports')).firstElementChild as HTMLElement)
  return { ...opened, entry }
}

/** Unfolds the details of a summary. */
const unfold = (summary: HTMLElement) => {
  const details = summary.closest('details') ?? expect.fail()
  details.open = true
  fireEvent(details, new Event('toggle'))
}

test('Before a file is chosen the screen shows which ones are possible', async () => {
  await openScreen('/admin-import', { 'GET /api/imports': [] })
  await screen.findByText('Nothing has been imported yet.')
  screen.getByText(/At most 10 MB and 20,000 rows\./)
})

test('A file is shown with its columns, and the result of its rows', async () => {
  const check: ImportCheck = {
    ...CHECK,
    known: 1,
    knownRows: [3],
    inFile: 1,
    inFileRows: [4],
    refused: 1,
    problems: [{ row: 5, problem: 'unreachable' }],
    labels: { 3: 'Known Already', 4: 'Twice', 5: 'Nobody' },
  }
  const { user } = await openPreview(check)
  expect(valueIn(screen.getByLabelText('Email'))).toBe('1')
  expect(textsOf([...screen.getByLabelText('Email').children])).toContain('Electronic post (zola@example.com)')
  await screen.findByText('1 new lead')
  screen.getByText('1 row is left out: we already have this email or phone.')
  screen.getByText('1 row is left out: an earlier row has this email or phone.')
  screen.getByText('1 row is left out: no email address and no phone number that can be used.')
  const told = within(screen.getByText('1 new lead').closest('[role=status]') as HTMLElement)
  expect(textsOf(told.getAllByRole('listitem'))).toEqual(['Row 3 Known Already', 'Row 4 Twice', 'Row 5 Nobody'])
  const first = within(screen.getByRole('region', { name: 'First rows of the file' }))
  expect(textsOf(first.getAllByRole('rowheader'))).toEqual(['2', '3'])
  await user.click(screen.getByLabelText('Import duplicates too'))
  screen.getByText('1 row: an earlier row has this email or phone.')
  screen.getByRole('button', { name: 'Import 3 leads' })
})

test('Another choice of columns is checked again', async () => {
  const { user } = await openPreview()
  await screen.findByText('1 new lead')
  await user.selectOptions(screen.getByLabelText('Email'), 'Not in this file')
  await waitFor(() =>
    expect(requestsOf('POST /api/imports/file/check').map(({ body }) => body)).toEqual([
      { mapping: { name: 0, email: 1, phone: 2 } },
      { mapping: { name: 0, phone: 2 } },
    ]),
  )
})

test('A mapping without a contact column is reported, as an alert once a choice was made', async () => {
  const { user } = await openPreview(CHECK, {
    columns: ['Name', 'Town'],
    rows: [['Zola', 'Cape Town']],
    mapping: { name: 0 },
  })
  const words = 'Say which column holds email addresses or phone numbers.'
  await screen.findByText(words)
  const isAlert = () => screen.getAllByRole('alert').some(({ textContent }) => textContent === words)
  expect(isAlert()).toBe(false)
  await user.selectOptions(screen.getByLabelText('Company'), 'Town (Cape Town)')
  await waitFor(() => expect(isAlert()).toBe(true))
  await user.click(screen.getByRole('button', { name: 'Choose another file' }))
  screen.getByLabelText('CSV file')
  expect(requestsOf('POST /api/imports/file/check')).toEqual([])
})

test('While the rows are checked nothing can be imported', async () => {
  const held = Promise.withResolvers<ImportCheck>()
  await openPreview(() => held.promise)
  await screen.findByRole('button', { name: 'Checking...' })
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull()
  held.resolve(CHECK)
  await screen.findByRole('button', { name: 'Import 1 lead' })
})

test('Rows with an invalid address are counted, those of duplicates once they are added too', async () => {
  const { user } = await openPreview({
    ...CHECK,
    fresh: 2,
    inFile: 1,
    inFileRows: [4],
    badEmails: { fresh: { count: 1, rows: [3] }, duplicates: { count: 1, rows: [4] } },
  })
  await screen.findByText('1 row has an email address that is not one: it comes in without it.')
  expect(screen.getAllByText('Row 3')).toHaveLength(1)
  // as a duplicate alone
  expect(screen.getAllByText('Row 4')).toHaveLength(1)
  await user.click(screen.getByLabelText('Import duplicates too'))
  await screen.findByText('2 rows have an email address that is not one: they come in without it.')
  expect(screen.getAllByText('Row 4')).toHaveLength(2)
})

test('Invalid numbers, dates and times are listed, with the number of further ones', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => index + 2)
  await openPreview({
    ...CHECK,
    badEmails: { fresh: { count: 12, rows }, duplicates: NONE },
    badPhones: { fresh: { count: 1, rows: [3] }, duplicates: NONE },
    newZeros: { fresh: { count: 2, rows: [6, 7] }, duplicates: NONE },
    badDates: { fresh: { count: 2, rows: [3, 4] }, duplicates: NONE },
    badTimes: { fresh: { count: 1, rows: [5] }, duplicates: NONE },
  })
  await screen.findByText('12 rows have an email address that is not one: they come in without it.')
  screen.getByText('and 2 rows more')
  screen.getByText('1 row has a phone number that is not one: it comes in without it.')
  screen.getByText('2 rows have a phone number without its leading 0: they come in with it.')
  screen.getByText('2 rows have a date that cannot be read or is to come: they count as received today.')
  screen.getByText('1 row has a time that cannot be read: it comes in with its date alone.')
})

test('An import is begun once by two clicks, and followed', async () => {
  const held = Promise.withResolvers<LeadImport>()
  let imports: LeadImport[] = []
  const { user } = await openPreview(
    CHECK,
    {},
    {
      'GET /api/imports': () => imports,
      'POST /api/imports/file/start': () => held.promise,
    },
  )
  await user.dblClick(await screen.findByRole('button', { name: 'Import 1 lead' }))
  imports = [testImport({ id: 'file', added: 0, state: 'running', done: 1 })]
  held.resolve(imports[0] ?? expect.fail())
  await screen.findByText('Importing: 1 of 4 rows')
  expect(requestsOf('POST /api/imports/file/start').map(({ body }) => body)).toEqual([
    { mapping: PREVIEW.mapping, addsDuplicates: false },
  ])
  imports = [testImport({ id: 'file', added: 0, skipped: 2, refused: 1 })]
  await screen.findByText('0 leads added, 3 left out')
})

test('Rows that were left out are listed, with a file of them', async () => {
  const { entry } = await openImports([testImport({ leftOut: 3, hasLeftOutFile: true })], {
    'GET /api/imports/import/left-out': [
      { row: 3, reason: 'known' },
      { row: 4, reason: 'in_file' },
      { row: 5, reason: 'unreachable' },
    ],
  })
  expect(entry.getByText('Download these rows (CSV)').getAttribute('href')).toBe('/api/imports/import/left-out.csv')
  unfold(entry.getByText('Why 3 were left out'))
  const list = within(await entry.findByLabelText('Rows that were left out'))
  expect(textsOf(list.getAllByRole('listitem'))).toEqual([
    'Row 3 A lead has this address or number already',
    'Row 4 An earlier row has this address or number',
    'Row 5 No email address and no phone number',
  ])
})

test('Values that were left out of leads are listed row by row, with a link to each lead', async () => {
  const { entry } = await openImports([testImport({ added: 3, incomplete: 3 })], {
    'GET /api/imports/import/incomplete': [
      { row: 3, cells: ['phone', 'date'], leadId: 'one' },
      { row: 4, cells: ['date'], leadId: 'two' },
      { row: 5, cells: ['time'], leadId: 'three' },
    ],
  })
  unfold(entry.getByText('What 3 leads came in without'))
  const list = within(await entry.findByLabelText('Leads that came in without something'))
  expect(textsOf(list.getAllByRole('listitem'))).toEqual([
    'Row 3 without its phone number, date',
    'Row 4 without its date',
    'Row 5 without its time',
  ])
  expect(list.getByText('Row 4').getAttribute('href')).toBe('/admin-lead?id=two')
})

test('The leads that an import added are shown in their current state, with links to where staff work on them', async () => {
  const lead = (id: string, more: object = {}) =>
    testLead({ id, name: `Found ${id}`, followUpStatus: 'quoted', leadSource: 'import', ...more })
  const added = '/api/imports/import/leads?limit=25'
  const next = '/api/imports/import/leads?limit=25&after=5'
  const { user, entry } = await openImports([testImport({ added: 6 })], {
    [`GET ${added}`]: () =>
      Response.json(
        [
          lead('1', { followUpStatus: 'lost', ownerId: THANDI.id }),
          lead('2', { mergedInto: '5' }),
          lead('3', { name: '', email: '', phone: '' }),
          lead('4', { suspicion: ['staff'] }),
        ],
        { headers: { link: `<${next}>; rel="next"` } },
      ),
    [`GET ${next}`]: [lead('6')],
  })
  unfold(entry.getByText('See the leads'))
  const list = within(await entry.findByLabelText('Leads that were added'))
  const rows = () => textsOf(list.getAllByRole('listitem'))
  await waitFor(() =>
    expect(rows()).toEqual(['Found 1LostThandi', 'Found 2Merged into another lead', 'Erased', 'Found 4In quarantine']),
  )
  expect(list.getByText('Found 2').closest('a')?.getAttribute('href')).toBe('/admin-lead?id=5')
  expect(list.queryByRole('link', { name: 'Erased' })).toBeNull()
  await user.click(entry.getByRole('button', { name: 'Show more' }))
  await waitFor(() => expect(rows().at(-1)).toBe('Found 6Quoted'))
})

test('An undo shows the work that it discards before it is requested', async () => {
  let state: LeadImport['state'] = 'done'
  const { user, entry } = await openImports([], {
    'GET /api/imports': () => [testImport({ mayUndo: state === 'done', state })],
    'GET /api/imports/import/work': { leads: 1, changed: 0, noted: 1, answered: 0, merged: 0 },
    'POST /api/imports/import/undo': () => {
      state = 'undone'
      return testImport({ state })
    },
  })
  await user.click(entry.getByRole('button', { name: /^Undo the import of / }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText(/^Staff have worked on 1 lead of them: 1 with notes\./)
  await user.click(dialog.getByRole('button', { name: 'Undo import' }))
  await screen.findByText('Undone: 1 lead removed')
})

test('A file that cannot be imported is refused with a sentence, one that is too large without being sent', async () => {
  const { user } = await openScreen('/admin-import', {
    'GET /api/imports': [],
    'POST /api/imports': problem(422, {
      detail: 'This is a workbook or an archive. Save it as CSV, and choose that file',
    }),
  })
  const field = await screen.findByLabelText('CSV file')
  const large = file('a,b')
  Object.defineProperty(large, 'size', { value: 11 * 1024 * 1024 })
  await user.upload(field, large)
  await screen.findByText('This file has 11 MB. At most 10 MB are imported at once: split it.')
  await user.upload(field, file(''))
  await screen.findByText('This file is empty.')
  expect(requestsOf('POST /api/imports')).toEqual([])
  await user.upload(field, file('PK'))
  await screen.findByText('This is a workbook or an archive. Save it as CSV, and choose that file.')
})
