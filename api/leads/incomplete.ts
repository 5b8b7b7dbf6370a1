import type { Context } from 'hono'
import { type LeadImport, readIncomplete } from '../../events/log/lead-imports.ts'
import { importedLeadId } from '../../events/projections/import-duplicates.ts'
import type { incompleteRows } from '../../events/wire/import.ts'
import type { Sent } from '../../events/wire/word.ts'
import type { ApiNode } from '../node.ts'
import { readRowPage } from './row-page.ts'

/** Which rows an import has added without a cell that could not be used, and the leads of them. */
export const answerIncomplete = async (node: ApiNode, c: Context, { id }: LeadImport) => {
  const page = await readRowPage(node, c, (range) => readIncomplete(node.sql, id, range))
  const rows = page.map(({ line, number, noted }) => ({ row: number, cells: noted, leadId: importedLeadId(id, line) }))
  return c.json(rows satisfies Sent<typeof incompleteRows>)
}
