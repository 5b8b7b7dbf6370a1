import { contractReferenceOf } from '../../events/base/reference.ts'
import { type ContractFilter, type ListedContract, listContracts } from '../../events/lead/store/contracts.ts'
import type { Sql } from '../../events/stores/connection.ts'
import type { Table } from '../leads/workbook.ts'

const PAGE_CONTRACTS = 500

/** All contracts of a filter, page by page. */
async function* contractPages(sql: Sql, filter: ContractFilter) {
  let last: ListedContract | undefined
  for (;;) {
    const after = last && { timestamp: last.timestamp, id: last.leadId, isLate: last.isLate }
    const page = await listContracts(sql, filter, { limit: PAGE_CONTRACTS, after })
    if (page.length > 0) yield page
    last = page.at(-1)
    if (page.length < PAGE_CONTRACTS) return
  }
}

const COLUMNS: Table['columns'] = [
  { header: 'Client', width: 24 },
  { header: 'Business', width: 24 },
  { header: 'Package', width: 16 },
  { header: 'Monthly fee', width: 16, kind: 'rand' },
  { header: 'Signed on', width: 12, kind: 'day' },
  { header: 'Live since', width: 12, kind: 'day' },
  { header: 'First possible end', width: 18, kind: 'day' },
  { header: 'Ends on', width: 12, kind: 'day' },
  { header: 'State', width: 12 },
  { header: 'Reference', width: 18 },
]

/** The names of the packages by their ids. */
export type PackageNames = Readonly<Record<string, string>>

const cellsOf = (row: ListedContract, names: PackageNames) =>
  [
    row.name,
    row.businessName,
    names[row.package],
    row.monthly,
    row.signedOn,
    row.liveOn,
    row.firstPossibleEnd,
    row.endsOn,
    row.state,
    contractReferenceOf(row.leadId),
  ].map((cell) => cell ?? undefined)

async function* rowsOf(sql: Sql, filter: ContractFilter, names: PackageNames) {
  for await (const page of contractPages(sql, filter)) yield page.map((row) => cellsOf(row, names))
}

/** The contracts of a filter as a table. */
export const contractsTable = (
  sql: Sql,
  { filter, names }: { filter: ContractFilter; names: PackageNames },
): Table => ({
  name: 'Contracts',
  columns: COLUMNS,
  csvColumns: COLUMNS.length,
  pages: rowsOf(sql, filter, names),
})
