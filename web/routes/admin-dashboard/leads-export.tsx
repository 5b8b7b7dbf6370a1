import { useRemembered } from '../../staff/remembered.ts'
import { control } from '../../ui/form/control.ts'
import { onPhone, space } from '../../ui/theme.ts'
import { ExportButton } from './export-button.tsx'
import { FORMATS, saveExport } from './save-export.ts'

const FORMAT_NAMES = { csv: 'CSV file', xlsx: 'Excel workbook (all columns)' }

/** Exports the leads of a list's query as a CSV file or as a workbook. Both are refused if there are no leads. */
export const LeadsExport = ({ query, total }: { query: URLSearchParams; total: number }) => {
  const [format, chooseFormat] = useRemembered('leads-export', FORMATS)
  const run = async (signal: AbortSignal) => {
    if (!(await saveExport(query, { format, signal }))) alert('No submissions to export for the selected period.')
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
