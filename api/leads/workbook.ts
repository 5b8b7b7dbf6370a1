import type { Writable } from 'node:stream'
import Excel from 'exceljs'
import { DAY_MS } from '../../events/base/time.ts'
import { type CellValue, openRows } from './sheet-stream.ts'

/** A column of a table: `width` is in characters, as Excel counts them; days are yyyy-mm-dd, times HH:mm. */
export type Column = { header: string; width: number; kind?: keyof typeof STYLES }

/** The rows of a file, page by page. A CSV file has the first `csvColumns` of its columns. */
export type Table = {
  name: string
  columns: readonly Column[]
  csvColumns: number
  pages: AsyncIterable<CellValue[][]>
}

const STYLES = {
  day: { numFmt: 'yyyy-mm-dd' },
  time: { numFmt: 'hh:mm' },
  rand: { numFmt: '"R" #,##0.00' },
} satisfies Record<string, Partial<Excel.Style>>

/** The maximum number of rows in a sheet besides the header; the rest goes to the next one. */
const MAX_SHEET_ROWS = 1_048_575

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
const TYPED: Partial<Record<keyof typeof STYLES, (text: string) => CellValue>> = { day: dayCell, time: timeCell }

const addSheet = (workbook: Excel.stream.xlsx.WorkbookWriter, name: string, columns: readonly Column[]) => {
  const sheet = workbook.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = columns.map(({ header, width }) => ({ header, width }))
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: columns.length } }
  const header = sheet.getRow(1)
  header.font = { bold: true }
  header.commit()
  const styles = columns.map(({ kind }) => kind && STYLES[kind])
  return { rows: openRows(sheet, styles), commit: () => sheet.commit() }
}

/**
 * Writes a table as a workbook into a stream, no faster than it is read. Texts need no apostrophe against formulas here,
 * unlike in a CSV file: a cell of a workbook is marked as text, and its first character has no meaning.
 */
export const writeWorkbook = async ({ name, columns, pages }: Table, out: Writable): Promise<void> => {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true })
  const types = columns.map(({ kind }) => kind && TYPED[kind])
  let sheet = addSheet(workbook, name, columns)
  let sheets = 1
  let written = 0
  for await (const page of pages) {
    if (written + page.length > MAX_SHEET_ROWS) {
      sheet.commit()
      sheets += 1
      sheet = addSheet(workbook, `${name} ${sheets}`, columns)
      written = 0
    }
    const typed = (cell: CellValue, index: number) => (typeof cell === 'string' ? (types[index]?.(cell) ?? cell) : cell)
    await sheet.rows.write(page.map((cells) => cells.map(typed)))
    written += page.length
  }
  sheet.commit()
  await workbook.commit()
}
