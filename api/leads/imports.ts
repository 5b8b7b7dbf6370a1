import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { differenceInHours } from 'date-fns/differenceInHours'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import {
  importMapping,
  importStartForm,
  leadImportRequested,
  leadImportStreams,
  leadImportUndone,
  MAX_IMPORT_BYTES,
  suggestMapping,
} from '../../events/lead-import.ts'
import { CsvProblem, type CsvRow, csvRows, sniffCsv } from '../../events/log/csv.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { handle } from '../../events/log/handle.ts'
import { readErasedInImport } from '../../events/log/import-erasures.ts'
import {
  beginImport,
  beginUndo,
  findImport,
  type LeadImport,
  listImports,
  readImportFile,
  storeImport,
} from '../../events/log/lead-imports.ts'
import { readStream } from '../../events/log/read.ts'
import {
  countImportWork,
  holdsMerged,
  isWorkedOn,
  type JudgedRow,
  openDuplicates,
} from '../../events/projections/import-duplicates.ts'
import type * as wire from '../../events/wire/import.ts'
import type { Sent } from '../../events/wire/word.ts'
import { readBody } from '../body.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { requireStaff, type StaffEnv, staffNames } from '../staff/staff.ts'
import { readUpload, statedLength } from '../transfer.ts'
import { answerImported } from './imported.ts'
import { answerIncomplete } from './incomplete.ts'
import { answerLeftOut, leftOutFile } from './left-out.ts'

/** Where files of leads are sent to. */
export const IMPORTS_PATH = '/api/imports'

const SAMPLE_ROWS = 5
const SHOWN_IMPORTS = 20
const SHOWN_PROBLEMS = 10
const SHOWN_CHARACTERS = 80
/** For how long the person who imported may take it back without an owner. */
const UNDO_HOURS = 24
const UNDO_REFUSED = `Only owners undo what somebody else has imported, or what was imported over ${UNDO_HOURS} hours ago`
/** Rows that are looked up at a time. */
const BATCH_ROWS = 500

type ImportEnv = StaffEnv & { Bindings: HttpBindings }

/** What cannot be read as CSV is refused with its sentence; what is read for nobody any more ends too. */
const refusing = async <T>({ req }: Context, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (req.raw.signal.aborted) throw new RequestError('malformed_body', 'The client has gone', { cause: error })
    if (!(error instanceof CsvProblem)) throw error
    throw new RequestError('invalid', error.message, { cause: error })
  }
}

/** Takes one of the places of files that are whole in memory, and the one of an account; returns how to give them back. */
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

/** Takes a file in, and tells what it holds: nothing is added yet. */
const receive = async (node: ApiNode, c: Context<ImportEnv>) => {
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
    throw new RequestError('not_found', 'There is no import with this id, or its file was kept for a day unused')
  return found
}

/** Admits work that has a whole file in memory meanwhile; what cannot be read as CSV is refused with its sentence. */
const withWholeFile = async <T>(node: ApiNode, c: Context<ImportEnv>, work: () => Promise<T>): Promise<T> => {
  const letGo = node.admission.hold('lead_imports', 'all')
  try {
    await node.admission.admit('lead_import_checks', { account: c.get('staff').id })
    return await refusing(c, work)
  } finally {
    letGo()
  }
}

