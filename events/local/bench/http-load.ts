import { connect, type Socket } from 'node:net'
import { quantile } from '../figures.ts'

const HEAD_END = '\r\n\r\n'
const CHUNKED_END = '0\r\n\r\n'

/** The result of a load. */
export type HttpRound = { requests: number; perSecond: number; p99: number }

/** The length of a whole response at the beginning of a text; undefined while it is not there yet. */
const answerLength = (text: string): number | undefined => {
  const headEnd = text.indexOf(HEAD_END)
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd)
  const bodyAt = headEnd + HEAD_END.length
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) {
    const end = bodyAt + Number(length)
    return text.length >= end ? end : undefined
  }
  const chunksEnd = text.indexOf(CHUNKED_END, bodyAt)
  return chunksEnd < 0 ? undefined : chunksEnd + CHUNKED_END.length
}

/**
 * A client of HTTP/1.1 that costs little compared with the server, which shares the machine with it: it sends the given
 * request and checks the status and the end of the response. Bodies are read as Latin-1, one character per byte.
 */
const openClient = async (port: number) => {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true).setEncoding('latin1')
  let received = ''
  let waiting: PromiseWithResolvers<string> | undefined
  socket.on('data', (text: string) => {
    received += text
    const end = answerLength(received)
    if (end === undefined) return
    waiting?.resolve(received.slice(0, end))
    received = received.slice(end)
  })
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail).on('close', () => fail(new Error('The server closed a connection')))
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    send: (request: string): Promise<string> => {
      waiting = Promise.withResolvers<string>()
      socket.write(request)
      return waiting.promise
    },
    close: () => socket.removeAllListeners('close').destroy(),
  }
}

/** A POST of JSON, as it is sent over the wire. */
export const postRequest = (path: string, body: object, headers: Record<string, string>): string => {
  const text = JSON.stringify(body)
  const all = {
    Host: 'bench.example',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

/** Loads a server: each connection sends its next request once the last one got a 201, for this many milliseconds. */
export const loadWith = async (
  port: number,
  { connections, ms, request }: { connections: number; ms: number; request: () => string },
): Promise<HttpRound> => {
  const clients = await Promise.all(Array.from({ length: connections }, () => openClient(port)))
  const latencies: number[] = []
  const begin = performance.now()
  const run = async ({ send }: (typeof clients)[number]) => {
    while (performance.now() - begin < ms) {
      const sent = performance.now()
      const answer = await send(request())
      if (!answer.startsWith('HTTP/1.1 201')) throw new Error(`A request was answered with ${answer.slice(0, 200)}`)
      latencies.push(performance.now() - sent)
    }
  }
  await Promise.all(clients.map(run))
  const seconds = (performance.now() - begin) / 1_000
  for (const client of clients) client.close()
  return { requests: latencies.length, perSecond: latencies.length / seconds, p99: quantile(latencies, 0.99) }
}
