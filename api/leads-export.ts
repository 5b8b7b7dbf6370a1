import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import Excel from 'exceljs'
import type { Context } from 'hono'
import * as v from 'valibot'
import { LEAD_FORM_TYPE, type Lead } from '../events/lead.ts'
import { validate } from './body.ts'
import { type LeadQuery, leadQuery } from './leads-query.ts'

const AGENCY_TIME_ZONE = 'Africa/Johannesburg'

const COLUMNS = [
  'Date',
  'Time',
  'Name',
  'Email',
  'Phone',
  'Company',
  'Form Type',
  'Lead Source',
  'Industry',
  'Package',
  'Message',
]
const COLUMN_WIDTHS = [12, 8, 24, 28, 18, 24, 12, 20, 14, 28, 60]

const exportQuery = v.object({
  ...leadQuery.entries,
  format: v.optional(v.picklist(['xlsx', 'csv'], 'Must be xlsx or csv'), 'xlsx'),
})

const dayAndTime = new Intl.DateTimeFormat('en-CA', {
  timeZone: AGENCY_TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
  hourCycle: 'h23',
})

/** The day (yyyy-MM-dd) and the time (HH:mm) of a lead, where the agency is. */
const dayAndTimeOf = ({ timestamp }: Pick<Lead, 'timestamp'>) =>
  dayAndTime.format(new Date(timestamp)).split(', ') as [string, string]

const texts = (lead: Lead) =>
  [
    lead.name,
    lead.email,
    lead.phone,
    lead.company ?? lead.businessName,
    LEAD_FORM_TYPE,
    lead.leadSource,
    lead.industry,
    lead.package,
    lead.message,
  ].map((text) => text ?? '')

const isPhoneNumber = (text: string) => /^\+[\d ()./-]+$/.test(text)

/** A text that no spreadsheet takes for a formula; phone numbers with a leading + stay as they are. */
const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) && !isPhoneNumber(text) ? `'${text}` : text)

const csvLine = (cells: string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`

async function* csv(pages: AsyncIterable<Lead[]>) {
  yield `\u{FEFF}${csvLine(COLUMNS)}`
  for await (const page of pages) {
    yield page.map((lead) => csvLine([...dayAndTimeOf(lead), ...texts(lead).map(harmless)])).join('')
  }
}

/** Excel calls a file with a longer cell damaged. */
const MAX_CELL_CHARACTERS = 32_767

/** Excel knows no zones: the instant whose UTC reading is the wall clock where the agency is. */
const wallClock = (lead: Lead) => new Date(`${dayAndTimeOf(lead).join('T')}:00Z`)

const writeWorkbook = async (pages: AsyncIterable<Lead[]>, out: PassThrough) => {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({ stream: out })
  const sheet = workbook.addWorksheet('Leads', { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = COLUMNS.map((header, index) => ({ header, width: COLUMN_WIDTHS[index] ?? 20 }))
  sheet.getColumn(1).numFmt = 'yyyy-mm-dd'
  sheet.getColumn(2).numFmt = 'hh:mm'
  sheet.getRow(1).font = { bold: true }
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: COLUMNS.length } }
  for await (const page of pages) {
    for (const lead of page) {
      const at = wallClock(lead)
      sheet.addRow([at, at, ...texts(lead).map((text) => text.slice(0, MAX_CELL_CHARACTERS))]).commit()
    }
    if (out.writableNeedDrain) await once(out, 'drain')
  }
  sheet.commit()
  await workbook.commit()
}

const xlsx = (pages: AsyncIterable<Lead[]>) => {
  const out = new PassThrough()
  writeWorkbook(pages, out).catch((error) => out.destroy(error))
  return out
}

/** Answers the leads of a query as a spreadsheet, streamed page by page. Times are those of Africa/Johannesburg. */
export const exportLeads = (c: Context, pages: (query: LeadQuery) => AsyncIterable<Lead[]>) => {
  const { format: fileType, ...query } = validate(exportQuery, c.req.query())
  const found = pages(query)
  const body = fileType === 'csv' ? Readable.from(csv(found)) : xlsx(found)
  c.header(
    'Content-Type',
    fileType === 'csv'
      ? 'text/csv; charset=utf-8'
      : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
  const [today] = dayAndTimeOf({ timestamp: new Date().toISOString() })
  c.header('Content-Disposition', `attachment; filename="leads-${today}.${fileType}"`)
  return c.body(Readable.toWeb(body) as ReadableStream)
}
