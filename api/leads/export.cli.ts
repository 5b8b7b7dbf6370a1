import { once } from 'node:events'
import { Socket } from 'node:net'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import { BYTE_ORDER_MARK, csvLine } from '../../events/lead/export/sheet.ts'
import { connect } from '../../events/stores/connection.ts'
import { contractsTable } from '../contracts/contracts-table.ts'
import { leadsTable } from './leads-table.ts'
import { type Table, writeWorkbook } from './workbook.ts'

/** An API node's request to the process that makes a file of leads or contracts. */
export type ExportJob = { databaseUrl: string; format: 'csv' | 'xlsx' } & (
  | { of: 'leads'; wanted: Parameters<typeof leadsTable>[1] }
  | { of: 'contracts'; wanted: Parameters<typeof contractsTable>[1] }
)

async function* csvOf({ columns, csvColumns, pages }: Table) {
  const lineOf = (cells: Parameters<typeof csvLine>[0]) => csvLine(cells.slice(0, csvColumns))
  yield BYTE_ORDER_MARK + lineOf(columns.map(({ header }) => header))
  for await (const page of pages) yield page.map(lineOf).join('')
}

/** Not `process.stdout`: it never finishes, so waiting for it would never end. */
const STDOUT_FD = 1

const makeFile = async ({ databaseUrl, format, ...job }: ExportJob) => {
  const out = new Socket({ fd: STDOUT_FD, readable: false, writable: true })
  const sql = connect(databaseUrl, { max: 1, name: 'export' })
  const table = job.of === 'leads' ? leadsTable(sql, job.wanted) : contractsTable(sql, job.wanted)
  if (format === 'csv') await pipeline(csvOf(table), out)
  else await writeWorkbook(table, out)
  await sql.end({ timeout: 1 })
}

// The client that waits for the file has left, so it is no longer needed.
process.once('disconnect', () => process.exit(1))

try {
  const [job] = (await once(process, 'message')) as [ExportJob]
  await makeFile(job)
  process.exit(0)
} catch (error) {
  process.stderr.write(`The export broke off: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
