import { Readable } from 'node:stream'
import { CsvError, type Info, parse } from 'csv-parse'
import { inNumbers } from '../amount.ts'
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ROWS } from '../lead-import.ts'

/** A row with more characters is no row of leads: a quote was never closed. */
const MAX_ROW_CHARACTERS = 200_000
/** So much is decoded at a time, so that other work of the process goes on in between. */
const SLICE_BYTES = 64 * 1024
const SNIFFED_CHARACTERS = 20_000

/** How a file is written. */
export type CsvKind = { encoding: string; delimiter: string }

/** A file that cannot be read as CSV. The message is a sentence for the person who sent it. */
export class CsvProblem extends Error {
  override name = 'CsvProblem'
}

const decoded = (content: Buffer, encoding: string, isFatal = false) => {
  const decoder = new TextDecoder(encoding, { fatal: isFatal })
  return decoder.decode(content)
}

/** UTF-8 where it is, with or without its mark, UTF-16 by its mark, and what older spreadsheets write otherwise. */
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

/** The separator that the header has most of, outside quotes. */
const delimiterOf = (text: string): string => {
  const [header = ''] = text.replace(/"[^"]*"/g, '').split(/\r\n?|\n/)
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: header.split(sign).length }))
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).sign
}

/** How a file is written. Throws a CsvProblem for what is no text. */
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

function* slices(content: Buffer, encoding: string) {
  const decoder = new TextDecoder(encoding)
  for (let from = 0; from < content.length; from += SLICE_BYTES) {
    yield decoder.decode(content.subarray(from, from + SLICE_BYTES), { stream: true })
  }
  yield decoder.decode()
}

const explained = (error: unknown) => {
  if (!(error instanceof CsvError)) return error
  const { lines } = error as CsvError & { lines?: number }
  const where = lines ? ` near line ${lines}` : ''
  const cause =
    error.code === 'CSV_MAX_RECORD_SIZE' ? 'A row is too long: is a quote missing' : 'The quotes do not match'
  return new CsvProblem(`${cause}${where}? Check the file there.`.replace(/(match[^?]*)\?/, '$1.'), { cause: error })
}

/**
 * A row of a CSV file. `line` counts those that have text, the header being 0; `number` is the row's as a spreadsheet shows
 * it, which counts empty ones too, from 1.
 */
export type CsvRow = { row: string[]; line: number; number: number }

/**
 * The rows of a CSV file, its header first, one after the other. Cells are trimmed, rows without any text left out; a
 * row may have fewer cells than the header, or more. Throws a CsvProblem for what cannot be read, or is too large.
 */
export async function* csvRows(content: Buffer, { encoding, delimiter }: CsvKind): AsyncGenerator<CsvRow> {
  const parser = Readable.from(slices(content, encoding)).pipe(
    parse({
      bom: true,
      delimiter,
      trim: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: MAX_ROW_CHARACTERS,
    }),
  )
  let line = 0
  try {
    for await (const { record: row, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (row.every((cell) => cell.trim() === '')) continue
      if (row.length > MAX_IMPORT_COLUMNS) throw new CsvProblem(`A file may have ${MAX_IMPORT_COLUMNS} columns.`)
      if (line > MAX_IMPORT_ROWS)
        throw new CsvProblem(`A file may have ${inNumbers(MAX_IMPORT_ROWS)} rows. Import it in parts.`)
      yield { row, line, number: info.records + info.empty_lines }
      line += 1
    }
  } catch (error) {
    throw explained(error)
  }
}
