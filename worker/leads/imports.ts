import { setTimeout as delay } from 'node:timers/promises'
import { readErasedInImport } from '../../events/erasure/import-erasures.ts'
import { LogError } from '../../events/keys/errors.ts'
import { enterLead } from '../../events/lead/entry.ts'
import {
  type IncompleteRow,
  type LeftOutRow,
  leadImportStreams,
  RUNNING_IMPORT_VERSION,
} from '../../events/lead/import/import.ts'
import { leadErased, leadStreams, leadWithdrawn } from '../../events/lead/lead.ts'
import { csvBatches } from '../../events/lead/store/csv.ts'
import { type CheckedRow, importedLeadId, openDuplicates } from '../../events/lead/store/import-duplicates.ts'
import {
  beginUndo,
  type ClaimedImport,
  claimImport,
  deferImport,
  endImport,
  type ImportCounts,
  type LeadImport,
  noteProgress,
  readImportFile,
  releaseImport,
} from '../../events/lead/store/imports.ts'
import { leadsPosition } from '../../events/lead/store/view.ts'
import type { Appender } from '../../events/log/append.ts'
import { deterministicUuid } from '../../events/log/event-id.ts'
import { readHead, readStream, readVersions } from '../../events/log/read.ts'
import { openYielding } from '../../events/log/yielding.ts'
import type { Sql } from '../../events/stores/connection.ts'

/** How many rows are stored, and noted as done, at a time. */
const BATCH_ROWS = 500
/** How long the leads view may need to reach the head of the log: less than a claim lasts. */
const VIEW_TIMEOUT_MS = 20_000
const LOOK_EVERY_MS = 50

/** The dependencies of importing. `signal` ends it between two batches: another worker continues. */
export type Importing = { sql: Sql; log: Pick<Appender, 'append'>; signal: AbortSignal }

/** Whether the import was undone during that time, or is not in the log: no more rows are added. */
const isUndone = (error: unknown) => error instanceof LogError && error.code === 'guard_failed'

/** A lead that a try which broke off has stored, or that was erased since, counts as added. */
const isThere = (error: unknown) =>
  error instanceof LogError && (error.code === 'event_id_reused' || error.code === 'erased')

const addRow = async ({ log }: Importing, { id: importId, staffId }: LeadImport, { lead, line }: CheckedRow) => {
  if (!lead) return
  const { person, followUpStatus, receivedAt } = lead
  const leadId = importedLeadId(importId, line)
  const event = enterLead(leadId, person, { followUpStatus, ...(receivedAt && { receivedAt }), by: staffId, importId })
  const guards = [{ stream: leadImportStreams.of(importId), version: RUNNING_IMPORT_VERSION }]
  const events = [{ id: deterministicUuid('submission', leadId), ...event }]
  await log.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', guards, events }).catch((error) => {
    if (!isThere(error)) throw error
  })
}

/** Adds rows concurrently, so that they are stored together; the worker's other work runs between them. */
const addAll = async (importing: Importing, found: LeadImport, rows: readonly CheckedRow[]) => {
  const letOthers = openYielding()
  const adding: Promise<void>[] = []
  for (const row of rows) {
    const added = addRow(importing, found, row)
    added.catch(() => {}) // thrown below, once all are begun
    adding.push(added)
    await letOthers()
  }
  await Promise.all(adding)
}

/** Waits until the view has all leads that the log holds now, also those of the import before this one. */
const awaitLeads = async ({ sql, signal }: Importing): Promise<boolean> => {
  const { position } = await readHead(sql)
  const until = performance.now() + VIEW_TIMEOUT_MS
  while ((await leadsPosition(sql)) < position) {
    if (signal.aborted || performance.now() > until) return false
    await delay(LOOK_EVERY_MS)
  }
  return true
}

/** Erases the leads of people who were erased during the import, which an earlier attempt has added. */
const eraseAdded = async ({ sql, log }: Importing, importId: string, rows: readonly CheckedRow[]) => {
  const erased = new Map(
    rows.flatMap(({ line, erasedBy }) => (erasedBy ? [[importedLeadId(importId, line), erasedBy]] : [])),
  )
  if (erased.size === 0) return
  const versions = await readVersions(sql, [...erased.keys()].map(leadStreams.of))
  for (const [leadId, by] of erased) {
    const stream = leadStreams.of(leadId)
    if ((versions.get(stream) ?? 0) === 0) continue
    const events = [{ id: deterministicUuid('lead erased', leadId), ...leadErased({ by }) }]
    await log.append({ stream, expectedVersion: 'any', events }).catch((error) => {
      if (!isThere(error)) throw error
    })
  }
}

const isWanted = ({ verdict }: CheckedRow, { addsDuplicates }: LeadImport) =>
  verdict === 'new' || (addsDuplicates && (verdict === 'known' || verdict === 'in_file'))

/** Why a row that is not wanted was left out. */
const leftOutOf = ({ line, number, verdict, reason = 'unusable' }: CheckedRow): LeftOutRow => [
  line,
  verdict === 'refused' || verdict === 'new' ? reason : verdict,
  number,
]

