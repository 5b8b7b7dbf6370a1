import { describe, expect, test } from 'vitest'
import { longestTurn } from '../../testing/longest-turn.ts'
import { BYTE_ORDER_MARK, csvLine } from '../export/sheet.ts'
import { MAX_IMPORT_BYTES, suggestMapping } from '../import/import.ts'
import { cleaned, readImportedRow } from '../import/imported-row.ts'
import { CsvProblem, csvRows, sniffCsv } from './csv.ts'

const read = async (content: Buffer | string) => {
  const bytes = Buffer.from(content)
  const rows: string[][] = []
  for await (const { row } of csvRows(bytes, sniffCsv(bytes))) rows.push(row)
  return rows
}

describe('a CSV file is read', () => {
  const wanted = [
    ['Name', 'Email'],
    ['Zoë Naudé', 'zoe@example.com'],
  ]
  const text = 'Name,Email\r\nZoë Naudé,zoe@example.com\r\n'

  test.each([
    ['in UTF-8', Buffer.from(text)],
    ['with a byte order mark', Buffer.from(`\u{FEFF}${text}`)],
    ['in Windows-1252', Buffer.from(text, 'latin1')],
    ['in UTF-16', Buffer.from(`\u{FEFF}${text}`, 'utf16le')],
    ['with semicolons', Buffer.from(text.replaceAll(',', ';'))],
    ['with tabs', Buffer.from(text.replaceAll(',', '\t'))],
    ['with old line ends and empty lines', Buffer.from(text.replaceAll('\r\n', '\n\n'))],
    ['after an empty line', Buffer.from(`\n${text.replaceAll(',', ';')}`)],
    ['after a title', Buffer.from(`Leads of March, all of them\n\n${text.replaceAll(',', ';')}`)],
    ['after titles that a spreadsheet has filled up', Buffer.from(`Leads,\nMarch,\n,\n${text}`)],
    ['after a line for Excel', Buffer.from(`\u{FEFF}sep=;\r\n${text.replaceAll(',', ';')}`)],
    ['after a line for Excel that names no separator', Buffer.from(`sep="\n${text}`)],
    ['after a line for Excel that names a tab', Buffer.from(`"sep=\t"\n${text.replaceAll(',', '\t')}`)],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual(wanted)
  })

  test('with a letter of several bytes at each cut', async () => {
    const long = `Name,Email\n${'é'.repeat(60_000)},a@example.com\n`
    expect((await read(`x${long}`))[1]?.[0]).toBe('é'.repeat(60_000))
  })

  test('with quotes, line breaks in cells, and rows of other lengths', async () => {
    expect(await read('a,b\n"say ""hi"",\nplease",2,3\n1\n5" pipe,2\n')).toEqual([
      ['a', 'b'],
      ['say "hi",\nplease', '2', '3'],
      ['1'],
      ['5" pipe', '2'],
    ])
  })

  test('with commas in its texts, and semicolons between them', async () => {
    expect(await read('Name;Message\nZoë;Red, blue, or green\nBen;One, two\n')).toEqual([
      ['Name', 'Message'],
      ['Zoë', 'Red, blue, or green'],
      ['Ben', 'One, two'],
    ])
  })

  test('with one column, without taking a cell for a title', async () => {
    expect(await read('Email\na@example.com\nb@example.com,Ben\n')).toEqual([
      ['Email'],
      ['a@example.com'],
      ['b@example.com', 'Ben'],
    ])
    expect(await read('Email\na@example.com\n')).toEqual([['Email'], ['a@example.com']])
  })

  test('with 300 columns', async () => {
    const columns = Array.from({ length: 300 }, (_, index) => `c${index}`)
    expect(await read(`${columns.join(',')}\n${columns.join(',')}\n`)).toEqual([columns, columns])
  })
})

test('rows are counted as a spreadsheet does, those without text too', async () => {
  const bytes = Buffer.from('Name,Email\n\nA,"1\n2"\n,\n" ",\n  \nB,2\n\n')
  const numbers: unknown[] = []
  for await (const { row, line, number } of csvRows(bytes, sniffCsv(bytes))) numbers.push([row[0], line, number])
  expect(numbers).toEqual([
    ['Name', 0, 1],
    ['A', 1, 3],
    ['B', 2, 7],
  ])
})

test.each([
  ['the largest file', `Name,Email,Message\n${`Zoë,zoe@example.com,${'word '.repeat(96)}\n`.repeat(20_000)}`],
  ['rows that were only formatted', ',,,,\n'.repeat(120_000)],
  ['empty lines', '\n'.repeat(1_000_000)],
  ['quotes', '"\n'.repeat(100_000)],
  ['a row of commas', `Name,Email,Phone\nA,b@c.co,1${','.repeat(9_900_000)}`],
])('other work of the process goes on while %s is read', async (_, text) => {
  const content = Buffer.from(text)
  expect(content.length).toBeLessThan(MAX_IMPORT_BYTES)
  expect(await longestTurn(() => read(content).catch(() => {}))).toBeLessThan(100)
})

