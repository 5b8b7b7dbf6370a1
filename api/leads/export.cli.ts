import { once } from 'node:events'
import { Socket } from 'node:net'
import process from 'node:process'
import { pipeline } from 'node:stream/promises'
import { CSV_BEGINNING, csvLineOf, type Owners } from '../../events/lead/export/sheet.ts'
import type { Lead } from '../../events/lead/lead.ts'
import { connect } from '../../events/stores/connection.ts'
import { leadPages } from './list.ts'
import type { LeadQuery } from './query.ts'
import { writeWorkbook } from './workbook.ts'

/** An API node's request to the process that makes a file of leads, with the names of their owners. */
export type ExportJob = {
  databaseUrl: string
  format: 'csv' | 'xlsx'
  query: LeadQuery
  owners: Owners
}

const PAGE_LEADS = 500

async function* csvOf(pages: AsyncIterable<Lead[]>) {
  yield CSV_BEGINNING
  for await (const page of pages) yield page.map(csvLineOf).join('')
}

/** Not `process.stdout`: it never finishes, so waiting for it would never end. */
const STDOUT_FD = 1

const makeFile = async ({ databaseUrl, format, query, owners }: ExportJob) => {
  const out = new Socket({ fd: STDOUT_FD, readable: false, writable: true })
  const sql = connect(databaseUrl, { max: 1, name: 'export' })
  const pages = leadPages(sql, query, PAGE_LEADS)
  if (format === 'csv') await pipeline(csvOf(pages), out)
  else await writeWorkbook(pages, { out, owners })
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
