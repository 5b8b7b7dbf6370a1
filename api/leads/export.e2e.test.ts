import { createConnection } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Excel from 'exceljs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadsProjection, UNASSIGNED_ID } from '../../events/lead/store/view.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { connect, type Sql } from '../../events/stores/connection.ts'
import { createTestDatabase, testRedisUrl } from '../../events/testing/database.ts'
import { type FaultProxy, openFaultProxy } from '../../events/testing/fault-proxy.ts'
import { TEST_KEYS } from '../../events/testing/keys.ts'
import { eventually, signIn, startTestNode, startTestWorker, type TestNode } from '../../events/testing/node.ts'

const VIEW = schemaOf(leadsProjection)
const COLUMNS =
  'Date,Time,Name,Email,Phone,Company,Form Type,Lead Source,Industry,Package,Message,' +
  'Status,Owner,Next action,Project value,Conversion date,' +
  'Reference,Source in words,Preferred contact,Package in words,Timeline'
const REFERENCE = /^[0-9A-F]{4}-[0-9A-F]{4}$/
const FORMULA = '=HYPERLINK("https://elsewhere.example","prize")'
const LONG = `${'x'.repeat(32_766)}\u{1F600} and more`
const LEAD = {
  name: 'Ana Botha',
  email: 'ana@example.com',
  phone: '+27 82 555 0199',
  company: null,
  businessName: null,
  industry: null,
  package: null,
  message: null,
  timeline: null,
  leadSource: 'hero_form',
  pageUrl: null,
  agreedToTerms: null,
  firstTouch: null,
  lastTouch: null,
  followUpStatus: 'new',
  conversionDate: null,
  projectValue: null,
  ownerId: null,
  nextActionDate: null,
  answeredAt: null,
  emailStatus: null,
  version: 1,
}

let database: Awaited<ReturnType<typeof createTestDatabase>>
let sql: Sql
let proxy: FaultProxy
let node: TestNode
let staff: { cookie: string }
let ownerId: string

/**
 * Inserts a lead directly into the view: an older product may have stored values that a form or the log would refuse.
 */
const insert = (timestamp: string, fields: object = {}) =>
  sql`
    with made as (
      select gen_random_uuid() as id, coalesce(max(position), 0) + 1 as position from ${sql(VIEW)}.entries
    ), entry as (
      insert into ${sql(VIEW)}.entries (position, id, submitted_at, is_suspect, search, status, owner_id, source, package, is_waiting)
      select position, id, ${timestamp}::timestamptz, false, '', 'new', ${UNASSIGNED_ID}, 'hero_form', 'none', true from made
    )
    insert into ${sql(VIEW)}.leads (id, position, changed_position, is_suspect, lead)
    select id, position, 0, false,
      ${sql.json({ ...LEAD, timestamp, ...fields })}::jsonb || jsonb_build_object('id', id)
    from made`

beforeAll(async () => {
  database = await createTestDatabase()
  sql = connect(database.url, { max: 2, name: 'test', keys: TEST_KEYS })
  const redisUrl = await testRedisUrl()
  const worker = await startTestWorker({ databaseUrl: database.url, redisUrl })
  await worker.stop()
  proxy = await openFaultProxy(database.url)
  node = await startTestNode({ databaseUrl: proxy.url, redisUrl }, { AGENCY_NAME: 'Karoo Web Studio' })
  staff = await signIn(node)
  ownerId = (await (await node.call('/api/me', { headers: staff })).json()).id
})

afterAll(async () => {
  await node?.stop()
  await proxy?.close()
  await sql?.end()
  await database?.drop()
})

const get = (query: string) => node.call(`/api/leads/export?${query}`, { headers: staff })
/** The name of the file of an export, without making the file. */
const fileNameOf = async (query: string) => {
  const response = await node.call(`/api/leads/export?${query}`, { method: 'HEAD', headers: staff })
  return /filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
}

const workbookOf = async (response: Response) => {
  const workbook = new Excel.Workbook()
  await workbook.xlsx.load(await response.arrayBuffer())
  return workbook.worksheets[0] as Excel.Worksheet
}

/** The values of a row from the first column on; null for an empty cell. */
const valuesOf = (sheet: Excel.Worksheet, row: number) =>
  COLUMNS.split(',').map((_, index) => sheet.getRow(row).getCell(index + 1).value)

const linesOf = async (response: Response) => {
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  return new TextDecoder().decode(bytes).trimEnd().split('\r\n')
}