test('a file is read no further once its reader has left', async () => {
  const content = Buffer.from('a,b\n'.repeat(1_000))
  const leaving = new AbortController()
  const rows = csvRows(content, sniffCsv(content), leaving)
  expect((await rows.next()).value).toMatchObject({ row: ['a', 'b'] })
  leaving.abort()
  const others = async () => {
    while (!(await rows.next()).done);
  }
  await expect(others()).rejects.toThrow('aborted')
})

test('a file of rows without text is read no further either', async () => {
  const content = Buffer.from(`${','.repeat(400)}\n`.repeat(11_000))
  const leaving = new AbortController()
  const first = csvRows(content, sniffCsv(content), leaving).next()
  leaving.abort()
  await expect(first).rejects.toThrow('aborted')
})

test.each([
  ['a workbook', Buffer.from('PK\u0003\u0004rest'), 'Save it as CSV'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'no text file'],
  ['501 columns', `${'a,'.repeat(500)}b\n`, 'may have 500 columns'],
  ['a row of very many columns', `a,b\nc,d\n${','.repeat(300_000)}\n`, 'may have 500 columns'],
  ['a row of very many quoted columns', `a,b\n${'"c" ,'.repeat(600)}\n`, 'may have 500 columns'],
  ['20,001 rows', `a\n${'b\n'.repeat(20_001)}`, 'may have 20,000 rows'],
  ['100,001 rows with the empty ones', ',,,\n'.repeat(100_001), 'may have 100,000 rows with its empty ones'],
  ['a quote without an end', `a,b\n"${'c'.repeat(300_000)}`, 'near line 2'],
])('%s is refused with a sentence', async (_, content, words) => {
  const refusal = await read(content).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(CsvProblem)
  expect((refusal as CsvProblem).message).toContain(words)
  expect((refusal as CsvProblem).message).toMatch(/[.?]$/)
})

test('columns are recognised by their headers, each once', () => {
  expect(
    suggestMapping(['Created at', 'Full Name', 'E-mail address', 'Cell', 'Business name', 'Notes', 'Stage']),
  ).toEqual({
    date: 0,
    name: 1,
    email: 2,
    phone: 3,
    company: 4,
    message: 5,
    status: 6,
  })
  expect(suggestMapping(['a', 'b'])).toEqual({})
})

test('exported cells are read back unchanged', async () => {
  const digits = ['0825550142', '+27825550142', '+27 (0)82-555-0142', '123456789012345678', '1E5', '007']
  const cells = [...digits, '0', '-Smith', '=1+1', '@home', "O'Neill", 'Zoë; Naudé']
  const line = csvLine(cells)
  expect(line).toMatch(/^"=""0825550142""";"=""\+27825550142""";/)
  expect(line).toContain(`"0";"'-Smith";"'=1+1"`)
  const [row] = await read(`${BYTE_ORDER_MARK}${line}`)
  expect(row?.map(cleaned)).toEqual(cells)
})

