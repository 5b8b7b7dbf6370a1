import type { Writable } from 'node:stream'
import Excel from 'exceljs'
import { DAY_MS } from '../../events/base/time.ts'
import { type Owners, SHEET_COLUMNS, sheetCells } from '../../events/lead/export/sheet.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { type CellValue, openRows } from './sheet-stream.ts'

const DAY = { numFmt: 'yyyy-mm-dd' }

/** The formats of the cells of a column. */
const STYLES: Record<string, Partial<Excel.Style>> = {
  Date: DAY,
  Time: { numFmt: 'hh:mm' },
  'Next action': DAY,
  'Project value': { numFmt: '"R" #,##0.00' },
  'Conversion date': DAY,
}

/** In characters, as Excel counts columns. */
const WIDTHS = [12, 8, 24, 28, 18, 24, 12, 22, 14, 28, 60, 12, 20, 14, 16, 16, 12, 22, 18, 28, 20]

/** The maximum number of leads in a sheet besides the header; the rest goes to the next one. */
const MAX_SHEET_LEADS = 1_048_575

const MINUTES_OF_DAY = 24 * 60
/** 1 January 1970 as Excel counts days. */
const DAYS_BEFORE_1970 = 25_569

/** A day as Excel counts them. Excel is unreliable before March 1900 and ends at 9999: such a day becomes text. */
const dayCell = (day: string): CellValue =>
  /^(19|[2-9]\d)\d\d-/.test(day) && day >= '1900-03-01' ? Date.parse(day) / DAY_MS + DAYS_BEFORE_1970 : day

const timeCell = (time: string): CellValue => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) / MINUTES_OF_DAY
}

/** The conversion of a cell's text, in the columns that are not text. */
const TYPED: Record<string, (text: string) => CellValue> = {
  Date: dayCell,
  Time: timeCell,
  'Next action': dayCell,
  'Conversion date': dayCell,
}
const TYPES = SHEET_COLUMNS.map((column) => TYPED[column])

/**
 * A lead's cells. Texts need no apostrophe against formulas here, unlike in a CSV file: a cell of a workbook is marked
 * as text, and its first character has no meaning.
 */
const cellsOf = (lead: Lead, owners: Owners): CellValue[] =>
  sheetCells(lead, owners).map((cell, index) => (typeof cell === 'string' ? (TYPES[index]?.(cell) ?? cell) : cell))

const addSheet = (workbook: Excel.stream.xlsx.WorkbookWriter, name: string) => {
  const sheet = workbook.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = SHEET_COLUMNS.map((header, index) => ({ header, width: WIDTHS[index] ?? 20 }))
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: SHEET_COLUMNS.length } }
  const header = sheet.getRow(1)
  header.font = { bold: true }
  header.commit()
  const styles = SHEET_COLUMNS.map((column) => STYLES[column])
  return { rows: openRows(sheet, styles), commit: () => sheet.commit() }
}

/** Writes leads as a workbook into a stream, no faster than it is read. */
export const writeWorkbook = async (
  pages: AsyncIterable<Lead[]>,
  { out, owners }: { out: Writable; owners: Owners },
): Promise<void> => {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true })
  let sheet = addSheet(workbook, 'Leads')
  let sheets = 1
  let written = 0
  for await (const page of pages) {
    if (written + page.length > MAX_SHEET_LEADS) {
      sheet.commit()
      sheets += 1
      sheet = addSheet(workbook, `Leads ${sheets}`)
      written = 0
    }
    await sheet.rows.write(page.map((lead) => cellsOf(lead, owners)))
    written += page.length
  }
  sheet.commit()
  await workbook.commit()
}
