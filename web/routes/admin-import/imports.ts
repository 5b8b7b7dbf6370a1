import useSWR, { mutate } from 'swr'
import { type ImportMapping, MAX_IMPORT_BYTES } from '../../../events/lead/import/import.ts'
import {
  type ImportCheck,
  type ImportPreview,
  importCheck,
  importPreview,
  importWork,
  incompleteRows,
  type LeadImport,
  leadImport,
  leadImports,
  leftOutRows,
} from '../../../events/lead/import/import-wire.ts'
import { leads } from '../../../events/lead/wire.ts'
import { read } from '../../client/get.ts'
import { request, send } from '../../client/http.ts'
import { useAfterLeadChanges } from '../../staff/leads/live/after-changes.ts'
import { useGet, useGetPages } from '../../staff/requests/use-get.ts'

const KEY = '/api/imports'
/** A file of the largest size on a slow connection. */
const UPLOAD_TIMEOUT_MS = 5 * 60_000

/** The number of leads that an import shows at a time. */
const ADDED_PER_PAGE = 25

const MIB = 1024 * 1024

const addressOf = (id: string) => `${KEY}/${encodeURIComponent(id)}`

/** Whether leads are being added, or an import is being undone. */
export const isUnderWay = ({ state }: LeadImport) => state === 'running' || state === 'undoing'

export const useImports = () =>
  useGet(KEY, leadImports, {
    revalidateIfStale: true,
    poll: (known) => (known?.some(isUnderWay) ? 'progress' : 'lists'),
  })

/** The reason why a file is not sent; undefined if it is. */
export const refusalOf = ({ size }: File): string | undefined => {
  if (size === 0) return 'This file is empty.'
  if (size <= MAX_IMPORT_BYTES) return undefined
  return `This file has ${Math.ceil(size / MIB)} MB. At most ${MAX_IMPORT_BYTES / MIB} MB are imported at once: split it.`
}

/** Sends a file; nothing is added yet. */
export const sendFile = async (file: File): Promise<ImportPreview> => {
  const init = { method: 'POST', body: file, headers: { 'content-type': 'text/csv' } }
  return await request(KEY, { ...init, signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) }).then(read(importPreview))
}

/** The result of the rows as `mapping` reads them, by POST; nothing is requested without one. */
export const useCheck = (id: string, mapping: ImportMapping | undefined) =>
  useSWR<ImportCheck>(mapping && [addressOf(id), JSON.stringify(mapping)], () =>
    send('POST', `${addressOf(id)}/check`, { mapping }).then(read(importCheck)),
  )

/** The current state of the leads that an import added, page by page, in the order of its file. */
export const useAdded = (id: string) => {
  const list = useGetPages(`${addressOf(id)}/leads?limit=${ADDED_PER_PAGE}`, leads, { revalidateAll: true })
  useAfterLeadChanges(list.mutate, { hasQuarantine: true })
  return list
}

export const leftOutAddress = (id: string) => `${addressOf(id)}/left-out.csv`

export const useLeftOut = (id: string) => useGetPages(`${addressOf(id)}/left-out`, leftOutRows)

/** The rows of an import that were added without some cell, with their leads, page by page. */
export const useIncomplete = (id: string) => useGetPages(`${addressOf(id)}/incomplete`, incompleteRows)

export const useImportWork = (id: string) => useGet([addressOf(id), 'work'], importWork, { revalidateIfStale: true })

const post = async (path: string, body: object) => {
  const started = await send('POST', path, body).then(read(leadImport))
  await mutate(KEY)
  return started
}

/** Starts an import. Resolves once it is certain that it will be done. */
export const startImport = (id: string, mapping: ImportMapping, addsDuplicates: boolean) =>
  post(`${addressOf(id)}/start`, { mapping, addsDuplicates })

/** Undoes an import. Resolves once it is certain that it will be done. */
export const undoImport = (id: string) => post(`${addressOf(id)}/undo`, {})
