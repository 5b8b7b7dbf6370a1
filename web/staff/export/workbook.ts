import { request } from '../../http.ts'
import { countRows } from './row-counter.ts'
import { saveFile } from './save-file.ts'

/** Without a byte for so long, the export counts as broken off. */
const SILENCE_TIMEOUT_MS = 30_000
const END_RECORD_BYTES = 22
const END_SIGNATURE = [0x50, 0x4b, 0x05, 0x06]

/** How far an export has come, in rows. `total` is how many there were when it began. */
export type ExportProgress = { rows: number; total: number }

/** There are no leads to export. */
export class EmptyExport extends Error {
  override name = 'EmptyExport'
}

class BrokenExport extends Error {
  override name = 'BrokenExport'
}

const fileNameOf = (response: Response) =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'leads.xlsx'

/** Reads a body to its end, and fails where it falls silent. */
const readWhole = async (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChunk: (chunk: Uint8Array<ArrayBuffer>) => void,
) => {
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (;;) {
    const silent = Promise.withResolvers<never>()
    const timer = setTimeout(() => silent.reject(new BrokenExport('The server fell silent')), SILENCE_TIMEOUT_MS)
    try {
      const { done, value } = await Promise.race([reader.read(), silent.promise])
      if (done) return chunks
      chunks.push(value)
      onChunk(value)
    } catch (error) {
      reader.cancel().catch(() => {})
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Whether a zip file has its last record (APPNOTE 4.3.16), without which it is only a part of one. */
const isWhole = async (file: Blob) => {
  const end = new Uint8Array(await file.slice(-END_RECORD_BYTES).arrayBuffer())
  return END_SIGNATURE.every((byte, index) => end[index] === byte)
}

/**
 * Fetches the leads of a list's query (`from`, `to`, `q`, `sort`) as a workbook and saves it under the name that the API
 * gives it. Rejects where the answer breaks off, or where there are no leads (`EmptyExport`): then no file is saved. Aborting `signal` cancels it, on the server too.
 */
export const downloadWorkbook = async (
  query: URLSearchParams,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ExportProgress) => void },
): Promise<void> => {
  const wanted = new URLSearchParams(query)
  wanted.set('format', 'xlsx')
  const response = await request(`/api/leads/export?${wanted}`, { signal })
  const total = Number(response.headers.get('x-total-rows'))
  if (!response.body) throw new BrokenExport('The server sent no file')
  if (total === 0) {
    response.body.cancel().catch(() => {})
    throw new EmptyExport()
  }
  const onRows = (rows: number) => onProgress({ rows: Math.min(rows, total), total })
  onRows(0)
  const chunks = await readWhole(response.body, countRows(onRows))
  const file = new Blob(chunks, { type: response.headers.get('content-type') ?? '' })
  if (!(await isWhole(file))) throw new BrokenExport('The file broke off')
  signal.throwIfAborted()
  saveFile(file, fileNameOf(response))
}
