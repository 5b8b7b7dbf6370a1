import { useState } from 'react'
import { exportName } from '../../../events/export-name.ts'
import { agency } from '../../content/agency.ts'
import { control } from '../../ui/form/control.ts'
import { space } from '../../ui/theme.ts'
import { downloadCsv } from './csv.ts'
import { ExportButton, type RunExport } from './export-button.tsx'
import { downloadWorkbook, ExportError } from './workbook.ts'

const FORMATS = {
  xlsx: { name: 'Excel workbook (all columns)', label: 'Export to Excel' },
  csv: { name: 'CSV file (fewer columns)', label: 'Export to CSV' },
}

const csvNameOf = (query: URLSearchParams) => {
  const [from, to] = ['from', 'to'].map((name) => query.get(name)).map((text) => (text ? new Date(text) : undefined))
  return exportName(agency().name, { from, to, now: new Date(), extension: 'csv' })
}

/**
 * Exports the leads of a list's query: as a CSV file, made here in the browser and refused where there are none
 * (specification, 8), or as a workbook, made and streamed by the API.
 */
export const LeadsExport = ({ query, total }: { query: URLSearchParams; total: number }) => {
  const [format, setFormat] = useState<keyof typeof FORMATS>('xlsx')
  const exportCsv: RunExport = async (how) => {
    try {
      await downloadCsv({ query, total, name: csvNameOf(query) }, how)
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
