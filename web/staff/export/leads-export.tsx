import { exportName } from '../../../events/export-name.ts'
import { agency } from '../../content/agency.ts'
import { serverNow } from '../../server-time.ts'
import { control } from '../../ui/form/control.ts'
import { onPhone, space } from '../../ui/theme.ts'
import { useRemembered } from '../remembered.ts'
import { downloadCsv } from './csv.ts'
import { ExportButton, type RunExport } from './export-button.tsx'
import { downloadWorkbook, EmptyExport } from './workbook.ts'

const FORMATS = ['csv', 'xlsx'] as const

const FORMAT_NAMES = { csv: 'CSV file', xlsx: 'Excel workbook (all columns)' }

const csvNameOf = (query: URLSearchParams) => {
  const [from, to] = ['from', 'to'].map((name) => query.get(name)).map((text) => (text ? new Date(text) : undefined))
  return exportName(agency().name, { from, to, now: serverNow(), extension: 'csv' })
}

/**
 * Exports the leads of a list's query: as a CSV file, made here in the browser (specification, 3), or as a workbook, made
 * and streamed by the API. Both are refused where there are no leads (specification, 8).
 */
export const LeadsExport = ({ query, total }: { query: URLSearchParams; total: number }) => {
  const [format, chooseFormat] = useRemembered('leads-export', FORMATS)
  const run: RunExport = async (how) => {
    try {
      if (format === 'csv') await downloadCsv({ query, total, name: csvNameOf(query) }, how)
      else await downloadWorkbook(query, how)
    } catch (error) {
      if (!(error instanceof EmptyExport)) throw error
      alert('No submissions to export for the selected period.')
    }
  }
  return (
    <div
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: space.tight,
        [onPhone]: { '& > *, & button': { flexGrow: 1 } },
      }}
    >
      <select
        aria-label="File format"
        value={format}
        onChange={({ target }) => chooseFormat(target.value as (typeof FORMATS)[number])}
        css={[control, { width: 'auto' }]}
      >
        {FORMATS.map((value) => (
          <option key={value} value={value}>
            {FORMAT_NAMES[value]}
          </option>
        ))}
      </select>
      <ExportButton label="Export to Excel" disabled={total === 0} run={run} />
    </div>
  )
}
