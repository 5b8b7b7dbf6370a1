import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A submission as the service got it. */
export type Submission = {
  /** When it came, by performance.now(). */
  at: number
  headers: IncomingHttpHeaders
  fields: [name: string, value: string][]
  /** The files among the fields. */
  files: Record<string, { name: string; content: Buffer }>
}

/** The service's handling of a submission; it may leave it without a response. */
export type Reply = (response: ServerResponse, submission: Submission) => void

/** A server that takes forms and responds as the form-to-email service does. */
export type TestService = {
  url: string
  /** Every submission so far, in the order of arrival. */
  submissions: Submission[]
  /** Sets its responses from now on. */
  reply: (reply: Reply) => void
  close: () => Promise<void>
}

/** A response in JSON, with status 200, which the service also sends for failures. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

/** A response that is no JSON. */
export const text =
  (body: string, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  }

export const DELIVERED = json({ success: 'true', message: 'The form was submitted successfully.' })

/** Opens the service on a free port of loopback. */
export const openTestService = async (): Promise<TestService> => {
  const submissions: Submission[] = []
  let answer: Reply = DELIVERED
  const server = createServer(async (request, response) => {
    const at = performance.now()
    try {
      const body = new Response(await buffer(request), {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      })
      const fields: Submission['fields'] = []
      const files: Submission['files'] = {}
      for (const [name, value] of await body.formData()) {
        if (typeof value === 'string') fields.push([name, value])
        else files[name] = { name: value.name, content: Buffer.from(await value.arrayBuffer()) }
      }
      const submission = { at, headers: request.headers, fields, files }
      submissions.push(submission)
      answer(response, submission)
    } catch {
      response.destroy() // the sender was killed during that time
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/agency@example.com`,
    submissions,
    reply: (reply) => {
      answer = reply
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
