import { ExportButton } from './export-button.tsx'
import { downloadWorkbook } from './workbook.ts'

/** Exports the leads of a list's query as an Excel workbook, made and streamed by the API. */
export const WorkbookButton = ({ query, disabled = false }: { query: URLSearchParams; disabled?: boolean }) => (
  <ExportButton
    look="outline"
    label="Excel workbook (.xlsx)"
    disabled={disabled}
    run={(how) => downloadWorkbook(query, how)}
  />
)
