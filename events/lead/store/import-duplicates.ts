import { emailKey } from '../../base/address.ts'
import { phoneKeys } from '../../base/phone.ts'
import { deterministicUuid } from '../../log/event-id.ts'
import { openYielding } from '../../log/yielding.ts'
import { schemaOf } from '../../projections/projection.ts'
import type { Sql } from '../../stores/connection.ts'
import type { ImportMapping, LeftOutReason } from '../import/import.ts'
import type { ImportedLead, ImportedRow } from '../import/imported-row.ts'
import { leadStreams } from '../lead.ts'
import { mergeStreams } from '../person/merge.ts'
import { personKeys } from '../person/person.ts'
import { leadAnswerStreams } from '../reply/answer.ts'
import { leadContactStreams } from '../reply/contact.ts'
import type { CsvRow } from './csv.ts'
import { leadsProjection } from './view.ts'

/** The id of the lead that a row becomes: `line` counts rows from 1, the header apart. */
export const importedLeadId = (importId: string, line: number): string =>
  deterministicUuid('imported lead', importId, String(line))

/**
 * The verdict on a row of a file: `refused` if it reaches no one, `in_file` if an earlier row has the same address or
 * number, `known` if a lead has, `erased` if its person was erased since the file was uploaded.
 */
export type RowVerdict = 'new' | 'in_file' | 'known' | 'erased' | 'refused'

/**
 * A row with its verdict; `problem` says why it is refused, and `reason` is the code of that, `erasedBy` is the owner
 * who had its person erased, `lead` the lead it becomes.
 */
export type CheckedRow = CsvRow & {
  verdict: RowVerdict
  problem?: string
  reason?: LeftOutReason
  erasedBy?: string
  lead?: ImportedLead
}

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

/**
 * Judges the rows of a file, batch after batch from its first row on: it remembers the addresses and numbers of all
 * earlier rows. Leads that an earlier try of the same import has added do not count as known. `erased` are the people
 * to leave out, and who had them erased.
 */
export const openDuplicates = (
  sql: Sql,
  {
    importId,
    mapping,
    now,
    erased,
  }: { importId: string; mapping: ImportMapping; now: Date; erased: ReadonlyMap<string, string> },
) => {
  const seen = new Set<string>()
  const letOthers = openYielding()
  return {
    check: async (batch: readonly CsvRow[]): Promise<CheckedRow[]> => {
      // on demand: Node reads the large manifest of date-fns for each of its modules, a tenth of a second at every start
      const { readImportedRow } = await import('../import/imported-row.ts')
      const read: { place: CsvRow; read: ImportedRow }[] = []
      for (const place of batch) {
        read.push({ place, read: readImportedRow(place.row, mapping, now) })
        await letOthers()
      }
      const people = read.flatMap(({ read: each }) => (each.problem === undefined ? [each.person] : []))
      const known = await knownKeys(
        sql,
        people.flatMap(({ email }) => emailKey(email) ?? []),
        people.flatMap(({ phone }) => phoneKeys(phone)),
        batch.map(({ line }) => importedLeadId(importId, line)),
      )
      return read.map(({ place, read: each }) => {
        if (each.problem !== undefined)
          return { ...place, verdict: 'refused', problem: each.problem, reason: each.reason }
        const keys = personKeys(each.person)
        const erasedBy = keys.map((key) => erased.get(key)).find((by) => by !== undefined)
        if (erasedBy !== undefined) return { ...place, verdict: 'erased', erasedBy }
        const isInFile = keys.some((key) => seen.has(key))
        for (const key of keys) seen.add(key)
        const verdict = isInFile ? 'in_file' : keys.some((key) => known.has(key)) ? 'known' : 'new'
        return { ...place, verdict, lead: each }
      })
    },
  }
}

const lines = (total: number) => Array.from({ length: total }, (_, index) => index + 1)

/**
 * Whether anyone but `except` has worked on one of the leads that an import has added, replied to one, or merged one
 * into another.
 */
