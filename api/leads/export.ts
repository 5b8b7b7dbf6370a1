import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Context } from 'hono'
import * as v from 'valibot'
import { exportName } from '../../events/lead/export/export-name.ts'
import { countLeads } from '../../events/lead/store/lead-list.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { openPacedStream } from '../http/transfer.ts'
import type { ApiNode } from '../node/node.ts'
import type { Caller, CallerEnv } from '../staff/caller.ts'
import { watchOf } from '../staff/session-watch.ts'
import { staffNames } from '../staff/staff.ts'
import type { ExportJob } from './export.cli.ts'
import { findQuery, leadQuery } from './query.ts'

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
/** Per node, at once: each has a process of its own. */
const MAX_EXPORTS = 4
const RETRY_AFTER_S = 5

const PROGRAM = fileURLToPath(new URL('./export.cli.ts', import.meta.url))

/** The `format` of an export. */
export const fileFormat = v.optional(v.picklist(['xlsx', 'csv'], 'Must be xlsx or csv'), 'xlsx')

const exportQuery = v.object({ ...leadQuery.entries, format: fileFormat })

const running = new Set<ChildProcess>()

/**
 * Makes the file in a process of its own. In the node it would delay all other requests, and the heap would grow by 150
 * MiB for 100,000 leads and stay so. The job is passed in a message: search terms must not be visible elsewhere.
 */
const startExport = (job: ExportJob) => {
  if (running.size >= MAX_EXPORTS) {
    const detail = 'Other exports are under way: try again when they are done'
    throw new RequestError('unavailable', detail, { retryAfterS: RETRY_AFTER_S })
  }
  const child = fork(PROGRAM, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], serialization: 'advanced', execArgv: [] })
  running.add(child)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      running.delete(child)
      if (status === 0) resolve()
      else
        reject(new RequestError('unavailable', 'The export was interrupted: try again', { retryAfterS: RETRY_AFTER_S }))
    })
  })
  child.send(job)
  return { file: child.stdout as Readable, ended, stop: () => child.kill('SIGKILL') }
}

/** Limits the exports of one caller, so that there is room for those of others. */
const startExportOf = ({ admission }: ApiNode, { id, isProgram }: Caller, job: ExportJob) => {
  const letGo = admission.hold(isProgram ? 'exports_of_token' : 'exports_of_account', id)
  try {
    const started = startExport(job)
    started.ended.then(letGo, letGo)
    return started
  } catch (error) {
    letGo()
    throw error
  }
}

/** A job without the part that is the same for all, the name of its file, and the number of its rows. */
type WantedFile = { job: Wanted; name: string; rows: number }
type Wanted = DistributiveOmit<ExportJob, 'databaseUrl'>
type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never

/**
 * Responds with a table as a file, no faster than it is read; the work stops when the client leaves or hardly reads, and
 * when the session or the token ends. `X-Total-Rows` is the number of rows. If it fails midway, the connection closes
 * without an end, so that no client takes a part for the whole.
 */
export const sendFile = async (node: ApiNode, c: Context<CallerEnv>, { job, name, rows }: WantedFile) => {
  const caller = c.get('caller')
  const headers = {
    'Content-Type': CONTENT_TYPES[job.format],
    'Content-Disposition': `attachment; filename="${name}"`,
    'X-Total-Rows': String(rows),
  }
  // the file would not be read, and its process would wait for ever
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const { file, ended, stop } = startExportOf(node, caller, { databaseUrl: node.config.databaseUrl, ...job })
  const out = openPacedStream()
  out.once('close', stop)
  const { outgoing } = c.env
  const passed = pipeline(file, out, { end: false })
  // a failure can be reported until the first bytes are there
  await Promise.race([once(file, 'data'), ended])

  const leave = watchOf(node).enter({ tokenHash: caller.tokenHash, end: () => out.destroy() })
  out.once('close', leave)

  // the end of the file is sent only after the process has reported success: then the file is whole
  Promise.all([passed, ended]).then(
    () => out.end(),
    (error: unknown) => {
      if (!out.destroyed) node.logger.error({ err: error }, 'export broke off')
      outgoing.destroy()
      out.destroy()
    },
  )

  return c.body(Readable.toWeb(out) as ReadableStream, 200, headers)
}

/** The leads of a query as a spreadsheet. */
export const exportLeads = route('GET', '/api/leads/export', {
  access: 'staff',
  scope: 'leads:read',
  summary: 'Leads as a file, CSV (separated by semicolons) or Excel',
  query: exportQuery,
  answer: { mediaType: 'application/octet-stream' },
  handler: async ({ node, c, query: { format, ...filters } }) => {
    const query = await findQuery(node, filters, c.get('caller').id)
    const [days, owners] = await Promise.all([countLeads(node.reading, query), staffNames(node.sql)])
    const { from, to } = query
    const name = exportName(node.config.agency.name, { from, to, now: new Date(), extension: format })
    const rows = days.reduce((total, { count }) => total + count, 0)
    return await sendFile(node, c, { job: { of: 'leads', format, wanted: { query, owners } }, name, rows })
  },
})
