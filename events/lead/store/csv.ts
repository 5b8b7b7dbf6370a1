import { pipeline, Readable } from 'node:stream'
import { CsvError, type Parser, parse } from 'csv-parse'
import { inNumbers } from '../../base/amount.ts'
import { openYielding } from '../../log/yielding.ts'
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS } from '../import/import.ts'

/** A row with more characters is not a row of leads: a quote was never closed. */
const MAX_ROW_CHARACTERS = 200_000
/** Spreadsheets write rows that were only formatted, too: so many rows are read in all. */
const MAX_ROWS_WITH_EMPTY = 5 * MAX_IMPORT_ROWS
/** The bytes parsed at a time: a few milliseconds' work, even if each line is a row. */
const SLICE_BYTES = 4 * 1024
const SNIFFED_CHARACTERS = 20_000
const SNIFFED_LINES = 20
/** The header is among so many rows with text. */
const HEAD_ROWS = 10

/** How a file is written. */
export type CsvKind = { encoding: string; delimiter: string }

/** A file that cannot be read as CSV. The message is a sentence for its sender. */
export class CsvProblem extends Error {
  override name = 'CsvProblem'
}

const decoded = (content: Buffer, encoding: string, isFatal = false) => {
  const decoder = new TextDecoder(encoding, { fatal: isFatal })
  return decoder.decode(content)
}

/** UTF-8 with or without its mark, UTF-16 by its mark, otherwise the encoding of older spreadsheets. */
const encodingOf = (content: Buffer): string => {
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le'
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be'
  try {
    decoded(content, 'utf-8', true)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** The first line by which a file declares its separator to Excel. Spreadsheets do not show it. */
const SEPARATOR_LINE = /^"?sep=([^\w\s"]|\t)"?(?:\r\n?|\n)/i

/** The separator that most of the first lines have equally often, outside quotes. */
const delimiterOf = (text: string): string => {
  const [, declared] = SEPARATOR_LINE.exec(text) ?? []
  if (declared !== undefined) return declared
  const lines = text
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, SNIFFED_LINES)
  const found = [',', ';', '\t', '|'].flatMap((sign) => {
    const alike = Map.groupBy(lines, (line) => line.split(sign).length)
    return [...alike].flatMap(([cells, { length }]) => (cells > 1 ? [{ sign, cells, lines: length }] : []))
  })
  const [most] = found.toSorted((a, b) => b.lines - a.lines || b.cells - a.cells)
  return most?.sign ?? ','
}

/** The encoding and delimiter of a file. Throws a CsvProblem if it is not text. */
export const sniffCsv = (content: Buffer): CsvKind => {
  if (content.subarray(0, 2).toString('latin1') === 'PK') {
    throw new CsvProblem('This is a workbook or an archive. Save it as CSV, and choose that file.')
  }
  const encoding = encodingOf(content)
  const beginning = decoded(content.subarray(0, SNIFFED_CHARACTERS), encoding)
  if (beginning.includes('\0'))
    throw new CsvProblem('This is no text file. Save your leads as CSV, and choose that file.')
  return { encoding, delimiter: delimiterOf(beginning) }
}

async function* slices(content: Buffer, encoding: string, pause: () => Promise<void>) {
  const decoder = new TextDecoder(encoding)
  for (let from = 0; from < content.length; from += SLICE_BYTES) {
    const text = decoder.decode(content.subarray(from, from + SLICE_BYTES), { stream: true })
    yield from === 0 ? text.replace(SEPARATOR_LINE, '') : text
    await pause()
  }
  yield decoder.decode()
}

const tooManyColumns = () => new CsvProblem(`A file may have ${MAX_IMPORT_COLUMNS} columns.`)

