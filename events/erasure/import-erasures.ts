import { KeyError } from '../keys/key-ring.ts'
import { seal, unseal } from '../keys/seal.ts'
import { contactsOver } from '../lead/follow-up-history.ts'
import { leadStreams } from '../lead/lead.ts'
import { personKeys } from '../lead/person/person.ts'
import { readImportKey } from '../lead/store/imports.ts'
import { type Queryable, readStreams } from '../log/read.ts'
import { inTransaction, type Sql } from '../stores/connection.ts'

/** The imports whose rows would still bring an erased person back, or show them. */
const holdsRows = (sql: Queryable) => sql`
  (state in ('uploaded', 'running') or (state = 'done' and content is not null))`

/** The events that hold a lead's address and number, original and corrected. */
const CONTACT_EVENTS = ['LeadSubmitted', 'LeadEntered', 'WebsiteInfoSubmitted', 'LeadCorrected'] as const

const sealedAs = (importId: string) => `erased in lead import ${importId}`

/**
 * Returns the comparison keys of the people of leads, current and before each correction; none for people already
 * erased.
 */
const keysOfLeads = async (sql: Sql, leadIds: readonly string[]): Promise<string[]> => {
  const events = await readStreams(sql, leadIds.map(leadStreams.of), { types: CONTACT_EVENTS })
  const histories = [...Map.groupBy(events, ({ stream }) => stream).values()]
  return [...new Set(histories.flatMap(contactsOver).flatMap(personKeys))]
}

/** If a file's key cannot be opened, the file is not imported either. */
const keyOf = async (sql: Sql, importId: string) => {
  try {
    return await readImportKey(sql, importId)
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}

/**
 * Notes in every stored import file that the people of some leads are about to be erased; otherwise its rows would
 * bring them back. Repeating it changes nothing. Call it before the leads are erased: it reads their addresses and
 * numbers.
 */
export const noteErasedInImports = async (
  sql: Sql,
  { leads, by }: { leads: readonly string[]; by: string },
): Promise<void> => {
  const open = await sql<{ id: string }[]>`select id from lead_imports where ${holdsRows(sql)}`
  if (open.length === 0 || leads.length === 0) return
  const people = await keysOfLeads(sql, leads)
  for (const { id } of open) {
    const key = await keyOf(sql, id)
    if (!key || people.length === 0) continue
    const rows = people.map((person) => ({ import_id: id, person: seal(key, sealedAs(id), person), erased_by: by }))
    await inTransaction(sql, async (tx) => {
      const still = await tx`select from lead_imports where id = ${id} and ${holdsRows(tx)} for update`
      if (still.length === 0) return
      const added = await tx`insert into lead_import_erasures ${tx(rows)} on conflict do nothing`
      if (added.count > 0) await tx`update lead_imports set erasures = erasures + 1 where id = ${id}`
    })
  }
}

/** Returns the people whom an import leaves out, by comparison key, with the owner who erased each. */
export const readErasedInImport = async (sql: Sql, importId: string): Promise<Map<string, string>> => {
  const rows = await sql<{ person: Buffer; by: string }[]>`
    select person, erased_by as by from lead_import_erasures where import_id = ${importId}`
  const key = rows.length > 0 ? await readImportKey(sql, importId) : undefined
  return new Map(key ? rows.map(({ person, by }) => [unseal(key, sealedAs(importId), person), by]) : [])
}
