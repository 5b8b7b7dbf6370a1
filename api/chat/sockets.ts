import { upgradeWebSocket } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { type WebSocket, WebSocketServer } from 'ws'
import { currentContext } from '../../events/log/context.ts'
import { RequestError } from '../errors.ts'
import type { ApiNode } from '../node.ts'
import { readSession } from '../staff/session.ts'
import { openChatSocket } from './chat-socket.ts'
import type { ChatGateway } from './gateway.ts'

/**
 * Frames over 64 KiB are answered with `error`; only what is larger than this, in bytes, closes the socket (status
 * 1009).
 */
const MAX_PAYLOAD_BYTES = 1024 * 1024
/** How long a client may take to answer that we close its socket. */
const CLOSE_TIMEOUT_MS = 2_000
const MAX_WAITING_FRAMES = 64
const MAX_USER_AGENT_CHARACTERS = 1_000

/** The server of the node's sockets. Messages are small and many: compressing each costs more than it saves. */
export const createSocketServer = () => {
  // apart from the call because the type does not know closeTimeout yet
  const options = {
    noServer: true,
    maxPayload: MAX_PAYLOAD_BYTES,
    perMessageDeflate: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  return new WebSocketServer(options)
}

/** Handles a client's frames one after the other; while too many wait, no more are read from the network. */
const serve = (raw: WebSocket, receive: (text: string) => Promise<void>) => {
  let waiting = 0
  let last = Promise.resolve()
  raw.on('message', (data) => {
    waiting += 1
    if (waiting >= MAX_WAITING_FRAMES) raw.pause()
    last = last
      .then(() => receive(data.toString()))
      .finally(() => {
        waiting -= 1
        if (waiting < MAX_WAITING_FRAMES / 2 && raw.isPaused) raw.resume()
      })
  })
  return { done: () => last }
}

/** `/ws`: who may connect, and as whom. Foreign origins have been refused before. */
export const chatSocket = (node: ApiNode, gateway: ChatGateway): MiddlewareHandler =>
  upgradeWebSocket(async (c) => {
    if (node.isDraining) throw new RequestError('unavailable', 'This node is about to stop', { retryAfterS: 1 })
    const { correlationId: id } = currentContext()
    const staff = await readSession(node, c)
    const userAgent = c.req.header('user-agent')?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null
    return {
      onOpen: (_, context) => {
        const raw = context.raw as WebSocket
        const socket = openChatSocket(raw, { id, staff, userAgent })
        gateway.connect(socket)
        node.metrics.sockets.inc()
        const { done } = serve(raw, (text) => gateway.receive(socket, text))
        raw.on('error', (error) => node.logger.info({ socketId: id, err: error.message }, 'socket failed'))
        raw.on('close', () => {
          node.metrics.sockets.dec()
          done().then(() => gateway.disconnect(socket))
        })
      },
    }
  })
