import { randomUUID } from 'node:crypto'
import { differenceInHours } from 'date-fns/differenceInHours'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { Sent } from '../../events/base/word.ts'
import { readErasedInImport } from '../../events/erasure/import-erasures.ts'
import {
  type ImportMapping,
  importMapping,
  importStartForm,
  leadImportRequested,
  leadImportStreams,
  leadImportUndone,
  MAX_IMPORT_BYTES,
  suggestMapping,
} from '../../events/lead/import/import.ts'
import * as wire from '../../events/lead/import/import-wire.ts'
import { CsvProblem, type CsvRow, csvBatches, csvRows, sniffCsv } from '../../events/lead/store/csv.ts'
import {
  type CheckedRow,
  countImportWork,
  holdsMerged,
  importedLeadId,
  isWorkedOn,
  openDuplicates,
} from '../../events/lead/store/import-duplicates.ts'
import {
  beginImport,
  beginUndo,
  findImport,
  type LeadImport,
  listImports,
  readImportFile,
  readIncomplete,
  readLeftOut,
  storeImport,
} from '../../events/lead/store/imports.ts'
import { leads } from '../../events/lead/wire.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readStream } from '../../events/log/read.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { readUpload, statedLength } from '../http/transfer.ts'
import type { ApiNode } from '../node/node.ts'
import { type StaffEnv, staffNames } from '../staff/staff.ts'
import { listImportedLeads } from './imported-leads.ts'
import { leftOutFile } from './left-out.ts'
import { readRowPage, rowQuery } from './row-page.ts'

const SAMPLE_ROWS = 5
const SHOWN_IMPORTS = 20
const SHOWN_PROBLEMS = 10
const SHOWN_CHARACTERS = 80
/** How long the staff member who imported may undo it without an owner. */
const UNDO_HOURS = 24
const UNDO_REFUSED = `Only admins can undo an import by another person, or one made more than ${UNDO_HOURS} hours ago`
/** The number of rows per lookup. */
const BATCH_ROWS = 500

/** Refuses a file that cannot be read as CSV with its sentence; stops the work if the client has left. */
const refusing = async <T>({ req }: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (req.raw.signal.aborted) throw new RequestError('malformed_body', 'The client disconnected', { cause: error })
    if (!(error instanceof CsvProblem)) throw error
    throw new RequestError('invalid', error.message, { cause: error })
  }
}

/** Takes a slot for files that are whole in memory, and one of the account. Returns the function that releases both. */
const holdPlaces = ({ admission }: ApiNode, account: string) => {
  const letGo = admission.hold('lead_imports_of_account', account)
  try {
    const letGoOfAll = admission.hold('lead_imports', 'all')
    return () => {
      letGo()
      letGoOfAll()
    }
  } catch (error) {
    letGo()
    throw error
  }
}

/** Receives a file and returns its content: nothing is added yet. */
const receive = async (node: ApiNode, c: Context<StaffEnv>) => {
  const staffId = c.get('staff').id
  const length = statedLength(c.env.incoming, MAX_IMPORT_BYTES)
  const letGo = holdPlaces(node, staffId)
  try {
    await node.admission.admit('lead_imports', { account: staffId })
    const content = await readUpload(c.env.incoming, length)
    return await refusing(c, async () => {
      const kind = sniffCsv(content)
      const rows: CsvRow[] = []
      let total = 0
      for await (const { row, line, number } of csvRows(content, kind, c.req.raw)) {
        total = line
        if (total <= SAMPLE_ROWS) rows.push({ row: row.map((cell) => cell.slice(0, SHOWN_CHARACTERS)), line, number })
      }
      if (total < 1)
        throw new CsvProblem('The file has no rows. Its first line names the columns, the others are leads.')
      const [columns = [], ...sample] = rows.map(({ row }) => row)
      const rowNumbers = rows.slice(1).map(({ number }) => number)
      const id = randomUUID()
      await storeImport(node.sql, { id, staffId, content, kind, total })
      return { id, ...kind, columns, rows: sample, rowNumbers, total, mapping: suggestMapping(columns, sample) }
    })
  } finally {
    letGo()
  }
}

const find = async ({ sql }: ApiNode, id: string): Promise<LeadImport> => {
  const found = await findImport(sql, id)
  if (!found)
    throw new RequestError('not_found', 'There is no import with this id, or its file expired after a day unused')
  return found
}

/**
 * Runs work that has a whole file in memory, if there is room; a file that cannot be read as CSV is refused with its
 * sentence.
 */
const withWholeFile = async <T>(node: ApiNode, c: Context<StaffEnv>, work: () => Promise<T>): Promise<T> => {
  const letGo = node.admission.hold('lead_imports', 'all')
  try {
    await node.admission.admit('lead_import_checks', { account: c.get('staff').id })
    return await refusing(c, work)
  } finally {
    letGo()
  }
}