describe('an export', () => {
  const MARCH = 'from=2026-02-28T22:00:00.000Z&to=2026-03-31T22:00:00.000Z&sort=asc'
  const HOSTILE = [FORMULA, '+1+cmd|calc', '-2+3', '@SUM(A1)', '\t=1', '\r=1', 'a "quote"', '\u{1F600} Zoë']

  let march: Response
  /** The workbook of March. */
  let sheet: Excel.Worksheet

  beforeAll(async () => {
    await insert('2026-03-01T21:59:30.000Z', {
      company: 'Botha & Sons',
      industry: 'phone',
      package: 'premium',
      message: 'Two\nlines',
      followUpStatus: 'won',
      projectValue: 1_499.5,
      conversionDate: '2026-03-31T22:30:00.000Z',
      nextActionDate: '2026-04-02',
      ownerId,
    })
    await insert('2026-03-02T08:00:00.000Z')
    await insert('2026-03-03T08:00:00.000Z', { name: '\u{FFFF}\u0001', message: LONG })
    for (const [index, name] of HOSTILE.entries()) await insert(`2026-03-1${index}T08:00:00.000Z`, { name })
    march = await get(MARCH)
    sheet = await workbookOf(march)
  })

  test('is for staff', async () => {
    expect((await node.call('/api/leads/export')).status).toBe(401)
  })

  test('is a workbook with typed cells on the clock of Johannesburg', () => {
    expect(march.headers.get('content-type')).toContain('spreadsheetml.sheet')
    expect(march.headers.get('content-disposition')).toContain('filename="karoo-web-studio-month-2026-03.xlsx"')
    expect(march.headers.get('x-total-rows')).toBe(String(3 + HOSTILE.length))
    expect(valuesOf(sheet, 1).join(',')).toBe(COLUMNS)
    expect(sheet.rowCount).toBe(1 + 3 + HOSTILE.length)
    expect(valuesOf(sheet, 2)).toEqual([
      new Date('2026-03-01T00:00:00Z'),
      new Date('1899-12-30T23:59:00Z'),
      'Ana Botha',
      'ana@example.com',
      '+27 82 555 0199',
      'Botha & Sons',
      'Lead Form',
      'hero_form',
      'phone',
      'premium',
      'Two\nlines',
      'Won',
      'thandi',
      new Date('2026-04-02T00:00:00Z'),
      1_499.5,
      new Date('2026-04-01T00:00:00Z'),
      expect.stringMatching(REFERENCE),
      'Consultation form',
      null,
      'Premium',
      null,
    ])
    expect([1, 2, 14, 15, 16].map((column) => sheet.getRow(2).getCell(column).numFmt)).toEqual([
      'yyyy-mm-dd',
      'hh:mm',
      'yyyy-mm-dd',
      '"R" #,##0.00',
      'yyyy-mm-dd',
    ])
  })

  test('has a bold header that stays in sight, a filter, and columns that fit', () => {
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 })
    expect(sheet.autoFilter).toBe('A1:U1')
    expect(sheet.getRow(1).getCell(3).font).toMatchObject({ bold: true })
    expect(sheet.getRow(2).getCell(3).font?.bold).toBeUndefined()
    expect(sheet.getColumn(11).width).toBeGreaterThan(sheet.getColumn(2).width ?? 0)
  })

  test('leaves the cells of optional fields empty', () => {
    const empty = valuesOf(sheet, 3).map((value) => value === null)
    const always = ['Date', 'Time', 'Name', 'Email', 'Phone', 'Form Type', 'Lead Source', 'Status']
    const filled = [...always, 'Reference', 'Source in words']
    expect(empty).toEqual(COLUMNS.split(',').map((column) => !filled.includes(column)))
  })

  test('cuts a message that is too long for a cell, between characters', () => {
    const [, , name, , , , , , , , message] = valuesOf(sheet, 4)
    expect(message).toBe(`${'x'.repeat(32_766)}\u{FFFD}`)
    expect(name).toBe('\u{FFFD}\u{FFFD}')
  })

  test('has texts that no spreadsheet takes for formulas, and phone numbers as they are', async () => {
    for (const [index, text] of HOSTILE.entries()) {
      const cell = sheet.getRow(5 + index).getCell(3)
      expect(cell.type).toBe(Excel.ValueType.String)
      expect(String(cell.value).replace('\r', '').trim()).toBe(text.trim())
      expect(sheet.getRow(5 + index).getCell(5).value).toBe('+27 82 555 0199')
    }
    const lines = await linesOf(await get(`${MARCH}&format=csv`))
    const names = lines.slice(4).join('\n')
    for (const text of HOSTILE.slice(0, 6)) expect(names).toContain(`;"'${text.replaceAll('"', '""')}";`)
    expect(names).toContain(';"a ""quote""";"ana@example.com";"=""+27 82 555 0199""";')
  })

  test('is a CSV file with the columns of the specification alone', async () => {
    const response = await get(`${MARCH}&format=csv`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = await linesOf(response)
    expect(lines[0]?.replaceAll('"', '')).toBe(COLUMNS.split(',').slice(0, 11).join(';'))
    expect(lines[2]).toBe(
      '"2026-03-02";"10:00";"Ana Botha";"ana@example.com";"=""+27 82 555 0199""";"";"Lead Form";"hero_form";"";"";""',
    )
  })

  test('has only its header if nothing is found', async () => {
    expect(await linesOf(await get('format=csv&q=nobody%20at%20all'))).toHaveLength(1)
    expect((await workbookOf(await get('q=nobody%20at%20all'))).rowCount).toBe(1)
  })

  test.each([
    ['from=2026-03-09T22:00:00Z&to=2026-03-10T22:00:00Z', 'leads-2026-03-10.xlsx'],
    ['from=2026-03-07T22:00:00Z&to=2026-03-14T22:00:00Z', 'week-2026-03-08.xlsx'],
    ['from=2026-02-28T22:00:00Z&to=2026-03-31T22:00:00Z', 'month-2026-03.xlsx'],
    ['from=2026-01-31T22:00:00Z&to=2026-02-28T22:00:00Z&format=csv', 'month-2026-02.csv'],
    ['from=2026-01-31T22:00:00Z&to=2026-03-31T22:00:00Z', 'leads-2026-02-01-to-2026-03-31.xlsx'],
    ['from=2026-03-07T20:00:00Z&to=2026-03-14T20:00:00Z', 'leads-2026-03-07-to-2026-03-14.xlsx'],
    ['to=2026-03-14T22:00:00Z', 'leads-to-2026-03-14.xlsx'],
  ])('of %s is called %s after the product', async (query, name) => {
    expect(await fileNameOf(query)).toBe(`karoo-web-studio-${name}`)
  })

  test.each(['xlsx', 'csv'])('of all leads is named so (%s)', async (format) => {
    expect(await fileNameOf(`q=nobody&format=${format}`)).toBe(`karoo-web-studio-leads-all-dates.${format}`)
  })

  test('returns 422 for another format', async () => {
    expect((await get('format=pdf')).status).toBe(422)
  })

  test('returns a problem document if Postgres is away from the beginning', async () => {
    await proxy.refuse()
    expect((await get(MARCH)).status).toBe(503)
    await proxy.resume()
    await eventually(async () => expect((await get('q=nobody')).status).toBe(200))
  })
})

