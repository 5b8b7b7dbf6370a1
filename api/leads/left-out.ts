import { nameOf } from '../../events/base/name-of.ts'
import { readErasedInImport } from '../../events/erasure/import-erasures.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../events/lead/export/sheet.ts'
import { LEFT_OUT_NAMES, MAX_IMPORT_ROWS } from '../../events/lead/import/import.ts'
import { findPersonKeys } from '../../events/lead/person/person.ts'
import { csvRows } from '../../events/lead/store/csv.ts'
import { type LeadImport, readImportFile, readLeftOut } from '../../events/lead/store/imports.ts'
import { RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'

/**
 * The rows that an import has left out, as a CSV file with the number and the reason of each, to be corrected and
 * imported again. The file is built in memory. It contains no data of people who were erased.
 */
export const leftOutFile = async (node: ApiNode, found: LeadImport, { signal }: Request): Promise<string> => {
  const { cleaned } = await import('../../events/lead/import/imported-row.ts') // loaded on demand, as in the duplicates
  const { id } = found
  const file = found.hasLeftOutFile ? await readImportFile(node.sql, id) : undefined
  if (!file) throw new RequestError('not_found', 'The file of this import is no longer stored')
  const [leftOut, erased] = await Promise.all([
    readLeftOut(node.sql, id, { after: 0, limit: MAX_IMPORT_ROWS }),
    readErasedInImport(node.sql, id),
  ])
  const reasons = new Map(leftOut.map(({ line, noted }) => [line, noted]))
  const namesErased = findPersonKeys([...erased.keys()])
  const lines: string[] = []
  for await (const { row, line, number } of csvRows(file.content, file, { signal })) {
    const reason = line === 0 ? undefined : reasons.get(line)
    const cells = row.map(cleaned)
    if (line === 0) lines.push(csvLine(['Row', 'Left out because', ...cells]))
    else if (reason !== undefined && reason !== 'erased' && !cells.some(namesErased))
      lines.push(csvLine([String(number), nameOf(LEFT_OUT_NAMES, reason), ...cells]))
  }
  return BYTE_ORDER_MARK + lines.join('')
}