/** What the rows would become. */
const lookThrough = async (
  node: ApiNode,
  c: Context<ImportEnv>,
  id: string,
): Promise<Sent<typeof wire.importCheck>> => {
  const { mapping } = await readBody(c, v.strictObject({ mapping: importMapping }))
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
  const { rowLabel } = await import('../../events/imported-row.ts') // loaded on demand, as in the duplicates
  /** Names a row among the first of its kind. */
  const name = <Named>(named: Named[], { row, number }: CsvRow, as: Named) => {
    if (named.length >= SHOWN_PROBLEMS) return
    named.push(as)
    labels[number] = rowLabel(row, mapping)
  }
  const duplicates = openDuplicates(node.reading, { importId: found.id, mapping, now: found.createdAt, erased })
  const judge = async (batch: CsvRow[]) => {
    const judged: JudgedRow[] = await duplicates.judge(batch)
    for (const row of judged) {
      const { verdict, number, problem, lead } = row
      const { badCells = [], hasNewZero = false } = lead ?? {}
      counts[verdict] += 1
      if (verdict === 'in_file' || verdict === 'known') name(duplicateRows[verdict], row, number)
      if (problem !== undefined) name(problems, row, { row: number, problem })
      for (const told of [...badCells.map((cell) => bad[cell]), ...(hasNewZero ? [newZeros] : [])]) {
        const found = told[verdict === 'new' ? 'fresh' : 'duplicates']
        found.count += 1
        name(found.rows, row, number)
      }
    }
  }
  let batch: CsvRow[] = []
  for await (const row of csvRows(file.content, file, c.req.raw)) {
    if (row.line > 0) batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    await judge(batch)
    batch = []
  }
  await judge(batch)
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

/** Has workers add the rows, once however often it is asked for. */
const start = async (node: ApiNode, c: Context<ImportEnv>, id: string) => {
  const { mapping, addsDuplicates } = await readBody(c, importStartForm)
  const found = await find(node, id)
  const event = leadImportRequested({ by: c.get('staff').id, rows: found.total, mapping, addsDuplicates })
  await handle(node.log, {
    read: () => ({ stream: leadImportStreams.of(found.id), version: 'any' as const }),
    decide: () => ({ id: deterministicUuid('import requested', found.id), ...event }),
    isOnce: true,
  })
  const events = await readStream(node.sql, leadImportStreams.of(found.id))
  const asked = events.find(({ type }) => type === 'LeadImportRequested')
  if (asked?.type === 'LeadImportRequested') await beginImport(node.sql, found.id, asked.data)
  return await find(node, found.id)
}

/** The person who imported may take it back for a day, and owners always. */
const mayUndo = (c: Context<ImportEnv>, { staffId, state, createdAt }: LeadImport) => {
  const me = c.get('staff')
  const isRecent = differenceInHours(new Date(), createdAt) < UNDO_HOURS
  return ['running', 'done', 'failed'].includes(state) && (me.role === 'owner' || (me.id === staffId && isRecent))
}

const undo = async (node: ApiNode, c: Context<ImportEnv>, id: string) => {
  const found = await find(node, id)
  if (found.state === 'undoing' || found.state === 'undone') return found
  if (found.state === 'uploaded') throw new RequestError('conflict', 'This file has not been imported')
  if (!mayUndo(c, found)) throw new RequestError('not_allowed', UNDO_REFUSED)
  const { id: besides, role } = c.get('staff')
  if (role !== 'owner' && (await isWorkedOn(node.sql, { importId: found.id, total: found.total, besides })))
    throw new RequestError('not_allowed', 'Colleagues have worked on these leads: ask an owner to undo the import')
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
  c: Context<ImportEnv>,
  { staffId, createdAt, mapping: _, addsDuplicates: __, ...rest }: LeadImport,
  names: ReadonlyMap<string, string>,
): Sent<typeof wire.leadImport> => ({
  ...rest,
  by: names.get(staffId) ?? null,
  createdAt: createdAt.toISOString(),
  mayUndo: mayUndo(c, { staffId, createdAt, mapping: _, addsDuplicates: __, ...rest }),
})

/** `/api/imports`: staff add the leads of a CSV file, see how far that is, and take the whole import back. */
export const importRoutes = (node: ApiNode) => {
  const answer = async (c: Context<ImportEnv>, found: LeadImport, status: 200 | 202) =>
    c.json(sent(c, found, await staffNames(node.sql)), status)
  return new Hono<ImportEnv>()
    .use(requireStaff(node))
    .post('/', async (c) => c.json((await receive(node, c)) satisfies Sent<typeof wire.importPreview>, 201))
    .get('/', async (c) => {
      const names = await staffNames(node.sql)
      const found = await listImports(node.sql, SHOWN_IMPORTS)
      return c.json(found.map((each) => sent(c, each, names)) satisfies Sent<typeof wire.leadImports>)
    })
    .get('/:id', async (c) => answer(c, await find(node, c.req.param('id')), 200))
    .get('/:id/leads', async (c) => answerImported(node, c, await find(node, c.req.param('id'))))
    .get('/:id/left-out', async (c) => answerLeftOut(node, c, await find(node, c.req.param('id'))))
    .get('/:id/incomplete', async (c) => answerIncomplete(node, c, await find(node, c.req.param('id'))))
    .get('/:id/left-out.csv', async (c) => {
      const file = await withWholeFile(node, c, async () =>
        leftOutFile(node, await find(node, c.req.param('id')), c.req.raw),
      )
      return c.body(file, 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="rows-left-out.csv"',
      })
    })
    .get('/:id/work', async (c) => c.json(await work(node, c.req.param('id'))))
    .post('/:id/check', async (c) =>
      c.json(await withWholeFile(node, c, () => lookThrough(node, c, c.req.param('id')))),
    )
    .post('/:id/start', async (c) => answer(c, await start(node, c, c.req.param('id')), 202))
    .post('/:id/undo', async (c) => answer(c, await undo(node, c, c.req.param('id')), 202))
}