const explained = (error: unknown) => {
  if (!(error instanceof CsvError)) return error
  const { lines, index = 0 } = error as CsvError & { lines?: number; index?: number }
  if (index >= MAX_IMPORT_COLUMNS) return tooManyColumns()
  const place = lines ? ` near line ${lines}` : ''
  const cause =
    error.code === 'CSV_MAX_RECORD_SIZE' ? 'A row is too long: is a quote missing' : 'The quotes do not match'
  return new CsvProblem(`${cause}${place}? Check the file there.`.replace(/(match[^?]*)\?/, '$1.'), { cause: error })
}

/**
 * A row of a CSV file. `line` counts those that have text, the header being 0; `number` is the row's as a spreadsheet shows
 * it, which counts empty ones and titles too, from 1.
 */
export type CsvRow = { row: string[]; line: number; number: number }

type NumberedRow = Omit<CsvRow, 'line'>

const hasOneCell = ({ row }: NumberedRow) => row.filter((cell) => cell !== '').length === 1

/** The rows without the titles above the header: a few rows with one cell each, if most of the others have more. */
const withoutTitles = (head: readonly NumberedRow[]) => {
  const titles = head.findIndex((row) => !hasOneCell(row))
  const others = head.slice(titles)
  const areTitles = titles > 0 && titles <= others.length && others.filter(hasOneCell).length * 2 < others.length
  return areTitles ? others : head
}

/** The rows that have text, including those above the header. Yields to other work; throws once `signal` is aborted. */
async function* rowsWithText(content: Buffer, { encoding, delimiter }: CsvKind, signal: AbortSignal | undefined) {
  const letOthers = openYielding()
  const pause = async () => {
    await letOthers()
    signal?.throwIfAborted()
  }
  let number = 0
  const parser: Parser = parse({
    bom: true,
    delimiter,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_CHARACTERS,
    // one more cell takes the rest of a row with its delimiters: `max_record_size` counts them too
    ignore_last_delimiters: MAX_IMPORT_COLUMNS + 1,
    on_record: (row: string[]) => {
      // else each row that is longer or shorter than the first one costs an Error, and so most of the time
      Object.assign(parser.info, { records: 0 })
      number += 1
      if (number > MAX_ROWS_WITH_EMPTY)
        throw new CsvProblem(
          `A file may have ${inNumbers(MAX_ROWS_WITH_EMPTY)} rows with its empty ones. Delete those.`,
        )
      if (row.length > MAX_IMPORT_COLUMNS) throw tooManyColumns()
      return row.every((cell) => cell.trim() === '') ? undefined : [String(number), ...row]
    },
  })
  // an error of either destroys the parser, and so ends the loop
  pipeline(Readable.from(slices(content, encoding, pause)), parser, () => {})
  try {
    for await (const [numbered, ...row] of parser as AsyncIterable<string[]>) {
      await pause()
      yield { row, number: Number(numbered) }
    }
  } catch (error) {
    throw explained(error)
  }
}

/**
 * The rows of a CSV file one by one, its header first. Cells are trimmed; rows without any text and titles above the
 * header are left out; a row may have fewer cells than the header, or more. Throws a CsvProblem if the file cannot be
 * read, or is too large.
 */
export async function* csvRows(
  content: Buffer,
  kind: CsvKind,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<CsvRow> {
  let line = 0
  let head: NumberedRow[] | undefined = []
  const lined = ({ row, number }: NumberedRow): CsvRow => {
    if (line > MAX_IMPORT_ROWS)
      throw new CsvProblem(`A file may have ${inNumbers(MAX_IMPORT_ROWS)} rows. Import it in parts.`)
    return { row, line: line++, number }
  }
  for await (const row of rowsWithText(content, kind, signal)) {
    if (head === undefined) {
      yield lined(row)
      continue
    }
    head.push(row)
    if (head.length < HEAD_ROWS) continue
    yield* withoutTitles(head).map(lined)
    head = undefined
  }
  yield* withoutTitles(head ?? []).map(lined)
}

/** Batches of the rows below the header, of `size` rows at most. */
export async function* csvBatches(
  content: Buffer,
  kind: CsvKind,
  size: number,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = []
  for await (const row of csvRows(content, kind, options)) {
    if (row.line > 0) batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
