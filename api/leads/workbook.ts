import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import Excel from 'exceljs'
import type { FollowUpStatus } from '../../events/follow-up.ts'
import type { Lead } from '../../events/lead.ts'
import { dayAndTimeOf, LEAD_COLUMNS, leadTexts } from '../../events/lead-sheet.ts'

const FOLLOW_UP_COLUMNS = ['Status', 'Owner', 'Next action', 'Project value', 'Conversion date']

/** What a cell of a column shows, by the column's number from 1. */
const FORMATS: Record<number, string> = {
  1: 'yyyy-mm-dd',
  2: 'hh:mm',
  14: 'yyyy-mm-dd',
  15: '"R" #,##0.00',
  16: 'yyyy-mm-dd',
}

/** In characters, as Excel counts columns. */
const WIDTHS = [12, 8, 24, 28, 18, 24, 12, 22, 14, 28, 60, 12, 20, 14, 16, 16]

/** Excel calls a file with a longer cell damaged. */
const MAX_CELL_CHARACTERS = 32_767

/** All that fits into a sheet besides the header; what is more goes to the next. */
const MAX_SHEET_LEADS = 1_048_575

/** What the library lets through, and XML 1.0 does not know. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/g

/** So many rows are made in one go: other requests wait as long. */
const TURN_LEADS = 100

const STATUS_NAMES: Record<FollowUpStatus, string> = {
  new: 'New',
  contacted: 'Contacted',
  quoted: 'Quoted',
  won: 'Won',
  lost: 'Lost',
}

/** Excel knows no zones: the instant whose UTC reading is the wall clock where the agency is. */
const wallClock = (timestamp: string) => new Date(`${dayAndTimeOf(timestamp).join('T')}:00Z`)

/** Excel counts days from 1900 on; a day before stands there as text. */
const dayCell = (day: string | undefined) => {
  if (!day) return null
  return day >= '1900-03-01' ? new Date(`${day}T00:00:00Z`) : day
}

/**
 * A text cut to what a cell can hold. Texts need no apostrophe against formulas here, unlike in a CSV file: a cell of a
 * workbook says of itself that it is text, and what it begins with is never looked at.
 */
const textCell = (text: string) =>
  text === '' ? null : text.slice(0, MAX_CELL_CHARACTERS).toWellFormed().replace(NOT_IN_XML, '\u{FFFD}')

const rowOf = (lead: Lead, owners: Map<string, string>) => {
  const at = wallClock(lead.timestamp)
  const time = new Date((at.getTime() % (24 * 60 * 60 * 1000)) + Date.UTC(1899, 11, 30))
  return [
    dayCell(at.toISOString().slice(0, 'yyyy-mm-dd'.length)),
    time,
    ...leadTexts(lead).map(textCell),
    STATUS_NAMES[lead.followUpStatus],
    textCell((lead.ownerId && owners.get(lead.ownerId)) ?? ''),
    dayCell(lead.nextActionDate ?? undefined),
    lead.projectValue,
    dayCell(lead.conversionDate ? dayAndTimeOf(lead.conversionDate)[0] : undefined),
  ]
}

const addSheet = (workbook: Excel.stream.xlsx.WorkbookWriter, name: string) => {
  const columns = [...LEAD_COLUMNS, ...FOLLOW_UP_COLUMNS]
  const sheet = workbook.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] })
  sheet.columns = columns.map((header, index) => ({
    header,
    width: WIDTHS[index] ?? 20,
    ...(FORMATS[index + 1] && { style: { numFmt: FORMATS[index + 1] as string } }),
  }))
  sheet.getRow(1).font = { bold: true }
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: columns.length } }
  return sheet
}

/**
 * Where the rows of a sheet wait until the zip takes them. The library writes without end and tells nobody when to stop, so
 * that a slow reader would have the whole file in memory: we ask its inner stream ourselves.
 */
const queueOf = (sheet: Excel.Worksheet) => {
  const { stream } = sheet as unknown as { stream: { pipes: Writable[] } }
  const [queue] = stream.pipes
  if (!queue) throw new Error('exceljs has no stream of the sheet: has its version changed?')
  return queue
}

/**
 * Writes leads as a workbook into a stream, no faster than it is read. Rejects once `signal` is aborted. `owners` are the
 * names of staff by their ids.
 */
export const writeWorkbook = async (
  pages: AsyncIterable<Lead[]>,
  { out, owners, signal }: { out: Writable; owners: Map<string, string>; signal: AbortSignal },
): Promise<void> => {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true })
  let sheet = addSheet(workbook, 'Leads')
  let rows = 0
  for await (const page of pages) {
    for (let begin = 0; begin < page.length; begin += TURN_LEADS) {
      for (const lead of page.slice(begin, begin + TURN_LEADS)) {
        if (rows > 0 && rows % MAX_SHEET_LEADS === 0) {
          sheet.commit()
          sheet = addSheet(workbook, `Leads ${rows / MAX_SHEET_LEADS + 1}`)
        }
        sheet.addRow(rowOf(lead, owners)).commit()
        rows += 1
      }
      const queue = queueOf(sheet)
      if (queue.writableNeedDrain) await once(queue, 'drain', { signal })
      else await setImmediate(undefined, { signal })
    }
  }
  sheet.commit()
  await workbook.commit()
}
