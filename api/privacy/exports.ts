import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { agencyDay } from '../../events/base/agency-day.ts'
import { productPrefix } from '../../events/base/product-prefix.ts'
import { DAY_MS, MINUTE_MS } from '../../events/base/time.ts'
import type { Sent } from '../../events/base/word.ts'
import { handle } from '../../events/log/handle.ts'
import { readEvent } from '../../events/log/read.ts'
import {
  exportForm,
  privacyExportDownloaded,
  privacyExportRequested,
  privacyExportStreams,
} from '../../events/privacy/export.ts'
import { addExport, findExport, listExports, readParts, type StoredExport } from '../../events/privacy/store/exports.ts'
import { readContact } from '../../events/privacy/store/subjects.ts'
import { exportDownload, personExports } from '../../events/privacy/wire.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { openPacedStream } from '../http/transfer.ts'
import { viewsAreUpToDate } from '../leads/erasable.ts'
import type { ApiNode } from '../node/node.ts'
import { staffNames } from '../staff/staff.ts'

/** How long the address of a file works after its owner has confirmed the download. */
const DOWNLOAD_MS = 10 * MINUTE_MS

const sent = async (node: ApiNode, found: readonly StoredExport[]): Promise<Sent<typeof personExports>> => {
  const names = await staffNames(node.sql)
  const { exportDays } = node.settings.current.retention
  return found.map(({ id, state, progress, size, hasNotes, requestedAt, madeBy }) => ({
    id,
    state,
    progress,
    size,
    hasNotes,
    requestedAt: requestedAt.toISOString(),
    deletedAt: new Date(requestedAt.getTime() + exportDays * DAY_MS).toISOString(),
    by: names.get(madeBy) ?? null,
  }))
}

const exportsOfPerson = route('GET', '/api/privacy/people/:id/exports', {
  access: 'owners',
  summary: 'The stored exports of a person',
  answer: personExports,
  handler: async ({ node, params: { id } }) => sent(node, await listExports(node.sql, id)),
})

const requestExport = route('POST', '/api/privacy/people/:id/exports', {
  access: 'owners',
  isConfirmed: true,
  summary: 'Has workers make a file of everything that is held about a person',
  body: exportForm,
  answer: personExports,
  status: 202,
  handler: async ({ node, c, params: { id }, body: { kind, hasNotes, reason } }) => {
    await viewsAreUpToDate(node)
    if (!(await readContact(node.reading, { kind, id }))) {
      throw new RequestError('not_found', 'There is nothing with this id')
    }
    const [exportId, by] = [randomUUID(), c.get('staff').id]
    // the event comes first: it makes the key that encrypts the file
    await handle(node.log, {
      read: () => ({ stream: privacyExportStreams.of(id), version: 'any' as const }),
      decide: () =>
        privacyExportRequested(
          { exportId, kind, hasNotes, by },
          { subjectId: id, personal: { reason: hasNotes ? null : reason } },
        ),
    })
    await addExport(node.sql, { id: exportId, subject: { kind, id }, madeBy: by, hasNotes })
    return sent(node, await listExports(node.sql, id))
  },
})

const readReady = async ({ sql }: ApiNode, id: string): Promise<StoredExport> => {
  const found = await findExport(sql, id)
  if (found?.state === 'ready') return found
  throw new RequestError('not_found', 'There is no such export, or it is not ready')
}

const confirmDownload = route('POST', '/api/privacy/exports/:id/download', {
  access: 'owners',
  isConfirmed: true,
  summary: 'Notes in the log that an owner downloads an export, and returns its address',
  answer: exportDownload,
  handler: async ({ node, c, params: { id } }) => {
    const { subjectId } = await readReady(node, id)
    const { appended } = await handle(node.log, {
      read: () => ({ stream: privacyExportStreams.of(subjectId), version: 'any' as const }),
      decide: () => privacyExportDownloaded({ exportId: id, by: c.get('staff').id }),
    })
    return { address: `/api/privacy/exports/${id}/file?download=${appended?.id}` }
  },
})

const exportFile = route('GET', '/api/privacy/exports/:id/file', {
  access: 'owners',
  summary: 'The file of an export, a ZIP, once its download was confirmed',
  query: v.object({ download: v.pipe(v.string(), v.uuid('Must be the id of a confirmed download')) }),
  answer: { mediaType: 'application/zip' },
  handler: async ({ node, c, params: { id }, query: { download } }) => {
    const found = await readReady(node, id)
    const noted = await readEvent(node.sql, download)
    const isConfirmed =
      noted?.type === 'PrivacyExportDownloaded' &&
      noted.data.exportId === id &&
      noted.data.by === c.get('staff').id &&
      Date.now() - noted.recordedAt.getTime() < DOWNLOAD_MS
    if (!isConfirmed) throw new RequestError('not_allowed', 'Confirm the download again')
    const name = [productPrefix(node.config.agency.name), 'personal-data', agencyDay(found.requestedAt)]
      .filter(Boolean)
      .join('-')
    const headers = {
      'Content-Type': 'application/zip',
      'Content-Length': String(found.size),
      'Content-Disposition': `attachment; filename="${name}.zip"`,
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const out = openPacedStream()
    pipeline(Readable.from(readParts(node.sql, found)), out).catch((error: unknown) => {
      if (!out.destroyed) node.logger.error({ err: error }, 'export broke off')
    })
    return c.body(Readable.toWeb(out) as ReadableStream, 200, headers)
  },
})

export const privacyExportRoutes = [exportsOfPerson, requestExport, confirmDownload, exportFile]