describe('a row becomes a lead', () => {
  const mapping = { name: 0, email: 1, phone: 2, status: 3, date: 4 }
  const now = new Date('2026-11-22T10:00:00Z')
  const row = (...cells: string[]) => readImportedRow(cells, mapping, now)

  test('with its status and the day on which it came', () => {
    expect(row('Zola', 'zola@example.com', '="0825550177"', 'Quoted', '03/11/2025 09:15')).toMatchObject({
      person: { name: 'Zola', email: 'zola@example.com', phone: '0825550177', leadSource: 'import' },
      followUpStatus: 'quoted',
      receivedAt: '2025-11-03T07:15:00.000Z',
    })
  })

  test.each([
    ['2025-11-03', '2025-11-02T22:00:00.000Z'],
    ['24/11/2025 09:30', '2025-11-24T07:30:00.000Z'],
    ['24/11/2025, 09:30:15', '2025-11-24T07:30:15.000Z'],
    ['2025/11/24  9:30 AM', '2025-11-24T07:30:00.000Z'],
    ['24 Nov 2025 12:05 am', '2025-11-23T22:05:00.000Z'],
    ['24 November 2025 9 p.m.', '2025-11-24T19:00:00.000Z'],
    ['24-11-2025 9h30', '2025-11-24T07:30:00.000Z'],
    ['2025-11-24T09:30', '2025-11-24T07:30:00.000Z'],
    ['2025-11-24T09:30:15Z', '2025-11-24T09:30:15.000Z'],
    ['2025-11-24T09:30:15.250+05:30', '2025-11-24T04:00:15.250Z'],
    ['2025-11-24 09:30:15 -0300', '2025-11-24T12:30:15.000Z'],
    ['2025-11-24 09:30:15+02', '2025-11-24T07:30:15.000Z'],
    ['2025-11-24 09:30:15.25-03', '2025-11-24T12:30:15.250Z'],
    ['2025-11-24 23:30+14:00', '2025-11-24T09:30:00.000Z'],
    ['2025-11-24 09:30 UTC', '2025-11-24T09:30:00.000Z'],
    ['2025-11-24 09:30 SAST', '2025-11-24T07:30:00.000Z'],
    ['2026-11-22 11:59', '2026-11-22T09:59:00.000Z'],
  ])('of %s at its own time', (date, receivedAt) => {
    const read = row('', 'a@example.com', '', '', date)
    expect(read).toMatchObject({ receivedAt })
    expect(read).not.toHaveProperty('badCells')
  })

  test.each([
    '24/11/2025 25:00',
    '24/11/2025 noon',
    '2025-11-24T09:61',
    '24 Nov 2025 13:00 pm',
    '24/11/2025 9',
    '2025-11-24 09:30+99:99',
    '2025-11-24 09:30-1401',
    '2025-11-24 09:30+15',
    '2025-11-24 09:30+02:60',
    '2025-11-24 09:30+02:',
  ])('of the day alone of %s, which is told', (date) => {
    const read = row('', 'a@example.com', '', '', date)
    expect(read).toMatchObject({ receivedAt: '2025-11-23T22:00:00.000Z', badCells: ['time'] })
  })

  test('of today if its time is in the future', () => {
    expect(row('', 'a@example.com', '', '', '2026-11-22 12:01')).toMatchObject({ badCells: ['date'] })
    expect(row('', 'a@example.com', '', '', '2026-11-22 12:01')).not.toHaveProperty('receivedAt')
  })

  test('as one that was answered, of today, if the file does not say', () => {
    const read = row('=HYPERLINK("http://evil")', 'a@example.com')
    expect(read).toMatchObject({
      person: { name: '=HYPERLINK("http://evil")', phone: '' },
      followUpStatus: 'contacted',
    })
    expect(read).not.toHaveProperty('receivedAt')
    expect(row('', 'a@example.com', '', '', '2027-01-01')).not.toHaveProperty('receivedAt')
    expect(row('', 'a@example.com', '12', '', '2031-13-45')).toMatchObject({ badCells: ['phone', 'date'] })
    expect(row('', 'a@example.com', '', '', '31/02/2025')).not.toHaveProperty('receivedAt')
  })

  test('by its usable address or number, and is refused without one', () => {
    expect(row('A', 'n/a', '082 555 0177')).toMatchObject({
      person: { email: '', phone: '082 555 0177' },
      badCells: ['email'],
    })
    expect(row('A', ' ', '082 555 0177')).not.toHaveProperty('badCells')
    expect(row('A', 'n/a', 'none')).toEqual({
      problem: 'No email address and no phone number that can be used',
      reason: 'unusable',
    })
  })

  test('with its first and its last name', () => {
    const named = (...cells: string[]) => readImportedRow(cells, { name: 1, lastName: 0, email: 2 }, now)
    expect(named('Naudé', 'Zoë', 'zoe@example.com')).toMatchObject({ person: { name: 'Zoë Naudé' } })
    expect(named('Naudé', '', 'zoe@example.com')).toMatchObject({ person: { name: 'Naudé' } })
  })

  test.each([
    ['0821234567', '', '', '0821234567'],
    ['p:+27821234567', '', '', '+27821234567'],
    ['0821234567', '27', '', '082 123 4567'],
    ['821234567', '+27', '', '082 123 4567'],
    ['7911 123456', '44', '', '+44 7911 123456'],
    ['+27821234567', '44', '', '+27821234567'],
    ['0821234567', 'ZA', '', '0821234567'],
    ['0821234567', '', '021 555 0123', '0821234567 / 021 555 0123'],
    ['', '', '021 555 0123', '021 555 0123'],
    ['082 123 4567', '', '+27821234567', '082 123 4567'],
  ])('with the phone %s, of country %s, and the second phone %s as %s', (phone, code, other, shown) => {
    const read = readImportedRow([phone, code, other], { phone: 0, countryCode: 1, otherPhone: 2 }, now)
    expect(read).toMatchObject({ person: { phone: shown } })
    expect(read).not.toHaveProperty('hasNewZero')
    expect(read).not.toHaveProperty('badCells')
  })

  test.each([
    ['none', '021 555 0123', '021 555 0123'],
    ['2.78211E+10', '021 555 0123', '021 555 0123'],
    ['021 555 0123', '2.78211E+10', '021 555 0123'],
    ['0821234567', '555 0123', '0821234567'],
    ['0821234567 (work, after hours)', '021 555 0123 (shop)', '0821234567 (work, after hours)'],
  ])('with the phone %s and the second phone %s as %s, where the loss of the other is told', (phone, other, shown) => {
    const read = readImportedRow([phone, other], { phone: 0, otherPhone: 1 }, now)
    expect(read).toMatchObject({ person: { phone: shown }, badCells: ['phone'] })
  })

  test.each(['821234567', '82 123 4567', '821234567.0'])(
    'with the 0 that a spreadsheet took from %s, which is told',
    (phone) => {
      const read = row('', 'a@example.com', phone)
      expect(read).toMatchObject({ person: { phone: expect.stringMatching(/^082/) }, hasNewZero: true })
      expect(row('', 'a@example.com', '0821234567')).not.toHaveProperty('hasNewZero')
    },
  )

  test.each(['2.78211E+10', '2,78211E+10', '8E+08'])('without %s, of which a spreadsheet left too little', (phone) => {
    expect(row('', 'a@example.com', phone)).toMatchObject({ person: { phone: '' }, badCells: ['phone'] })
    expect(row('', '', phone)).toMatchObject({ reason: 'unusable' })
  })

  test('however long its cells are, and with any characters that cannot be stored', () => {
    const read = row(`${'\u{1F3E0}'.repeat(300)}`, 'a@example.com\0', 'x'.repeat(500))
    expect(read).toMatchObject({ person: { email: 'a@example.com', phone: '' } })
    expect(read.problem === undefined && read.person.name.length).toBeLessThanOrEqual(200)
    expect(read.problem === undefined && read.person.name.isWellFormed()).toBe(true)
  })
})

