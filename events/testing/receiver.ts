import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message that a receiver was posted. */
export type TakenMessage = { path: string; headers: IncomingMessage['headers']; body: string }

/** Whether one of a message's signatures is made by a secret, by the rules of Standard Webhooks. */
export const isSignedBy = ({ headers, body }: TakenMessage, secret: string): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
  return String(signatures)
    .split(' ')
    .some((each) => each.length === expected.length && timingSafeEqual(Buffer.from(each), expected))
}

/** A test receiver of webhooks; it responds with 204 unless a test sets another response. */
export const openTestReceiver = async () => {
  const taken: TakenMessage[] = []
  let answer = (_message: TakenMessage, response: ServerResponse) => {
    response.writeHead(204).end()
  }
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request
    const message = { path, headers, body: Buffer.concat(await request.toArray()).toString() }
    taken.push(message)
    answer(message, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    taken,
    /** The parsed bodies, in the order in which they came. */
    bodies: () => taken.map(({ body }) => JSON.parse(body)),
    reply: (next: typeof answer) => {
      answer = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TestReceiver = Awaited<ReturnType<typeof openTestReceiver>>
