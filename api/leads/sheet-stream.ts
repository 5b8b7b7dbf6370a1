import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type Excel from 'exceljs'

/** The content of a cell; undefined leaves it empty. A number may be a date: days since 30 December 1899. */
export type CellValue = string | number | undefined

/** Excel reports a file with a longer cell as damaged. */
const MAX_CELL_CHARACTERS = 32_767

/** Characters that XML 1.0 does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const inXml = (text: string) =>
  text
    .slice(0, MAX_CELL_CHARACTERS)
    .toWellFormed()
    .replace(NOT_IN_XML, '\u{FFFD}')
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character)

/** The letters of a column, from 0 to 25. */
const letterOf = (column: number) => String.fromCharCode(65 + column)

const cellXml = (value: CellValue, address: string, style: string) => {
  if (value === undefined || value === '') return ''
  if (typeof value === 'number') return `<c r="${address}"${style}><v>${value}</v></c>`
  return `<c r="${address}"${style} t="inlineStr"><is><t xml:space="preserve">${inXml(value)}</t></is></c>`
}

type Inner = {
  stream: { write: (xml: string) => void; pipes: Writable[] }
  workbook: { styles: { addStyleModel: (style: Partial<Excel.Style>) => number } }
}

/**
 * Writes rows into a sheet of exceljs's streaming writer, after the row that it has begun with. They go directly into
 * its stream: its own rows, with one object per cell, take three times as long, and it continues to write when the
 * reader is slow. The stream and the styles are internal; the package is pinned. `styles` are those of the columns.
 */
export const openRows = (sheet: Excel.Worksheet, styles: (Partial<Excel.Style> | undefined)[]) => {
  const { stream, workbook } = sheet as unknown as Inner
  const [queue] = stream.pipes
  if (!queue) throw new Error('exceljs has no stream of the sheet: has its version changed?')
  const attributes = styles.map((style) => (style ? ` s="${workbook.styles.addStyleModel(style)}"` : ''))
  let row = 1

  const rowXml = (values: CellValue[]) => {
    row += 1
    let xml = `<row r="${row}">`
    for (const [index, value] of values.entries()) xml += cellXml(value, letterOf(index) + row, attributes[index] ?? '')
    return `${xml}</row>`
  }

  return {
    /** Writes rows, and waits until there is room for more. */
    write: async (rows: CellValue[][]): Promise<void> => {
      let xml = ''
      for (const values of rows) xml += rowXml(values)
      stream.write(xml)
      if (queue.writableNeedDrain) await once(queue, 'drain')
    },
  }
}