/** The row with its missing cells, if it is wanted and lacks any. */
const incompleteOf = ({ line, number, lead }: CheckedRow): IncompleteRow[] =>
  lead?.badCells ? [[line, lead.badCells, number]] : []

/**
 * Adds the remaining rows. Returns whether all are done; 'failed' if they cannot be, because the file's key is gone.
 */
const addRows = async (importing: Importing, found: ClaimedImport): Promise<boolean | 'failed'> => {
  const { sql, signal } = importing
  const file = await readImportFile(sql, found.id)
  if (!file || !found.mapping) return 'failed'
  if (!(await awaitLeads(importing))) return false
  const erased = await readErasedInImport(sql, found.id)
  const about = { importId: found.id, mapping: found.mapping, now: found.createdAt, erased }
  const duplicates = openDuplicates(sql, about)
  let counts: ImportCounts = found
  for await (const batch of csvBatches(file.content, file, BATCH_ROWS)) {
    const checked = await duplicates.check(batch)
    if (signal.aborted) return false
    await eraseAdded(importing, found.id, checked)
    if ((batch.at(-1)?.line ?? 0) <= found.done) continue
    const wanted = checked.filter((row) => isWanted(row, found))
    await addAll(importing, found, wanted)
    const refused = checked.filter(({ verdict }) => verdict === 'refused').length
    const next = {
      done: counts.done + batch.length,
      added: counts.added + wanted.length,
      skipped: counts.skipped + batch.length - wanted.length - refused,
      refused: counts.refused + refused,
    }
    const leftOut = checked.filter((row) => !isWanted(row, found)).map(leftOutOf)
    const incomplete = wanted.flatMap(incompleteOf)
    if (!(await noteProgress(sql, { ...found, done: counts.done }, next, { leftOut, incomplete }))) return false
    counts = next
  }
  return true
}

const withdraw = async ({ log }: Importing, { importId, by }: { importId: string; by: string }, leadId: string) => {
  const events = [
    { id: deterministicUuid('erased with import', leadId), ...leadErased({ by }) },
    { id: deterministicUuid('withdrawn with import', leadId), ...leadWithdrawn({ by, importId }) },
  ] as const
  await log.append({ stream: leadStreams.of(leadId), expectedVersion: 'any', events: [...events] })
}

/** Takes back the leads that the import has added. Returns whether all are. */
const undo = async (importing: Importing, found: ClaimedImport): Promise<boolean> => {
  const { sql, signal } = importing
  const events = await readStream(sql, leadImportStreams.of(found.id))
  const by = events.findLast(({ type }) => type === 'LeadImportUndone')?.data.by ?? found.staffId
  let { done } = found
  while (done < found.total) {
    if (signal.aborted) return false
    const lines = Array.from({ length: Math.min(BATCH_ROWS, found.total - done) }, (_, index) => done + index + 1)
    const ids = lines.map((line) => importedLeadId(found.id, line))
    const versions = await readVersions(sql, ids.map(leadStreams.of))
    const added = ids.filter((id) => (versions.get(leadStreams.of(id)) ?? 0) > 0)
    await Promise.all(added.map((id) => withdraw(importing, { importId: found.id, by }, id)))
    const next = { ...found, done: done + lines.length }
    if (!(await noteProgress(sql, { ...found, done }, next))) return false
    done = next.done
  }
  return true
}

/**
 * Follows the log if the import's stream is not as expected: an undo that was requested and not begun is begun; an
 * import that is missing from the log, which was set back to before it, has failed.
 */
const settle = async (sql: Sql, found: ClaimedImport, error: unknown) => {
  const events = await readStream(sql, leadImportStreams.of(found.id))
  if (events.some(({ type }) => type === 'LeadImportUndone')) {
    await beginUndo(sql, found.id)
    return await releaseImport(sql, found)
  }
  if (events.length === 0) {
    await endImport(sql, found, 'failed')
    return
  }
  throw error
}

/** Returns whether others may be begun: not if this one was given up. */
const carryOut = async (importing: Importing, found: ClaimedImport): Promise<boolean> => {
  const { sql } = importing
  const isUndoing = found.state === 'undoing'
  try {
    const isOver = await (isUndoing ? undo(importing, found) : addRows(importing, found))
    const isEnded =
      isOver && (await endImport(sql, found, isOver === 'failed' ? isOver : isUndoing ? 'undone' : 'done'))
    await releaseImport(sql, found)
    return isEnded
  } catch (error) {
    try {
      if (!isUndone(error)) throw error
      await settle(sql, found, error)
    } catch (failure) {
      await deferImport(sql, found)
      await releaseImport(sql, found)
      throw failure
    }
    return false
  }
}

/**
 * Adds the rows of imports that staff have begun, and undoes those that they have taken back, the oldest first, until
 * nothing is left. A worker that dies leaves its claim, which expires: the next one continues after the last recorded
 * rows. Each lead has the id of its row, so that no row is added twice.
 */
export const carryOutImports = async (importing: Importing): Promise<void> => {
  for (;;) {
    if (importing.signal.aborted) return
    const found = await claimImport(importing.sql)
    if (!found) return
    if (!(await carryOut(importing, found))) return
  }
}
