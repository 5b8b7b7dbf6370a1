import * as v from 'valibot'
import { agencyDay } from '../../events/base/agency-day.ts'
import { contractReferenceOf } from '../../events/base/reference.ts'
import type { Sent } from '../../events/base/word.ts'
import { datesOf, recurringByPackage, recurringOn } from '../../events/contract/figures.ts'
import { CONTRACT_SHOWS, type ContractShow, type contractRow, contracts } from '../../events/contract/wire.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../events/lead/export/sheet.ts'
import { holdsAll, searchedLines, searchedWords } from '../../events/lead/search/searched-text.ts'
import { listContracts } from '../../events/lead/store/contracts.ts'
import { type OwnPackages, packageOf } from '../../events/settings/packages.ts'
import { PACKAGE_IDS } from '../../events/settings/prices.ts'
import { route } from '../http/route.ts'
import type { ApiNode } from '../node/node.ts'

const MAX_ROWS = 500

type Row = Sent<typeof contractRow>

const contractQuery = v.object({
  show: v.optional(v.picklist(CONTRACT_SHOWS, `Must be one of: ${CONTRACT_SHOWS.join(', ')}`)),
  package: v.optional(v.picklist(PACKAGE_IDS, `Must be one of: ${PACKAGE_IDS.join(', ')}`)),
  q: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
})

const isShown = (row: Row, show: ContractShow | undefined): boolean => {
  switch (show) {
    case undefined:
      return true
    case 'waiting':
      return row.waits !== null
    case 'ending':
      return row.isEnding
    case 'due':
      return row.state === 'signed' || row.isLate || row.isEnding
    default:
      return row.state === show
  }
}

const searchedIn = ({ leadId, name, businessName }: Row) =>
  searchedLines([name, businessName, contractReferenceOf(leadId)])

const readRows = async (
  { reading }: Pick<ApiNode, 'reading'>,
  { show, package: wanted, q }: v.InferOutput<typeof contractQuery>,
) => {
  const today = agencyDay(new Date())
  const all = await listContracts(reading)
  const dated = all.map((contract): Row => {
    const { life: _, months: __, noticeDays: ___, ...shown } = contract
    return { ...shown, ...datesOf(contract, today) }
  })
  const words = searchedWords(q)
  const rows = dated.filter(
    (row) => isShown(row, show) && (!wanted || row.package === wanted) && holdsAll(searchedIn(row), words),
  )
  return { today, all, dated, rows }
}

type Cells = (string | number | null)[]

const COLUMNS: Cells = [
  'Client',
  'Business',
  'Package',
  'Monthly fee',
  'Signed on',
  'Live since',
  'First possible end',
  'Ends on',
  'State',
  'Reference',
]

const cellsOf = (row: Row, packages: OwnPackages): Cells => [
  row.name,
  row.businessName,
  packageOf(row.package, packages).name,
  row.monthly,
  row.signedOn,
  row.liveOn,
  row.firstPossibleEnd,
  row.endsOn,
  row.state,
  contractReferenceOf(row.leadId),
]

const FILES = {
  csv: {
    type: 'text/csv; charset=utf-8',
    write: async (lines: Cells[]) =>
      BYTE_ORDER_MARK + lines.map((cells) => csvLine(cells.map((cell) => String(cell ?? '')))).join(''),
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: async (lines: Cells[]) => {
      // on demand: the library is large
      const { default: Excel } = await import('exceljs')
      const workbook = new Excel.Workbook()
      const sheet = workbook.addWorksheet('Contracts', { views: [{ state: 'frozen', ySplit: 1 }] })
      sheet.columns = COLUMNS.map(() => ({ width: 20 }))
      sheet.addRows(lines)
      sheet.getRow(1).font = { bold: true }
      return await workbook.xlsx.writeBuffer()
    },
  },
}

/** The contracts of the agency, their money and their dates, as of today. */
export const contractListRoutes = [
  route('GET', '/api/contracts', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The signed contracts, with the monthly fees that run',
    query: contractQuery,
    answer: contracts,
    handler: async ({ node, query }) => {
      const { today, all, dated, rows } = await readRows(node, query)
      const countOf = (show: ContractShow) => dated.filter((row) => isShown(row, show)).length
      return {
        count: rows.length,
        rows: rows.slice(0, MAX_ROWS),
        totals: {
          monthly: recurringOn(all, today),
          packages: recurringByPackage(all, today),
          waiting: countOf('waiting'),
          late: dated.filter(({ isLate }) => isLate).length,
          ending: countOf('ending'),
        },
      }
    },
  }),
  route('GET', '/api/contracts/export', {
    access: 'staff',
    scope: 'leads:read',
    summary: 'The signed contracts as a file, Excel or CSV (separated by semicolons)',
    query: v.object({
      ...contractQuery.entries,
      format: v.optional(v.picklist(['xlsx', 'csv'], 'Must be xlsx or csv'), 'xlsx'),
    }),
    answer: { mediaType: 'application/octet-stream' },
    handler: async ({ node, c, query }) => {
      const { today, rows } = await readRows(node, query)
      const { type, write } = FILES[query.format]
      const lines = [COLUMNS, ...rows.map((row) => cellsOf(row, node.settings.current.packages))]
      return c.body(await write(lines), 200, {
        'Content-Type': type,
        'Content-Disposition': `attachment; filename="contracts-${today}.${query.format}"`,
      })
    },
  }),
]