describe('HEAD and an Upgrade', () => {
  /** Far more than a refusal takes on a machine under load. */
  const AT_ONCE_MS = 5_000
  const EXPORTS = 6

  /** Sends a raw request, and returns everything received until the connection is closed. */
  const exchange = async (path: string, upgrade: string, headers = '') => {
    const { port, host } = new URL(node.url)
    const socket = createConnection({ port: Number(port), host: '127.0.0.1' })
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    const closed = new Promise((resolve) => socket.once('close', () => resolve(true)))
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n${headers}\r\n`,
    )
    const isClosed = await Promise.race([closed, delay(AT_ONCE_MS, false)])
    socket.destroy()
    return { answer, isClosed }
  }

  test.each([
    ['/', 'h2c'],
    ['/ws', 'h2c'],
    ['/api/leads', 'TLS/1.0'],
    ['/api/leads', 'websocket'],
  ])('at %s an Upgrade to %s is refused at once', async (path, upgrade) => {
    const { answer, isClosed } = await exchange(path, upgrade)
    expect(isClosed).toBe(true)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('HEAD of the export, or its Upgrade, starts nothing: exports go on', async () => {
    for (let round = 0; round < EXPORTS; round += 1) {
      const response = await node.call('/api/leads/export?format=csv', { method: 'HEAD', headers: staff })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('')
      await exchange('/api/leads/export', 'websocket', `Cookie: ${staff.cookie}\r\n`)
    }
    const response = await node.call('/api/leads/export?format=csv', { headers: staff })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('"Date";"Time";"Name"')
  })

  test('an account has two exports at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => get('format=csv')))
    await Promise.all(answers.map((answer) => answer.text()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429])
    expect((await get('format=csv')).status).toBe(200)
  })

  test('HEAD of the stream ends', async () => {
    const response = await node.call('/api/leads/stream', { method: 'HEAD', headers: staff })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toBe('')
  })
})
