import * as v from 'valibot'
import { oneOf, type Received } from '../../base/word.ts'
import { BAD_CELLS, LEFT_OUT_REASONS } from './import.ts'

/** The state of an import: `undoing` and `undone` after it was undone by staff, `failed` when it is no longer tried. */
export const IMPORT_STATES = ['uploaded', 'running', 'done', 'undoing', 'undone', 'failed'] as const

/**
 * An import of leads; the response of `GET /api/imports/:id`. `total` is how many rows its file has, `done` how many of
 * them are processed, in adding or in undoing. `mayUndo`: the caller may undo it.
 */
export const leadImport = v.object({
  id: v.string(),
  by: v.nullable(v.string()),
  state: oneOf(IMPORT_STATES),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  total: v.number(),
  done: v.number(),
  added: v.number(),
  skipped: v.number(),
  refused: v.number(),
  /** How many rows were left out, and whether they can be downloaded. */
  leftOut: v.number(),
  hasLeftOutFile: v.boolean(),
  /** How many leads came in without a cell that could not be used. */
  incomplete: v.number(),
  mayUndo: v.boolean(),
})

export type LeadImport = Received<typeof leadImport>

/** The response of `GET /api/imports`: the newest that were begun, newest first. */
export const leadImports = v.array(leadImport)

/**
 * The response of `POST /api/imports`: the contents of a file. `rows` are its first ones, `mapping` is a guess from
 * headers and rows.
 */
export const importPreview = v.object({
  id: v.string(),
  encoding: v.string(),
  delimiter: v.string(),
  columns: v.array(v.string()),
  rows: v.array(v.array(v.string())),
  /** The numbers of those rows as a spreadsheet shows them. */
  rowNumbers: v.array(v.number()),
  total: v.number(),
  mapping: v.record(v.string(), v.number()),
})

export type ImportPreview = Received<typeof importPreview>

/** The number of rows of a kind, and the first of them. */
const countedRows = v.object({ count: v.number(), rows: v.array(v.number()) })

const badRows = v.object({ fresh: countedRows, duplicates: countedRows })

/**
 * The response of `POST /api/imports/:id/check`: the verdicts on the rows, and why the first of the refused ones are
 * refused.
 */
export const importCheck = v.object({
  fresh: v.number(),
  inFile: v.number(),
  known: v.number(),
  erased: v.number(),
  refused: v.number(),
  /** The first of those duplicates. */
  inFileRows: v.array(v.number()),
  knownRows: v.array(v.number()),
  problems: v.array(v.object({ row: v.number(), problem: v.string() })),
  /** Rows that come in without an address, number, date or time which is none. */
  badEmails: badRows,
  badPhones: badRows,
  badDates: badRows,
  badTimes: badRows,
  /** Rows whose number gets back its missing leading 0. */
  newZeros: badRows,
  /** A label that identifies each row named above, by its number. */
  labels: v.record(v.string(), v.string()),
})

export type ImportCheck = Received<typeof importCheck>

/**
 * The response of `GET /api/imports/:id/work`: how many of its leads staff have worked on since, and on how many of
 * them they changed something, wrote a note or replied, or which they merged into another lead. An undo removes all of
 * it.
 */
export const importWork = v.object({
  leads: v.number(),
  changed: v.number(),
  noted: v.number(),
  answered: v.number(),
  merged: v.number(),
})

export type ImportWork = Received<typeof importWork>

/**
 * The response of `GET /api/imports/:id/left-out`: rows of the file, its header being row 1, and why each was left out.
 */
export const leftOutRows = v.array(v.object({ row: v.number(), reason: oneOf(LEFT_OUT_REASONS) }))

/**
 * The response of `GET /api/imports/:id/incomplete`: rows of the file, the cells each was added without, and its lead.
 */
export const incompleteRows = v.array(
  v.object({ row: v.number(), cells: v.array(oneOf(BAD_CELLS)), leadId: v.string() }),
)
