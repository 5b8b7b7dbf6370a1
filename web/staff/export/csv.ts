import * as v from 'valibot'
import { CSV_BEGINNING, csvLineOf } from '../../../events/lead-sheet.ts'
import { leads } from '../../../events/wire/lead.ts'
import { request } from '../../http.ts'
import { nextPageOf } from '../../next-page.ts'
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
    const response: Response = await request(address, { signal: inTime() })
    const page = v.parse(leads, await response.json())
    parts.push(page.map(csvLineOf).join(''))
    rows += page.length
    address = nextPageOf(response)
  }
  if (rows === 0) throw new EmptyExport()
  signal.throwIfAborted()
  saveFile(new Blob(parts, { type: 'text/csv;charset=utf-8' }), name)
}
