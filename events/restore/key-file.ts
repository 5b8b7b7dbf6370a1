import * as v from 'valibot'
import { type KeyRing, unwrap } from '../keys/key-ring.ts'
import { assertLines, type FileFormat, readLines, writeLines } from '../process/line-file.ts'
import { inTransaction } from '../stores/connection.ts'
import type { Database, Pool } from '../stores/postgres/pool.ts'
import { destroyErasedKeys } from './replayed-erasures.ts'

/** The format of exported keys. */
const KEY_FILE: FileFormat = { format: 'agency-keys', version: 1 }

const BATCH_KEYS = 1_000
const NIL_UUID = '00000000-0000-0000-0000-000000000000'

const base64 = v.pipe(v.string(), v.base64())

/** One line: a data key as it is stored, wrapped, or the tombstone of a destroyed key. */
const keyLine = v.variant('destroyedAt', [
  v.object({ subjectId: v.pipe(v.string(), v.uuid()), wrapped: base64, ringKey: v.string(), destroyedAt: v.null() }),
  v.object({
    subjectId: v.pipe(v.string(), v.uuid()),
    wrapped: v.null(),
    ringKey: v.null(),
    destroyedAt: v.pipe(v.string(), v.isoTimestamp()),
  }),
])

type KeyLine = v.InferOutput<typeof keyLine>

type KeyRow = { subjectId: string; wrapped: Buffer | null; ringKey: string | null; destroyedAt: Date | null }

const lineOf = ({ subjectId, wrapped, ringKey, destroyedAt }: KeyRow) =>
  JSON.stringify({
    subjectId,
    wrapped: wrapped?.toString('base64') ?? null,
    ringKey,
    destroyedAt: destroyedAt?.toISOString() ?? null,
  })

/** Writes all data keys, still wrapped, and the tombstones to a file of JSON lines. Returns their number. */
export const exportKeys = async (
  store: Database,
  path: string | undefined,
  { onProgress = () => {} }: { onProgress?: (count: number) => void } = {},
): Promise<number> => {
  const { count } = await writeLines(path, KEY_FILE, async (write) => {
    let last = NIL_UUID
    for (let written = 0; ; ) {
      const rows = await store<KeyRow[]>`
        select subject_id as "subjectId", wrapped, ring_key as "ringKey", destroyed_at as "destroyedAt"
        from subject_keys where subject_id > ${last} order by subject_id limit ${BATCH_KEYS}`
      for (const row of rows) await write(lineOf(row))
      written += rows.length
      onProgress(written)
      if (rows.length < BATCH_KEYS) return undefined
      last = rows.at(-1)?.subjectId ?? last
    }
  })
  return count
}

const storeKeys = async (tx: Database, ring: KeyRing, lines: KeyLine[]) => {
  const rows = lines.flatMap(({ subjectId, wrapped, ringKey }) => {
    if (wrapped === null) return []
    const stored = { wrapped: Buffer.from(wrapped, 'base64'), ringKey }
    unwrap(ring, subjectId, stored)
    return [{ subject_id: subjectId, wrapped: stored.wrapped, ring_key: ringKey }]
  })
  if (rows.length === 0) return
  const ids = [...new Set(rows.map((row) => row.ring_key))]
  await tx`insert into ring_keys (id) select unnest(${ids}::text[]) on conflict do nothing`
  await tx`insert into subject_keys ${tx(rows)} on conflict do nothing`
}

/**
 * Stores the keys of a file that `exportKeys` wrote, in one transaction. An existing key stays as it is; a key that was
 * destroyed, here or in the file, is destroyed. Returns the number of lines.
 *
 * @throws a KeyError if DATA_KEY does not open one of them, a FileError if the file is damaged: nothing is stored.
 */
export const importKeys = (
  store: Pool,
  path: string,
  { ring, onProgress = () => {} }: { ring: KeyRing; onProgress?: (count: number) => void },
): Promise<number> =>
  inTransaction(store, async (tx) => {
    let lines: KeyLine[] = []
    let stored = 0
    const flush = async () => {
      await storeKeys(tx, ring, lines)
      await destroyErasedKeys(
        tx,
        lines.flatMap(({ subjectId, destroyedAt }) =>
          destroyedAt === null ? [] : [{ subjectId, erasedAt: destroyedAt }],
        ),
      )
      stored += lines.length
      lines = []
      onProgress(stored)
    }
    const end = await readLines(path, KEY_FILE, keyLine, async ({ item }) => {
      lines.push(item)
      if (lines.length === BATCH_KEYS) await flush()
    })
    await flush()
    assertLines(path, end)
    return end.count
  })
