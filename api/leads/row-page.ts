import type { Context } from 'hono'
import * as v from 'valibot'
import { MAX_IMPORT_ROWS } from '../../events/lead/import/import.ts'
import type { RowRange } from '../../events/lead/store/imports.ts'
import { A_CURSOR, pageOf } from '../http/next-link.ts'
import { wholeNumber } from '../http/whole-number.ts'
import type { ApiNode } from '../node/node.ts'

const PAGE_ROWS = 50

/** The parameters of the lists of rows of an import. */
export const rowQuery = v.object({
  limit: v.optional(wholeNumber(1, PAGE_ROWS), String(PAGE_ROWS)),
  cursor: v.optional(wholeNumber(0, MAX_IMPORT_ROWS, A_CURSOR), '0'),
})

/** A page of the rows of an import, each with its line, with the link to the next one. */
export const readRowPage = async <Row extends { line: number }>(
  node: ApiNode,
  c: Context,
  { limit, cursor }: v.InferOutput<typeof rowQuery>,
  read: (range: RowRange) => Promise<Row[]>,
): Promise<Row[]> => {
  const found = await read({ after: cursor, limit: limit + 1 })
  return pageOf(c, node.config, { found, limit }, ({ line }) => String(line))
}
