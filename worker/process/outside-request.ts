import { request as byHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request as byHttps } from 'node:https'
import { SECOND_MS } from '../../events/base/time.ts'
import { InnerAddressError, isOutsideAddress, lookUpPublic } from '../../events/process/public-address.ts'

/** The response of a foreign server: its status, the first `maxBytes` of its body, and how long it asks to wait. */
export type OutsideAnswer = { status: number; beginning: Buffer; retryAfterMs: number | undefined }

/** A Retry-After, in seconds or as a date (RFC 9110, 10.2.3), as how long to wait from now on. */
export const readRetryAfter = (header: string | undefined, now = Date.now()): number | undefined => {
  if (header === undefined) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - now
  return waitMs > 0 ? waitMs : undefined
}

/** The limits of a request. `testOrigins` may be reached by HTTP and in the own network. */
export type OutsideLimits = { testOrigins: readonly string[]; timeoutMs: number; maxBytes?: number }

/** Reads the beginning of a response and no more: one that breaks off, or never ends, counts up to there. */
const readBeginning = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) break
    }
  } catch {
    // the time was over, or the connection broke
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/**
 * Posts to an address that a person has entered. It follows no redirect, and connects to the very addresses that were
 * found to be on the internet, so that a name that changes its address leads nowhere else. Rejects with an
 * InnerAddressError if an address is not on the internet, and with a TimeoutError if no status came in time.
 */
export const postOutside = async (
  address: string,
  { headers, body }: { headers: OutgoingHttpHeaders; body: string | Buffer | null },
  { testOrigins, timeoutMs, maxBytes = 0 }: OutsideLimits,
): Promise<OutsideAnswer> => {
  const url = new URL(address)
  if (!isOutsideAddress(address, testOrigins)) throw new InnerAddressError(`${url.host} is not on the internet`)
  const isTest = testOrigins.includes(url.origin)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? byHttps : byHttp
  const signal = AbortSignal.timeout(timeoutMs)
  const options = { method: 'POST', headers, signal, agent: false as const, ...(!isTest && { lookup: lookUpPublic }) }
  const sent = send(url, options, resolve)
  sent.on('error', (error) => reject(signal.aborted ? signal.reason : error))
  // a server that responds with 101 makes neither a response nor an error, and its request is no longer aborted
  sent.on('upgrade', (_, socket) => {
    socket.destroy()
    reject(new Error('The server asks for another protocol'))
  })
  sent.on('close', () => reject(signal.aborted ? signal.reason : new Error('The connection closed without a status')))
  sent.end(body)
  const response = await promise
  response.on('error', () => {}) // errors after the status do not matter
  const beginning = maxBytes > 0 ? await readBeginning(response, maxBytes) : Buffer.alloc(0)
  response.destroy()
  const retryAfterMs = readRetryAfter(response.headers['retry-after'])
  return { status: response.statusCode ?? 0, beginning, retryAfterMs }
}
