import { leadStreams } from '../lead.ts'
import { type ImportMapping, readImportedRow } from '../lead-import.ts'
import type { Sql } from '../log/connection.ts'
import { idFromKey } from '../log/event-id.ts'
import { emailKey, phoneKey } from '../person.ts'
import { leadsProjection } from './leads.ts'
import { schemaOf } from './projection.ts'

/** The id of the lead that a row becomes: `line` counts rows from 1, the header apart. */
export const importedLeadId = (importId: string, line: number): string =>
  idFromKey('imported lead', importId, String(line))

/**
 * What a row of a file is: `refused` where nobody can be reached by it, `in_file` where a row before it has the same address
 * or number, `known` where a lead has.
 */
export type RowVerdict = 'new' | 'in_file' | 'known' | 'refused'

type Numbered = { row: string[]; line: number }

/** A row with what it is; `problem` says why it is refused. */
export type JudgedRow = Numbered & { verdict: RowVerdict; problem?: string }

/** Looked up key by key, as the leads of a person are. */
const knownKeys = async (sql: Sql, emails: string[], phones: string[], own: string[]): Promise<Set<string>> => {
  const leads = sql`${sql(schemaOf(leadsProjection))}.leads`
  const rows = await sql<{ key: string }[]>`
    select key from unnest(${emails}::text[]) key
    where exists (select from ${leads} where email_key = key and id <> all(${own}::uuid[]) offset 0)
    union
    select key from unnest(${phones}::text[]) key
    where exists (select from ${leads} where phone_key = key and id <> all(${own}::uuid[]) offset 0)`
  return new Set(rows.map(({ key }) => key))
}

const keysOf = ({ email, phone }: { email: string; phone: string }) =>
  [emailKey(email), phoneKey(phone)].filter((key) => key !== null)

/**
 * Judges the rows of a file, batch after batch from its first row on: it remembers the addresses and numbers of all before.
 * Leads that an earlier try of the same import has added are not known ones.
 */
export const openDuplicates = (
  sql: Sql,
  { importId, mapping, now }: { importId: string; mapping: ImportMapping; now: Date },
) => {
  const seen = new Set<string>()
  return {
    judge: async (batch: readonly Numbered[]): Promise<JudgedRow[]> => {
      const read = batch.map((numbered) => ({ ...numbered, read: readImportedRow(numbered.row, mapping, now) }))
      const people = read.flatMap(({ read: each }) => (each.problem === undefined ? [each.person] : []))
      const known = await knownKeys(
        sql,
        people.flatMap(({ email }) => emailKey(email) ?? []),
        people.flatMap(({ phone }) => phoneKey(phone) ?? []),
        batch.map(({ line }) => importedLeadId(importId, line)),
      )
      return read.map(({ row, line, read: each }) => {
        if (each.problem !== undefined) return { row, line, verdict: 'refused', problem: each.problem }
        const keys = keysOf(each.person)
        const isInFile = keys.some((key) => seen.has(key))
        for (const key of keys) seen.add(key)
        const verdict = isInFile ? 'in_file' : keys.some((key) => known.has(key)) ? 'known' : 'new'
        return { row, line, verdict }
      })
    },
  }
}

/** Whether anybody but `besides` has worked on one of the leads that an import has added. */
export const isWorkedOn = async (
  sql: Sql,
  { importId, total, besides }: { importId: string; total: number; besides: string },
): Promise<boolean> => {
  const streams = Array.from({ length: total }, (_, index) => leadStreams.of(importedLeadId(importId, index + 1)))
  const found = await sql`
    select from unnest(${streams}::text[]) as s (stream)
    cross join lateral (
      select from events e where e.stream = s.stream and e.version > 1 and e.data ->> 'by' <> ${besides} offset 0
    ) later limit 1`
  return found.length > 0
}
