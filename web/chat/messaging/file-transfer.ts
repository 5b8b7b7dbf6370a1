import { ACCEPTED_FILES, type ChatFile, MAX_FILE_BYTES, SIGN_BYTES, sniffedType } from '../../../events/chat/file.ts'
import { HttpError, httpError, repeatedly, request } from '../../client/http.ts'
import { limitTasks } from './task-limit.ts'

/** The server times out earlier: this is for a connection that has died without notice. */
const TRANSFER_TIMEOUT_MS = 300_000

/** The server admits some files at a time: others wait, as does one for which there is no room. */
const TRIES = { tries: 6, statuses: [429, 503] }

/** The number of files that a page fetches at once: the server's limit for one chat. */
const MAX_FETCHES = 2

/** The maximum size of the sent and fetched files cached in memory, in bytes. */
const MAX_CACHED_BYTES = 20 * 1024 * 1024

/** The location of a chat's files. A visitor's token opens them; staff use their cookie. */
export type FileStore = { sessionId: string; resumeToken?: string | undefined }

/** A file that was not sent, with the reason for the person who chose it. `canRetry`: another attempt may succeed. */
export class FileRefusedError extends Error {
  override name = 'FileRefusedError'
  readonly canRetry: boolean

  constructor(message: string, { canRetry, cause }: { canRetry: boolean; cause?: unknown }) {
    super(message, { cause })
    this.canRetry = canRetry
  }
}

const pathOf = ({ sessionId }: FileStore) => `/api/chat-files/${sessionId}`
const headersOf = ({ resumeToken }: FileStore): Record<string, string> =>
  resumeToken === undefined ? {} : { authorization: `Bearer ${resumeToken}` }

/** The files sent or fetched last, by chat and file, oldest first. */
const cache = new Map<string, Blob>()
const keyOf = (sessionId: string, id: string) => `${sessionId} ${id}`

const addToCache = (sessionId: string, id: string, content: Blob) => {
  cache.set(keyOf(sessionId, id), content)
  let bytes = [...cache.values()].reduce((sum, { size }) => sum + size, 0)
  for (const [key, { size }] of cache) {
    if (bytes <= MAX_CACHED_BYTES) return
    cache.delete(key)
    bytes -= size
  }
}

/** Removes a chat's files from memory. */
export const dropFiles = (sessionId: string) => {
  for (const key of cache.keys()) if (key.startsWith(sessionId)) cache.delete(key)
}

/** @throws a FileRefusedError if a chat does not accept a file; checked before any of it is sent. */
export const checkFile = async (file: File): Promise<void> => {
  if (file.size > MAX_FILE_BYTES) {
    throw new FileRefusedError('It is larger than 5 MB, the most that a chat takes.', { canRetry: false })
  }
  const start = await file.slice(0, SIGN_BYTES).arrayBuffer()
  if (!sniffedType(new Uint8Array(start))) throw new FileRefusedError(ACCEPTED_FILES, { canRetry: false })
}

type Sending = { signal: AbortSignal; onProgress: (part: number) => void }

const upload = (store: FileStore, file: File, { signal, onProgress }: Sending) =>
  new Promise<ChatFile>((resolve, reject) => {
    signal.throwIfAborted()
    const call = new XMLHttpRequest() // fetch does not report upload progress
    call.open('POST', pathOf(store))
    call.timeout = TRANSFER_TIMEOUT_MS
    const headers = {
      ...headersOf(store),
      'content-type': file.type,
      'x-file-name': encodeURIComponent(file.name.toWellFormed()),
    }
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value)
    call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    const lost = () => reject(new FileRefusedError('The connection broke off.', { canRetry: true }))
    call.onload = () => {
      const { status, statusText, responseText } = call
      if (status !== 201) {
        return reject(httpError({ status, statusText, header: (name) => call.getResponseHeader(name) }, responseText))
      }
      try {
        resolve(JSON.parse(responseText))
      } catch {
        lost() // a response that was cut off
      }
    }
    call.onerror = lost
    call.ontimeout = lost
    call.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => call.abort())
    call.send(file)
  })

const FINAL = [409, 413, 415]

/**
 * Stores a file in a chat. `onProgress` gets the part sent, 0 to 1.
 * @throws a FileRefusedError if the file is not stored, and the signal's reason if the upload was cancelled.
 */
export const storeFile = async (store: FileStore, file: File, sending: Sending): Promise<ChatFile> => {
  try {
    const stored = await repeatedly(() => upload(store, file, sending), TRIES)
    addToCache(store.sessionId, stored.id, file)
    return stored
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const reason = error.problem?.detail ?? 'It did not go through.'
    throw new FileRefusedError(/[.!]$/.test(reason) ? reason : `${reason}.`, {
      canRetry: !FINAL.includes(error.status),
      cause: error,
    })
  }
}

const fetching = limitTasks(MAX_FETCHES)

const download = async (store: FileStore, id: string): Promise<Blob> => {
  const init = { headers: headersOf(store), signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) }
  const response = await request(`${pathOf(store)}/${id}`, init)
  return await response.blob()
}

/**
 * Fetches a file of a chat.
 * @throws an HttpError, with 404 if the file is no longer there.
 */
export const fetchFile = async (store: FileStore, id: string): Promise<Blob> => {
  const known = cache.get(keyOf(store.sessionId, id))
  if (known) return known
  const content = await fetching(() => repeatedly(() => download(store, id), TRIES))
  addToCache(store.sessionId, id, content)
  return content
}
