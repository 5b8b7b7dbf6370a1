import { useState } from 'react'
import { agency } from '../../content/agency.ts'
import { control } from '../../ui/form/control.ts'
import { space } from '../../ui/theme.ts'
import type { DayRange, Period } from '../leads/period.ts'
import { downloadCsv } from './csv.ts'
import { ExportButton, type RunExport } from './export-button.tsx'
import { csvFileName } from './file-name.ts'
import { downloadWorkbook, ExportError } from './workbook.ts'

const FORMATS = {
  xlsx: { name: 'Excel workbook', label: 'Export to Excel' },
  csv: { name: 'CSV file', label: 'Export to CSV' },
}

/**
 * Exports the leads of a list's query: as a CSV file, made here in the browser and refused where there are none
 * (specification, 8), or as a workbook, made and streamed by the API.
 */
export const LeadsExport = (props: { query: URLSearchParams; total: number; period: Period; range: DayRange }) => {
  const { query, total, period, range } = props
  const [format, setFormat] = useState<keyof typeof FORMATS>('xlsx')
  const exportCsv: RunExport = async (how) => {
    try {
      await downloadCsv({ query, total, name: csvFileName(agency().name, period, range) }, how)
    } catch (error) {
      if (!(error instanceof ExportError)) throw error
      alert('No submissions to export for the selected period.')
    }
  }
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
      <select
        aria-label="File format"
        value={format}
        onChange={({ target }) => setFormat(target.value as keyof typeof FORMATS)}
        css={[control, { width: 'auto' }]}
      >
        {Object.entries(FORMATS).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <ExportButton
        label={FORMATS[format].label}
        disabled={total === 0}
        run={format === 'csv' ? exportCsv : (how) => downloadWorkbook(query, how)}
      />
    </div>
  )
}
