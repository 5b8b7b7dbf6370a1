import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { MAX_FILE_BYTES } from '../../events/chat/file.ts'
import type { TestNode } from '../../events/testing/node.ts'
import { joinChat } from './socket-client.ts'

/** The beginning of a picture that is this many pixels wide, and one high. */
export const pngOf = (width: number) => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width)
  size.writeUInt32BE(1, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    size,
    Buffer.from('a very plain picture'),
  ])
}
export const PNG = pngOf(1)
export const PDF = Buffer.from('%PDF-1.7 a plan of the house')

export const largestPdf = () => {
  const largest = Buffer.alloc(MAX_FILE_BYTES)
  PDF.copy(largest)
  return largest
}

export type Proof = Record<string, string>

let callers = 0
/** An address without earlier calls. */
export const newAddress = () => {
  callers += 1
  return `203.0.113.${callers}`
}

/** How a visitor proves that the chat is theirs, from an address of their own. */
export const bearer = ({ resumeToken }: { resumeToken: string }, address = newAddress()): Proof => ({
  authorization: `Bearer ${resumeToken}`,
  'x-forwarded-for': address,
})

/** Joins chats on a node, and sends it their files. */
export const openUploads = (node: TestNode) => {
  /** A chat that is left when the test ends. */
  const newChat = async (name?: string) => {
    const chat = await joinChat(node, name)
    onTestFinished(() => chat.client.close())
    return chat
  }

  const store = (sessionId: string, content: Uint8Array, headers: Proof, name = 'file', type = 'image/png') =>
    node.call(`/api/chat-files/${sessionId}`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-file-name': encodeURIComponent(name), ...headers },
      body: new Uint8Array(content),
    })

  /** Begins to send a file, without any of its bytes yet. */
  const begin = (sessionId: string, headers: OutgoingHttpHeaders) => {
    const asked = request(`${node.url}/api/chat-files/${sessionId}`, { method: 'POST', headers })
    asked.on('error', () => {}).flushHeaders()
    onTestFinished(() => {
      asked.destroy()
    })
    return asked
  }

  const responseTo = async (asked: ClientRequest): Promise<IncomingMessage> => (await once(asked, 'response'))[0]

  /** The refusal of a file before any of it is sent. */
  const refusalOf = async (sessionId: string, headers: OutgoingHttpHeaders) => {
    const response = await responseTo(begin(sessionId, headers))
    return { status: response.statusCode, retryAfter: response.headers['retry-after'] }
  }

  return { newChat, store, begin, responseTo, refusalOf }
}