/** A preview of the rows. */
const lookThrough = async (
  node: ApiNode,
  c: Context,
  { id, mapping }: { id: string; mapping: ImportMapping },
): Promise<Sent<typeof wire.importCheck>> => {
  const found = await find(node, id)
  const file = await readImportFile(node.sql, found.id)
  if (!file) throw new RequestError('conflict', 'This file has been imported already')
  const erased = await readErasedInImport(node.sql, found.id)
  const counts = { new: 0, in_file: 0, known: 0, erased: 0, refused: 0 }
  const problems: { row: number; problem: string }[] = []
  const duplicateRows = { in_file: [] as number[], known: [] as number[] }
  const none = () => ({ fresh: { count: 0, rows: [] as number[] }, duplicates: { count: 0, rows: [] as number[] } })
  const bad = { email: none(), phone: none(), date: none(), time: none() }
  const newZeros = none()
  const labels: Record<string, string> = {}
  const { rowLabel } = await import('../../events/lead/import/imported-row.ts') // loaded on demand, as in the duplicates
  /** Names a row among the first of its kind. */
  const name = <Named>(named: Named[], { row, number }: CsvRow, as: Named) => {
    if (named.length >= SHOWN_PROBLEMS) return
    named.push(as)
    labels[number] = rowLabel(row, mapping)
  }
  const duplicates = openDuplicates(node.reading, { importId: found.id, mapping, now: found.createdAt, erased })
  const count = (row: CheckedRow) => {
    const { verdict, number, problem, lead } = row
    counts[verdict] += 1
    if (verdict === 'in_file' || verdict === 'known') name(duplicateRows[verdict], row, number)
    if (problem !== undefined) name(problems, row, { row: number, problem })
    const doubtful = (lead?.badCells ?? []).map((cell) => bad[cell])
    if (lead?.hasNewZero) doubtful.push(newZeros)
    for (const group of doubtful) {
      const found = group[verdict === 'new' ? 'fresh' : 'duplicates']
      found.count += 1
      name(found.rows, row, number)
    }
  }
  for await (const batch of csvBatches(file.content, file, BATCH_ROWS, c.req.raw)) {
    for (const row of await duplicates.check(batch)) count(row)
  }
  const { in_file: inFile, new: fresh, ...others } = counts
  const badRows = { badEmails: bad.email, badPhones: bad.phone, badDates: bad.date, badTimes: bad.time }
  return {
    fresh,
    inFile,
    ...others,
    inFileRows: duplicateRows.in_file,
    knownRows: duplicateRows.known,
    problems,
    ...badRows,
    newZeros,
    labels,
  }
}

/** Requests that workers add the rows; a repeated request has no further effect. */
const start = async (
  node: ApiNode,
  c: Context<StaffEnv>,
  { id, mapping, addsDuplicates }: { id: string } & v.InferOutput<typeof importStartForm>,
) => {
  const found = await find(node, id)
  const event = leadImportRequested({ by: c.get('staff').id, rows: found.total, mapping, addsDuplicates })
  await handle(node.log, {
    read: () => ({ stream: leadImportStreams.of(found.id), version: 'any' as const }),
    decide: () => ({ id: deterministicUuid('import requested', found.id), ...event }),
    isOnce: true,
  })
  const events = await readStream(node.sql, leadImportStreams.of(found.id))
  const request = events.find(({ type }) => type === 'LeadImportRequested')
  if (request?.type === 'LeadImportRequested') await beginImport(node.sql, found.id, request.data)
  return await find(node, found.id)
}

/** The staff member who imported may undo it for a day, and owners always. */
const mayUndo = (c: Context<StaffEnv>, { staffId, state, createdAt }: LeadImport) => {
  const me = c.get('staff')
  const isRecent = differenceInHours(new Date(), createdAt) < UNDO_HOURS
  return ['running', 'done', 'failed'].includes(state) && (me.role === 'owner' || (me.id === staffId && isRecent))
}

const undo = async (node: ApiNode, c: Context<StaffEnv>, id: string) => {
  const found = await find(node, id)
  if (found.state === 'undoing' || found.state === 'undone') return found
  if (found.state === 'uploaded') throw new RequestError('conflict', 'This file has not been imported')
  if (!mayUndo(c, found)) throw new RequestError('not_allowed', UNDO_REFUSED)
  const { id: except, role } = c.get('staff')
  if (role !== 'owner' && (await isWorkedOn(node.sql, { importId: found.id, total: found.total, except })))
    throw new RequestError('not_allowed', 'Colleagues have worked on these leads: ask an admin to undo the import')
  if (await holdsMerged(node.sql, { importId: found.id, total: found.total }))
    throw new RequestError('conflict', 'Other leads were merged into leads of this import: unmerge them first')
  await handle(node.log, {
    read: () => ({ stream: leadImportStreams.of(found.id), version: 'any' as const }),
    decide: () => ({
      id: deterministicUuid('import undone', found.id),
      ...leadImportUndone({ by: c.get('staff').id }),
    }),
    isOnce: true,
  })
  await beginUndo(node.sql, found.id)
  return await find(node, found.id)
}

