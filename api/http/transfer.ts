import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { RequestError } from './errors.ts'

/** The minimum bytes per second of a transfer over each such period; tests use shorter ones. */
export type Pace = { overMs: number; minBytesPerS: number; lookEveryMs: number }

/** A file of 5 MiB may take four minutes; a network of 80 KiB/s may fail for 15 s. */
const PACE: Pace = { overMs: 20_000, minBytesPerS: 20 * 1024, lookEveryMs: 1_000 }

/** Calls `onSlow` if a transfer is slower than its pace. Time without waiting for the other end does not count. */
const watchPace = (
  { overMs, minBytesPerS, lookEveryMs }: Pace,
  { isWaiting, onSlow }: { isWaiting: () => boolean; onSlow: () => void },
) => {
  let bytes = 0
  let waitedMs = 0
  const look = () => {
    if (isWaiting()) waitedMs += lookEveryMs
    if (waitedMs < overMs) return
    if (bytes < (overMs / 1_000) * minBytesPerS) onSlow()
    bytes = 0
    waitedMs = 0
  }
  const timer = setInterval(look, lookEveryMs)
  return {
    count: (passed: number) => {
      bytes += passed
    },
    stop: () => clearInterval(timer),
  }
}

const brokenOff = (cause?: unknown) => new RequestError('malformed_body', 'The upload was interrupted', { cause })

/**
 * The stated length of a body, in bytes, before any of it is read.
 *
 * @throws `length_required` if it is not stated, as in chunks; `body_too_large` if it exceeds `most`
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
 * Reads a body of this length into memory.
 *
 * @throws RequestError if it breaks off, or is so slow that it only delays other senders
 */
export const readUpload = async (incoming: IncomingMessage, length: number, pace: Pace = PACE): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafeSlow(length)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let received = 0
  const watch = watchPace(pace, {
    isWaiting: () => true,
    onSlow: () => reject(new RequestError('malformed_body', 'The upload was too slow: try again on a better network')),
  })
  const add = (chunk: Buffer) => {
    if (received + chunk.length > length) return reject(brokenOff())
    received += chunk.copy(bytes, received)
    watch.count(chunk.length)
  }
  const end = () => (received === length ? resolve(bytes) : reject(brokenOff()))
  const breakOff = (cause?: unknown) => reject(brokenOff(cause))
  incoming.on('data', add).on('end', end).on('error', breakOff).on('close', breakOff)
  if (incoming.destroyed) breakOff()
  try {
    return await promise
  } finally {
    watch.stop()
    incoming.off('data', add).off('end', end).off('error', breakOff).off('close', breakOff)
  }
}

/** Sends a file as fast as its client reads it. A client so slow that it only delays others is disconnected. */
export const openPacedStream = (pace: Pace = PACE): Transform => {
  const out = new Transform({
    transform: (chunk: Buffer, _, done) => {
      watch.count(chunk.length)
      done(null, chunk)
    },
  })
  const watch = watchPace(pace, { isWaiting: () => out.readableLength > 0, onSlow: () => out.destroy() })
  return out.once('close', watch.stop)
}
