import { agency } from '../../content/agency.ts'
import type { DayRange, Period } from '../leads/period.ts'
import { downloadCsv } from './csv.ts'
import { ExportButton, type RunExport } from './export-button.tsx'
import { csvFileName } from './file-name.ts'
import { ExportError } from './workbook.ts'

/**
 * Exports the leads of a period as a CSV file, made here in the browser; refused where there are none (specification,
 * 8).
 */
export const CsvButton = (props: { query: URLSearchParams; total: number; period: Period; range: DayRange }) => {
  const { query, total, period, range } = props
  const run: RunExport = async (how) => {
    try {
      await downloadCsv({ query, total, name: csvFileName(agency().name, period, range) }, how)
    } catch (error) {
      if (!(error instanceof ExportError)) throw error
      alert('No submissions to export for the selected period.')
    }
  }
  return <ExportButton look="solid" label="Export to Excel" disabled={total === 0} run={run} />
}