const work = async (node: ApiNode, id: string): Promise<Sent<typeof wire.importWork>> => {
  const { id: importId, total } = await find(node, id)
  return await countImportWork(node.reading, { importId, total })
}

const sent = (
  c: Context<StaffEnv>,
  { staffId, createdAt, mapping: _, addsDuplicates: __, ...rest }: LeadImport,
  names: ReadonlyMap<string, string>,
): Sent<typeof wire.leadImport> => ({
  ...rest,
  by: names.get(staffId) ?? null,
  createdAt: createdAt.toISOString(),
  mayUndo: mayUndo(c, { staffId, createdAt, mapping: _, addsDuplicates: __, ...rest }),
})

const answer = async (node: ApiNode, c: Context<StaffEnv>, found: LeadImport) =>
  sent(c, found, await staffNames(node.sql))

/** Staff add the leads of a CSV file, see the progress, and undo the whole import. */
export const importRoutes = [
  route('POST', '/api/imports', {
    access: 'staff',
    summary: 'Uploads a CSV file; nothing is added yet',
    body: { mediaType: 'text/csv' },
    answer: wire.importPreview,
    status: 201,
    handler: ({ node, c }) => receive(node, c),
  }),
  route('GET', '/api/imports', {
    access: 'staff',
    summary: 'Lists imports',
    answer: wire.leadImports,
    handler: async ({ node, c }) => {
      const names = await staffNames(node.sql)
      return (await listImports(node.sql, SHOWN_IMPORTS)).map((each) => sent(c, each, names))
    },
  }),
  route('GET', '/api/imports/:id', {
    access: 'staff',
    summary: 'The progress of an import',
    answer: wire.leadImport,
    handler: async ({ node, c, params: { id } }) => answer(node, c, await find(node, id)),
  }),
  route('GET', '/api/imports/:id/work', {
    access: 'staff',
    summary: 'Counts the changes of the leads of an import since then',
    answer: wire.importWork,
    handler: ({ node, params: { id } }) => work(node, id),
  }),
  route('GET', '/api/imports/:id/leads', {
    access: 'staff',
    summary: 'The leads that an import has added, in the order of its file',
    query: rowQuery,
    answer: leads,
    isPaged: true,
    handler: async ({ node, c, params, query }) => {
      const found = await find(node, params.id)
      const page = await readRowPage(node, c, query, (range) => listImportedLeads(node.reading, found, range))
      return page.map(({ lead }) => lead)
    },
  }),
  route('GET', '/api/imports/:id/left-out', {
    access: 'staff',
    summary: 'The rows of a file that were left out, with the reasons',
    query: rowQuery,
    answer: wire.leftOutRows,
    isPaged: true,
    handler: async ({ node, c, params, query }) => {
      const { id } = await find(node, params.id)
      const page = await readRowPage(node, c, query, (range) => readLeftOut(node.sql, id, range))
      return page.map(({ number, noted }) => ({ row: number, reason: noted }))
    },
  }),
  route('GET', '/api/imports/:id/left-out.csv', {
    access: 'staff',
    summary: 'The rows that were left out, as a file to correct',
    answer: { mediaType: 'text/csv' },
    handler: async ({ node, c, params: { id } }) => {
      const file = await withWholeFile(node, c, async () => leftOutFile(node, await find(node, id), c.req.raw))
      return c.body(file, 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="rows-left-out.csv"',
      })
    },
  }),
  route('GET', '/api/imports/:id/incomplete', {
    access: 'staff',
    summary: 'The rows that were added without a cell that could not be used',
    query: rowQuery,
    answer: wire.incompleteRows,
    isPaged: true,
    handler: async ({ node, c, params, query }) => {
      const { id } = await find(node, params.id)
      const page = await readRowPage(node, c, query, (range) => readIncomplete(node.sql, id, range))
      return page.map(({ line, number, noted }) => ({ row: number, cells: noted, leadId: importedLeadId(id, line) }))
    },
  }),
  route('POST', '/api/imports/:id/check', {
    access: 'staff',
    summary: 'Checks the rows of a file: which would be added',
    body: v.strictObject({ mapping: importMapping }),
    answer: wire.importCheck,
    mayConflict: true,
    handler: ({ node, c, params: { id }, body: { mapping } }) =>
      withWholeFile(node, c, () => lookThrough(node, c, { id, mapping })),
  }),
  route('POST', '/api/imports/:id/start', {
    access: 'staff',
    summary: 'Adds the rows of a file',
    body: importStartForm,
    answer: wire.leadImport,
    status: 202,
    mayConflict: true,
    handler: async ({ node, c, params: { id }, body }) => answer(node, c, await start(node, c, { id, ...body })),
  }),
  route('POST', '/api/imports/:id/undo', {
    access: 'staff',
    summary: 'Undoes a whole import',
    answer: wire.leadImport,
    status: 202,
    mayConflict: true,
    handler: async ({ node, c, params: { id } }) => answer(node, c, await undo(node, c, id)),
  }),
]
