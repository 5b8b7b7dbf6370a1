import { CSV_BEGINNING, csvLineOf } from '../../../events/lead-sheet.ts'
import { type Lead, leads } from '../../../events/wire/lead.ts'
import { getPage, type Page } from '../../get.ts'
import { saveFile } from './save-file.ts'
import { EmptyExport, type ExportProgress } from './workbook.ts'

/** How many leads are fetched at once; the API's largest page. */
const CHUNK_LEADS = 1_000
const CHUNK_TIMEOUT_MS = 30_000

/**
 * Makes a CSV file of all leads of a list's query (`from`, `to`, `q`, `sort`), fetched page by page, and saves it.
 * Nothing is saved where a page fails, where there are no leads (`EmptyExport`), or once `signal` is aborted. `total`
 * is for the progress: how many there were when it began.
 */
export const downloadCsv = async (
  { query, total, name }: { query: URLSearchParams; total: number; name: string },
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ExportProgress) => void },
): Promise<void> => {
  const first = new URLSearchParams(query)
  first.set('limit', String(CHUNK_LEADS))
  const inTime = () => AbortSignal.any([signal, AbortSignal.timeout(CHUNK_TIMEOUT_MS)])
  const parts = [CSV_BEGINNING]
  let rows = 0
  for (let address: string | undefined = `/api/leads?${first}`; address; ) {
    onProgress({ rows: Math.min(rows, total), total })
    const { items, next }: Page<Lead> = await getPage(address, leads, { signal: inTime() })
    parts.push(items.map(csvLineOf).join(''))
    rows += items.length
    address = next
  }
  if (rows === 0) throw new EmptyExport()
  signal.throwIfAborted()
  saveFile(new Blob(parts, { type: 'text/csv;charset=utf-8' }), name)
}