test.each([
  ['First name, Last name, E-mail', { name: 0, lastName: 1, email: 2 }],
  ['LastName, FirstName, Email', { name: 1, lastName: 0, email: 2 }],
  ['Name, Surname, Tel.', { name: 0, lastName: 1, phone: 2 }],
  ['Surname, Cell number', { lastName: 0, phone: 1 }],
  ['Full name, Surname, Email', { name: 0, email: 2 }],
  ['Naam, Van, Selfoon', { name: 0, lastName: 1, phone: 2 }],
  ['Name & Surname, Contact number', { name: 0, phone: 1 }],
  ['Country code, Phone, Mobile', { countryCode: 0, phone: 2, otherPhone: 1 }],
  ['full_name, phone_number, email, created_time', { name: 0, phone: 1, email: 2, date: 3 }],
  [
    'Name,Given Name,Additional Name,Family Name,Yomi Name,Birthday,Notes,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,' +
      'Phone 1 - Value,Phone 2 - Type,Phone 2 - Value,Organization 1 - Type,Organization 1 - Name,Organization 1 - Title',
    { name: 1, lastName: 3, message: 6, email: 8, phone: 10, otherPhone: 12, company: 14 },
  ],
  [
    'First Name,Middle Name,Last Name,Phonetic First Name,Organization Title,Organization Name,E-mail 1 - Label,' +
      'E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value',
    { name: 0, lastName: 2, company: 5, email: 7, phone: 9 },
  ],
])('the columns %s are recognised', (headers, mapping) => {
  expect(suggestMapping(headers.split(/, ?/))).toEqual(mapping)
})

test.each([
  ['Naam', 'E-pos', 'Selfoon', 'Firma', 'Pakket', 'Boodskap', 'Status', 'Datum'],
  ['Naam en van', 'E-posadres', 'Telefoonnommer', 'Maatskappynaam', 'Produk', 'Navraag', 'Stadium', 'Geskep op'],
  ['Kliënt', 'epos', 'Sel', 'Besigheid', 'Pakketnaam', 'Opmerkings', 'Status', 'Ontvang'],
])('Afrikaans headings tell which column is which field: %s', (...headers) => {
  expect(suggestMapping(headers)).toEqual({
    name: 0,
    email: 1,
    phone: 2,
    company: 3,
    package: 4,
    message: 5,
    status: 6,
    date: 7,
  })
})

test('words that contain a heading by chance are not headings', () => {
  expect(suggestMapping(['Deposit', 'Selected', 'Naam van die firma'])).toEqual({ company: 2 })
})

test('a column of addresses holds the email if no heading says so', () => {
  const rows = [['Ana', 'ana@example.com', ''], ['Ben'], ['Cai', ' cai@example.com ', 'x']]
  expect(suggestMapping(['Who', 'Where', 'Else'], rows)).toEqual({ email: 1 })
  expect(suggestMapping(['Who', 'Where', 'Email'], rows)).toEqual({ email: 2 })
  expect(suggestMapping(['Who', 'Where', 'Else'], [...rows, ['Dee', 'none', '']])).toEqual({})
  // a column that another field has by its heading stays with that field
  expect(suggestMapping(['Who', 'Contact', 'Else'], rows)).toEqual({ name: 1 })
})
