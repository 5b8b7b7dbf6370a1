import type { Context } from 'hono'
import type { Lead } from '../../events/lead.ts'
import type { LeadImport } from '../../events/log/lead-imports.ts'
import { listImportedLeads } from '../../events/projections/imported-leads.ts'
import type { ApiNode } from '../node.ts'
import { readRowPage } from './row-page.ts'

/** Which leads an import has added, in the order of its file; none once it was undone. */
export const answerImported = async (node: ApiNode, c: Context, found: LeadImport) => {
  const page = await readRowPage(node, c, (range) => listImportedLeads(node.reading, found, range))
  return c.json(page.map(({ lead }) => lead) satisfies Lead[])
}
