import { type ChatFile, MAX_FILE_BYTES, sniffedType } from '../../events/chat-file.ts'
import { HttpError, request } from '../http.ts'

/** A phone on a slow network needs a minute for the largest file. */
const TRANSFER_TIMEOUT_MS = 180_000

/** As many bytes as tell what a file is. */
const SIGN_BYTES = 16

/** Where the files of a chat are, for whom. A visitor's token opens them; staff come with their cookie. */
export type FileStore = { sessionId: string; resumeToken?: string | undefined }

/** A file that cannot be sent, with the reason for the person who chose it. */
export class FileRefusedError extends Error {
  override name = 'FileRefusedError'
}

const pathOf = ({ sessionId }: FileStore) => `/api/chat-files/${sessionId}`
const headersOf = ({ resumeToken }: FileStore): Record<string, string> =>
  resumeToken === undefined ? {} : { authorization: `Bearer ${resumeToken}` }
const limits = () => AbortSignal.timeout(TRANSFER_TIMEOUT_MS)

/** Stores a file in a chat. Throws a FileRefusedError where it is too large, of another type, or not taken just now. */
export const storeFile = async (store: FileStore, file: File): Promise<ChatFile> => {
  if (file.size > MAX_FILE_BYTES) throw new FileRefusedError('A file may have up to 5 MB.')
  const sign = new Uint8Array(await file.slice(0, SIGN_BYTES).arrayBuffer())
  const type = sniffedType(sign)
  if (!type) throw new FileRefusedError('You can send images (PNG, JPEG, WebP, GIF) and PDF files.')
  try {
    const headers = { ...headersOf(store), 'content-type': type }
    const answer = await request(pathOf(store), { method: 'POST', body: file, headers, signal: limits() })
    return await answer.json()
  } catch (error) {
    const detail = error instanceof HttpError ? error.problem?.detail : undefined
    throw new FileRefusedError(detail ?? 'It did not go through. Please try again.', { cause: error })
  }
}

/** Fetches a file of a chat. Throws an HttpError, with 404 where it is no longer there. */
export const fetchFile = async (store: FileStore, { id }: ChatFile): Promise<Blob> =>
  await (await request(`${pathOf(store)}/${id}`, { headers: headersOf(store), signal: limits() })).blob()
