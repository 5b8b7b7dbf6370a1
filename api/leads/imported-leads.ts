import type { Lead } from '../../events/lead/lead.ts'
import { importedLeadId } from '../../events/lead/store/import-duplicates.ts'
import type { RowRange } from '../../events/lead/store/imports.ts'
import { listedColumns, listedLead } from '../../events/lead/store/listed-lead.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import type { Sql } from '../../events/stores/connection.ts'

/** The maximum number of lines of a file per lookup. */
const MAX_BATCH_LINES = 1_000

/** A lead with its line in the file, counted from 1 after the header. */
export type ImportedLead = { line: number; lead: Lead }

/** The lines, of those given, that have become leads which still exist, in their order. */
const findLines = async (sql: Sql, importId: string, lines: readonly number[]) => {
  const places = lines.map((line) => ({ line, id: importedLeadId(importId, line) }))
  // all in one condition: a plan that Postgres cached while there were few leads reads them once, not once per line
  const rows = await sql<{ id: string }[]>`
    select id from ${sql(schemaOf(leadsProjection))}.leads where id = any(${places.map(({ id }) => id)}::uuid[])`
  const found = new Set(rows.map(({ id }) => id))
  return places.filter(({ id }) => found.has(id))
}

/**
 * The leads that the lines of an import's file have become, in the order of the file, as the view has them now;
 * flagged, merged and erased ones too. `total` is the number of lines in the file.
 */
export const listImportedLeads = async (
  sql: Sql,
  { id, total }: { id: string; total: number },
  { after, limit }: RowRange,
): Promise<ImportedLead[]> => {
  const places: { line: number; id: string }[] = []
  // most lines have become leads, or hardly any have: each batch is twice as long as the one before
  let size = limit
  for (let begin = after; begin < total && places.length < limit; ) {
    const count = Math.min(size, total - begin)
    const lines = Array.from({ length: count }, (_, index) => begin + index + 1)
    places.push(...(await findLines(sql, id, lines)).slice(0, limit - places.length))
    begin += count
    size = Math.min(2 * size, MAX_BATCH_LINES)
  }
  if (places.length === 0) return []
  const rows = await sql<{ id: string; lead: Lead; hasMerged: boolean }[]>`
    select id, ${listedColumns(sql)} from ${sql(schemaOf(leadsProjection))}.leads
    where id = any(${places.map((place) => place.id)}::uuid[])`
  const leads = new Map(rows.map((row) => [row.id, listedLead(row)]))
  return places.flatMap(({ line, id: leadId }) => {
    const lead = leads.get(leadId)
    return lead ? [{ line, lead }] : []
  })
}
