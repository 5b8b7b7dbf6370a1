import * as v from 'valibot'
import type { SubjectKeys } from '../keys/subject-keys.ts'
import { assertLines, type FileFormat, readLines, writeLines } from '../process/line-file.ts'
import type { Database } from '../stores/postgres/pool.ts'
import { type ErasedSubject, readErased } from './erased-subjects.ts'

/** The format of the erasure ledger. */
const LEDGER_FILE: FileFormat = { format: 'agency-erasures', version: 1 }

/** One line: the id of an erased subject and the time, nothing else. */
const erasureLine = v.strictObject({
  subjectId: v.pipe(v.string(), v.uuid()),
  erasedAt: v.pipe(v.string(), v.isoTimestamp()),
})

/** The stores that hold tombstones: the log's database, and the separate database of keys if there is one. */
export const keyStores = (sql: Database, apart: SubjectKeys['apart']): Database[] => (apart ? [sql, apart] : [sql])

/** Returns all erased subjects, by the tombstones of all stores; the earliest time counts. */
export const allErased = async (stores: Database[]): Promise<ErasedSubject[]> => {
  const erased = new Map<string, ErasedSubject>()
  for (const subject of (await Promise.all(stores.map(readErased))).flat()) {
    const known = erased.get(subject.subjectId)
    if (!known || subject.erasedAt < known.erasedAt) erased.set(subject.subjectId, subject)
  }
  return [...erased.values()]
}

/** Writes the erasure ledger: the id of each erased subject and the time. Returns their number. */
export const exportLedger = async (stores: Database[], path: string | undefined): Promise<number> => {
  const erased = await allErased(stores)
  const { count } = await writeLines(path, LEDGER_FILE, async (write) => {
    for (const line of erased) await write(JSON.stringify(line))
    return undefined
  })
  return count
}

/** Reads a ledger. Throws a FileError if it is damaged or cut off. */
export const readLedger = async (path: string): Promise<ErasedSubject[]> => {
  const erased: ErasedSubject[] = []
  const end = await readLines(path, LEDGER_FILE, erasureLine, ({ item }) => {
    erased.push(item)
  })
  assertLines(path, end)
  return erased
}
