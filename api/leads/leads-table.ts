import { CSV_COLUMNS, type Owners, SHEET_COLUMNS, sheetCells } from '../../events/lead/export/sheet.ts'
import type { Sql } from '../../events/stores/connection.ts'
import { leadPages } from './list.ts'
import type { LeadQuery } from './query.ts'
import type { Column, Table } from './workbook.ts'

const PAGE_LEADS = 500

const WIDTHS = [12, 8, 24, 28, 18, 24, 12, 22, 14, 28, 60, 12, 20, 14, 16, 16, 12, 22, 18, 28, 20]

const KINDS: Record<string, NonNullable<Column['kind']>> = {
  Date: 'day',
  Time: 'time',
  'Next action': 'day',
  'Project value': 'rand',
  'Conversion date': 'day',
}

const COLUMNS = SHEET_COLUMNS.map((header, index): Column => {
  const kind = KINDS[header]
  return { header, width: WIDTHS[index] ?? 20, ...(kind && { kind }) }
})

async function* rowsOf(sql: Sql, query: LeadQuery, owners: Owners) {
  for await (const page of leadPages(sql, query, PAGE_LEADS)) yield page.map((lead) => sheetCells(lead, owners))
}

/** The leads of a query as a table, with the names of their owners. */
export const leadsTable = (sql: Sql, { query, owners }: { query: LeadQuery; owners: Owners }): Table => ({
  name: 'Leads',
  columns: COLUMNS,
  csvColumns: CSV_COLUMNS.length,
  pages: rowsOf(sql, query, owners),
})
