import type { IncomingMessage, ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { RequestError } from './errors.ts'

/** How slow a transfer may be: what it may take in any case, and how fast it has to be after that; tests wait less. */
export type Pace = { graceMs: number; minBytesPerS: number; lookEveryMs: number }

/** A file of 5 MiB may take four minutes and a half. */
const PACE: Pace = { graceMs: 8_000, minBytesPerS: 20 * 1024, lookEveryMs: 1_000 }

const brokenOff = (cause?: unknown) => new RequestError('malformed_body', 'The upload broke off', { cause })

/**
 * The length that a body is said to have, in bytes. Throws `length_required` where nobody says it, as in chunks, and
 * `body_too_large` where it is more than `most`: before any of the body is read.
 */
export const statedLength = ({ headers }: IncomingMessage, most: number): number => {
  const stated = headers['content-length'] ?? ''
  if (headers['transfer-encoding'] !== undefined || !/^\d{1,15}$/.test(stated)) {
    throw new RequestError('length_required', 'Send the file with its Content-Length, not in chunks')
  }
  const length = Number(stated)
  if (length > most) throw new RequestError('body_too_large', `A file may hold ${most} bytes`)
  return length
}

/**
 * Reads a body of this length into memory. Throws a RequestError where it breaks off, or comes so slowly that its sender
 * only keeps others waiting.
 */
export const readUpload = async (
  incoming: IncomingMessage,
  length: number,
  { graceMs, minBytesPerS, lookEveryMs }: Pace = PACE,
): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafeSlow(length)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const startedAt = performance.now()
  let received = 0
  const take = (chunk: Buffer) => {
    if (received + chunk.length > length) return reject(brokenOff())
    received += chunk.copy(bytes, received)
  }
  const end = () => (received === length ? resolve(bytes) : reject(brokenOff()))
  const breakOff = (cause?: unknown) => reject(brokenOff(cause))
  const look = () => {
    const dueAfterMs = performance.now() - startedAt - graceMs
    if (received < (dueAfterMs / 1_000) * minBytesPerS) {
      reject(new RequestError('malformed_body', 'The upload was too slow: try again on a better network'))
    }
  }
  const timer = setInterval(look, lookEveryMs)
  incoming.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
  if (incoming.destroyed) breakOff()
  try {
    return await promise
  } finally {
    clearInterval(timer)
    incoming.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
  }
}

/**
 * Calls `done` once an answer of this many bytes has left, or its reader has gone. One that reads so slowly that it only
 * keeps others waiting is cut off.
 */
export const whenAnswered = (
  outgoing: ServerResponse,
  bytes: number,
  done: () => void,
  { graceMs, minBytesPerS }: Pace = PACE,
): void => {
  if (outgoing.closed) {
    done()
    return
  }
  const timer = setTimeout(() => outgoing.destroy(), graceMs + (bytes / minBytesPerS) * 1_000)
  outgoing.once('close', () => {
    clearTimeout(timer)
    done()
  })
}

/** How much of a file a reader takes while some of it waits for the reader: so many bytes a second, over such a time. */
export type ReadingPace = { overMs: number; minBytesPerS: number; lookEveryMs: number }

/** A network that is away for 15 s does no harm. */
const READING_PACE: ReadingPace = { overMs: 20_000, minBytesPerS: 20 * 1024, lookEveryMs: 1_000 }

/**
 * Passes a file on that is made while it is read. A reader that takes it so slowly that it only keeps others waiting is
 * cut off; time in which nothing waits for the reader does not count.
 */
export const openPacedStream = ({ overMs, minBytesPerS, lookEveryMs }: ReadingPace = READING_PACE): Transform => {
  let bytes = 0
  let waitedMs = 0
  const out = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const timer = setInterval(() => {
    if (out.readableLength > 0) waitedMs += lookEveryMs
    if (waitedMs < overMs) return
    if (bytes < (overMs / 1_000) * minBytesPerS) out.destroy()
    bytes = 0
    waitedMs = 0
  }, lookEveryMs)
  return out.once('close', () => clearInterval(timer))
}