export const isWorkedOn = async (
  sql: Sql,
  { importId, total, except }: { importId: string; total: number; except: string },
): Promise<boolean> => {
  const ids = lines(total).map((line) => importedLeadId(importId, line))
  const streams = ids.flatMap((id) =>
    [leadStreams, leadAnswerStreams, mergeStreams, leadContactStreams].map((kind) => kind.of(id)),
  )
  const found = await sql`
    select from unnest(${streams}::text[]) as s (stream)
    cross join lateral (
      select from events e
      where e.stream = s.stream and (e.version > 1 or e.type <> 'LeadSubmitted')
        and e.data ->> 'by' <> ${except} offset 0
    ) later limit 1`
  return found.length > 0
}

/** How many of an import's leads staff have worked on, and how many in which way. */
export type ImportWork = { leads: number; changed: number; noted: number; answered: number; merged: number }

/**
 * Counts staff's work since then on the leads that an import has added, except replies and calls that they withdrew and
 * erased data. A status or owner that was undone with them counts as changed: a staff member had set it.
 */
export const countImportWork = async (
  sql: Sql,
  { importId, total }: { importId: string; total: number },
): Promise<ImportWork> => {
  const ids = lines(total).map((line) => importedLeadId(importId, line))
  const [row] = await sql<ImportWork[]>`
    select count(*)::integer as leads, count(*) filter (where changed)::integer as changed,
      count(*) filter (where noted)::integer as noted, count(*) filter (where answered)::integer as answered,
      count(*) filter (where merged)::integer as merged
    from (
      select bool_or(type in ('LeadFollowUpChanged', 'LeadAnswered', 'LeadCorrected', 'LeadFlagged')) as changed, bool_or(type in ('LeadNoteAdded', 'LeadCallUnanswered')) as noted,
        bool_or(type in ('LeadEmailWritten', 'LeadContacted')) as answered, bool_or(type = 'LeadsMerged') as merged
      from unnest(
        ${ids.map(leadStreams.of)}::text[], ${ids.map(leadAnswerStreams.of)}::text[], ${ids.map(mergeStreams.of)}::text[],
        ${ids.map(leadContactStreams.of)}::text[]
      ) as s (lead, answers, merges, contacts)
      cross join lateral (
        select type from events where stream = s.lead and version > 1
        union all
        select type from events noted where stream in (s.answers, s.contacts) and not exists (
          select from events removed
          where removed.stream = s.contacts and removed.type = 'LeadContactRemoved'
            and removed.data ->> 'contactId' = noted.id::text
          union all
          select from events withdrawn
          where noted.type = 'LeadContacted' and withdrawn.stream = s.lead and withdrawn.type = 'LeadAnswerWithdrawn'
            and withdrawn.data ->> 'answerId' = noted.id::text
        )
        union all
        (select type from events where stream = s.merges order by version desc limit 1)
        offset 0
      ) later
      group by s.lead
      having bool_or(type in ('LeadFollowUpChanged', 'LeadAnswered', 'LeadCorrected', 'LeadFlagged', 'LeadNoteAdded', 'LeadEmailWritten', 'LeadContacted',
          'LeadCallUnanswered', 'LeadsMerged'))
        and not bool_or(type = 'LeadErased')
    ) worked`
  return row ?? { leads: 0, changed: 0, noted: 0, answered: 0, merged: 0 }
}

/** Whether staff have merged other leads into one that an import has added: to withdraw that one would hide them. */
export const holdsMerged = async (
  sql: Sql,
  { importId, total }: { importId: string; total: number },
): Promise<boolean> => {
  const ids = lines(total).map((line) => importedLeadId(importId, line))
  const found = await sql`
    select from unnest(${ids}::uuid[]) as i (id)
    cross join lateral (
      select from ${sql(schemaOf(leadsProjection))}.leads
      where merged_into = i.id and id <> all(${ids}::uuid[]) limit 1 offset 0
    ) merged limit 1`
  return found.length > 0
}
