import { repeatedly, request } from '../../client/http.ts'
import { choicesOf, Select } from '../../staff/forms/select.tsx'
import { onPhone, space } from '../../ui/theme.ts'
import { ExportButton } from './export-button.tsx'
import { useRemembered } from './remembered.ts'

/** A slow connection takes minutes for the largest file. */
const EXPORT_TIMEOUT_MS = 10 * 60_000
/** How often an export is requested if too many others are running. */
const TRIES = 3
const REVOKE_AFTER_MS = 60_000

/** The formats of an export; the first is the default. */
const FORMATS = ['csv', 'xlsx'] as const

const saveFile = (file: Blob, name: string) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS)
}

/**
 * Fetches the leads of a list's query (`from`, `to`, `q`, `sort`) as a file, and saves it under the name that the API
 * sends. Returns false if there are no leads. Rejects if the response breaks off or `signal` is aborted: then nothing
 * is saved.
 */
const saveExport = async (
  query: URLSearchParams,
  { format, signal }: { format: (typeof FORMATS)[number]; signal: AbortSignal },
): Promise<boolean> => {
  const address = `/api/leads/export?${new URLSearchParams([...query, ['format', format]])}`
  const init = { signal: AbortSignal.any([signal, AbortSignal.timeout(EXPORT_TIMEOUT_MS)]) }
  const response = await repeatedly(() => request(address, init), { tries: TRIES })
  const file = await response.blob()
  signal.throwIfAborted()
  if (response.headers.get('x-total-rows') === '0') return false
  const [, name = `leads.${format}`] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  saveFile(file, name)
  return true
}

const FORMAT_NAMES = { csv: 'CSV file', xlsx: 'Excel workbook (all columns)' }

/** Exports the leads of a list's query as a CSV file or as a workbook. Both are refused if there are no leads. */
export const LeadsExport = ({ query, total }: { query: URLSearchParams; total: number }) => {
  const [format, chooseFormat] = useRemembered('leads-export', FORMATS)
  const run = async (signal: AbortSignal) => {
    if (!(await saveExport(query, { format, signal }))) alert('No submissions to export for the selected period.')
  }
  return (
    <div
      data-command="export"
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: space.tight,
        [onPhone]: { '& > *, & button': { flexGrow: 1 } },
      }}
    >
      <Select
        aria-label="File format"
        value={format}
        choices={choicesOf(FORMATS, FORMAT_NAMES)}
        onChoose={(value) => chooseFormat(value as (typeof FORMATS)[number])}
        css={{ width: 'auto' }}
      />
      <ExportButton disabled={total === 0} run={run} />
    </div>
  )
}
