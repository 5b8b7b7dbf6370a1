import * as v from 'valibot'
import { errorCode } from '../base/error-code.ts'
import { catalogue, knownVersions, versionKey } from '../catalogue.ts'
import { CHAIN_START, type ChainHead, type StoredRow, storedColumns } from '../log/chain.ts'
import type { Queryable } from '../log/decode.ts'
import { readHead } from '../log/read.ts'
import { ChainError, type Progress, verifyNext } from '../log/verify.ts'
import { FileError, type FileFormat, readLines, writeLines } from '../process/line-file.ts'
import { inTransaction, type Sql, type Transaction } from '../stores/connection.ts'
import { bindLog } from './log-binding.ts'
import { closeLog } from './restore.ts'

/** The format of an exported log. Its version is raised whenever older code could not read a file. */
const LOG_FILE: FileFormat = { format: 'agency-log', version: 1 }

const BATCH_EVENTS = 500

/** The lock of append_events: no one appends to a log that is being filled. */
const HEAD_LOCK = 7_283_109

/** One line: an event's columns as they are stored; `personal` in base64, still encrypted, `hash` in hexadecimal. */
const eventLine = v.object({
  position: v.pipe(v.number(), v.integer()),
  type: v.string(),
  schemaVersion: v.number(),
  hash: v.string(),
})

/** JSON goes in as its stored text, since its hash covers that. No appended event has a line break in it. */
const lineOf = ({ data, metadata, personal, hash, ...row }: StoredRow): string => {
  if (/[\n\r]/.test(data + metadata))
    throw new ChainError(`Event ${row.position} was changed: its JSON has a line break`)
  const rest = JSON.stringify({ ...row, personal: personal?.toString('base64') ?? null, hash: hash.toString('hex') })
  return `${rest.slice(0, -1)},"data":${data},"metadata":${metadata}}`
}

/** A transaction that may take hours, and wait for readers of what it writes. */
const inLongTransaction = <T>(sql: Sql, isolation: string, work: (tx: Transaction) => Promise<T>) =>
  inTransaction(sql, async (tx) => {
    await tx.unsafe(`set transaction isolation level ${isolation}`)
    await tx`set local idle_in_transaction_session_timeout = 0`
    return await work(tx)
  })

/**
 * Writes all events, as they are stored, to a file of JSON lines, from one snapshot; the closing line has the head's
 * hash. Personal data stays encrypted, and the keys are not in it. Returns the head.
 */
export const exportLog = async (
  sql: Sql,
  path: string | undefined,
  { onProgress = () => {} }: { onProgress?: Progress } = {},
): Promise<ChainHead> => {
  const end = await inLongTransaction(sql, 'repeatable read, read only', async (tx) => {
    const { epoch, position: last } = await readHead(tx)
    let head = CHAIN_START
    await writeLines(path, { ...LOG_FILE, epoch }, async (write) => {
      while (head.position < last) {
        const rows = await tx<StoredRow[]>`
          select ${storedColumns(tx)} from public.events e
          where e.position > ${head.position} order by e.position limit ${BATCH_EVENTS}`
        if (rows.length === 0) break
        for (const row of rows) {
          await write(lineOf(row))
          head = row
        }
        onProgress({ position: head.position, head: last })
      }
      return { count: head.position, hash: head.hash.toString('hex') }
    })
    return head
  })
  await sql.durable.upTo(end.position)
  return end
}

const insertLines = (tx: Queryable, lines: string[]) => tx`
  insert into events (
    position, id, stream, version, type, schema_version, data, subject_id, personal, metadata, recorded_at, hash
  )
  select position, id, stream, version, type, "schemaVersion", data, "subjectId", decode(personal, 'base64'), metadata,
    timestamptz 'epoch' + "recordedAtUs" * interval '1 microsecond', decode(hash, 'hex')
  from json_to_recordset(${`[${lines.join()}]`}::text::json) as i (
    position bigint, id uuid, stream text, version integer, type text, "schemaVersion" smallint, data json,
    "subjectId" uuid, personal text, metadata json, "recordedAtUs" bigint, hash text
  )`

/** An event of a type that this code knows, in a version that only newer code does, would stop the consumers later. */
const assertKnown = (path: string, { type, schemaVersion, position }: v.InferOutput<typeof eventLine>) => {
  if (!catalogue.has(type) || knownVersions.has(versionKey(type, schemaVersion))) return
  throw new FileError(
    `${path}: event ${position} is ${type} in version ${schemaVersion}, which this code does not know: run newer code`,
  )
}

/** Errors of class 22 (data) and 23 (constraints): the lines are none that the log could have held. */
const isRefusal = (error: unknown): error is Error => /^2[23]...$/.test(errorCode(error))

const fillLog = (sql: Sql, path: string, onProgress: (position: number) => void): Promise<ChainHead> =>
  inLongTransaction(sql, 'read committed', async (tx) => {
    await tx`select pg_advisory_xact_lock(${HEAD_LOCK})`
    const { position: present } = await readHead(tx)
    if (present > 0) throw new FileError(`The log holds ${present} events: an import needs an empty one`)
    let head = CHAIN_START
    let lines: string[] = []

    const store = async () => {
      if (lines.length === 0) return
      try {
        await insertLines(tx, lines)
      } catch (error) {
        if (!isRefusal(error)) throw error
        throw new FileError(`${path}: events after ${head.position} cannot be stored: ${error.message}`, {
          cause: error,
        })
      }
      lines = []
      head = await verifyNext(tx, head)
      onProgress(head.position)
    }

    const { count, hash } = await readLines(path, LOG_FILE, eventLine, async ({ text, item, number }) => {
      const next = head.position + lines.length + 1
      if (item.position !== next) {
        throw new FileError(`${path}, line ${number}: here is event ${item.position}, where event ${next} should be`)
      }
      assertKnown(path, item)
      lines.push(text)
      if (lines.length === BATCH_EVENTS) await store()
    })
    await store()
    if (count !== head.position || hash !== head.hash.toString('hex')) {
      throw new FileError(`${path} was changed: its closing line does not fit its events`)
    }
    return head
  })

/**
 * Fills an empty log from a file that `exportLog` wrote, in one transaction, and checks each hash as it is stored.
 * Before that it closes the log: no process may begin to serve it (see log-binding.ts) until `restore` has made it ready. A
 * failed import opens it again. Returns the head.
 *
 * @throws a FileError or a ChainError if the file is damaged or cut off, or the log is not empty, and an InUseError if
 *   API nodes or workers are connected: nothing is stored then.
 */
export const importLog = async (
  sql: Sql,
  path: string,
  { onProgress = () => {} }: { onProgress?: (position: number) => void } = {},
): Promise<ChainHead> => {
  const home = await closeLog(sql)
  try {
    return await fillLog(sql, path, onProgress)
  } catch (error) {
    await bindLog(sql, home)
    throw error
  }
}
