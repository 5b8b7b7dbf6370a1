import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import * as v from 'valibot'
import { errorCode } from '../base/error-code.ts'

/** Only the owner of an exported file may read it. */
const FILE_MODE = 0o600

/** The content of a file (`agency-log`, `agency-keys`, `agency-erasures`), and the version of its format. */
export type FileFormat = { format: string; version: number }

/** A file cannot be written, or its content is wrong; the message is one line. */
export class FileError extends Error {
  override name = 'FileError'
}

const closing = v.strictObject({
  count: v.pipe(v.number(), v.integer()),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
})

/** The last line of a file: the number of lines between the first and this one, and a hash of them. */
export type Closing = v.InferOutput<typeof closing>

const linesHash = () => createHash('sha256')
const addLine = (hash: Hash, line: string) => hash.update(`${line}\n`)

/** Waits until a stream takes more, or has ended; rejects on its error. */
const drained = async (output: Writable) => {
  const waiting = new AbortController()
  const { signal } = waiting
  await Promise.race([once(output, 'drain', { signal }), once(output, 'close', { signal })])
  waiting.abort()
}

/** An error that happens between writes is raised at the next line. */
const openOutput = (output: Writable) => {
  let failure: Error | undefined
  output.on('error', (error) => {
    failure ??= error
  })
  return async (line: string) => {
    if (failure) throw failure
    if (!output.write(`${line}\n`)) await drained(output)
  }
}

type Work = (write: (line: string) => Promise<void>) => Promise<Closing | undefined>

const writeAll = async (output: Writable, header: object, work: Work): Promise<Closing> => {
  const write = openOutput(output)
  const hash = linesHash()
  let count = 0
  await write(JSON.stringify(header))
  const own = await work(async (line) => {
    addLine(hash, line)
    count += 1
    await write(line)
  })
  const end = own ?? { count, hash: hash.digest('hex') }
  await write(JSON.stringify(end))
  return end
}

/**
 * Writes a file of JSON lines: a header, the lines that `work` writes, and a closing line, from `work` or else with the
 * number and the SHA-256 of the lines. A file gets its name once it is whole. Without a path it goes to standard
 * output.
 *
 * @throws a FileError if it cannot be written.
 */
export const writeLines = async (
  path: string | undefined,
  header: FileFormat & Record<string, unknown>,
  work: Work,
): Promise<Closing> => {
  if (path === undefined) return await writeAll(process.stdout, header, work)
  const partial = `${path}.partial`
  const output = createWriteStream(partial, { mode: FILE_MODE })
  try {
    await once(output, 'open')
    const end = await writeAll(output, header, work)
    output.end()
    await once(output, 'finish')
    await rename(partial, path)
    return end
  } catch (error) {
    output.destroy()
    await rm(partial, { force: true })
    if (error instanceof Error && 'syscall' in error) {
      throw new FileError(`${path} cannot be written (${errorCode(error) || error})`, { cause: error })
    }
    throw error
  }
}

const parseLine = (path: string, number: number, line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new FileError(`${path}, line ${number}: not a line of JSON: the file is damaged or cut off`, { cause })
  }
}

const checkHeader = (path: string, value: unknown, { format, version }: FileFormat) => {
  const header = v.safeParse(v.object({ format: v.string(), version: v.number() }), value)
  if (!header.success || header.output.format !== format)
    throw new FileError(`${path} is no file of the format ${format}`)
  if (header.output.version > version) {
    const message = `${path} is of version ${header.output.version} of the format, and this code reads up to ${version}: run newer code`
    throw new FileError(message)
  }
}

/** A line between the header and the closing line, and its parsed content. */
export type Line<Item> = { text: string; item: Item; number: number }

/**
 * Reads a file that `writeLines` wrote, one line at a time. `onLine` gets each line between header and closing line.
 * Returns the closing line; `hash` is that of the lines as they were read.
 *
 * @throws a FileError if the file is of another format, from newer code, damaged or cut off.
 */
export const readLines = async <Schema extends v.GenericSchema>(
  path: string,
  format: FileFormat,
  schema: Schema,
  onLine: (line: Line<v.InferOutput<Schema>>) => Promise<void> | void,
): Promise<Closing & { linesHash: string }> => {
  const input = createReadStream(path)
  const hash = linesHash()
  let number = 0
  let end: Closing | undefined
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      if (end) throw new FileError(`${path}, line ${number}: there is something after the closing line`)
      const value = parseLine(path, number, text)
      if (number === 1) {
        checkHeader(path, value, format)
        continue
      }
      const closed = v.safeParse(closing, value)
      if (closed.success) {
        end = closed.output
        continue
      }
      const item = v.safeParse(schema, value)
      if (!item.success)
        throw new FileError(`${path}, line ${number}: ${v.getDotPath(item.issues[0]) ?? 'it'} does not fit the format`)
      addLine(hash, text)
      await onLine({ text, item: item.output, number })
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new FileError(`${path} cannot be read (${errorCode(error) || error})`, { cause: error })
    throw error
  } finally {
    input.destroy()
  }
  if (number === 0) throw new FileError(`${path} is empty`)
  if (!end) throw new FileError(`${path} has no closing line: it was cut off after line ${number}`)
  if (end.count !== number - 2) {
    throw new FileError(
      `${path} holds ${number - 2} lines between its first and its last, which says ${end.count}: some are missing`,
    )
  }
  return { ...end, linesHash: hash.digest('hex') }
}

/** Throws a FileError unless the lines that were read are those that were written. */
export const assertLines = (path: string, { hash, linesHash }: { hash: string; linesHash: string }): void => {
  if (hash !== linesHash) throw new FileError(`${path} was changed: its lines do not fit the hash in its closing line`)
}
