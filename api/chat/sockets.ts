import type { Duplex } from 'node:stream'
import { type HttpBindings, upgradeWebSocket } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { WebSocket, WebSocketServer } from 'ws'
import type { ServerFrame } from '../../events/chat/sent-frames.ts'
import { currentContext } from '../../events/process/context.ts'
import { OverLimitError, overLimit } from '../admission/admission.ts'
import { clientAddress } from '../admission/client-address.ts'
import { RequestError } from '../http/errors.ts'
import type { ApiNode } from '../node/node.ts'
import { type SignedInStaff, sessionOf, signedToken } from '../staff/session.ts'
import type { ChatGateway } from './gateway.ts'
import { openChatSocket } from './socket/chat-socket.ts'
import { openHandshakeLimit } from './socket/handshake-limit.ts'

/** The largest frame that is read, in bytes. */
const MAX_PAYLOAD_BYTES = 64 * 1024
const MESSAGE_TOO_BIG = 1009
/** Fragments of a frame may be empty: at most this many count as one frame. */
const MAX_FRAGMENTS = 64
/** The maximum time for a client to confirm that its socket is closed. */
const CLOSE_TIMEOUT_MS = 2_000
/** The maximum number of received frames not handled yet: beyond it, no more are read from the network. */
const MAX_WAITING_FRAMES = 64
const MAX_WAITING_BYTES = 256 * 1024
const HANDSHAKE_TIMEOUT_MS = 5_000
const MAX_USER_AGENT_CHARACTERS = 1_000

const TOO_LARGE: ServerFrame = { type: 'error', code: 'too_large', message: 'A frame may hold 64 KiB' }

/** Notifies a client that its frame is too large before the socket is closed for it. */
class NotifyingWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer) {
    if (code === MESSAGE_TOO_BIG) this.send(JSON.stringify(TOO_LARGE))
    super.close(code, reason)
  }
}

/** The server of the node's sockets. Messages are small and many: compressing each costs more than it saves. */
export const createSocketServer = () => {
  // apart from the call because the type does not know closeTimeout and maxFragments yet
  const options = {
    noServer: true,
    maxPayload: MAX_PAYLOAD_BYTES,
    maxFragments: MAX_FRAGMENTS,
    perMessageDeflate: false,
    autoPong: false,
    WebSocket: NotifyingWebSocket,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  return new WebSocketServer(options)
}

const EVENTS = ['message', 'close', 'error'] as const

/**
 * Removes the listeners of Hono's adapter once the socket is open. They serve handlers that this node does not use, and
 * would hold the whole request in memory as long as the socket exists.
 */
const dropAdapter = (raw: WebSocket) => {
  const own = new Set(EVENTS.flatMap((event) => raw.listeners(event)))
  // the adapter continues after `onOpen`
  queueMicrotask(() => {
    for (const event of EVENTS) {
      for (const listener of raw.listeners(event)) {
        if (!own.has(listener)) raw.off(event, listener as (...values: unknown[]) => void)
      }
    }
  })
}

/** Responds to the last ping of a turn of the event loop: the protocol requires no more. */
const answerPings = (raw: WebSocket, admits: (bytes: number) => boolean) => {
  let last: Buffer | undefined
  raw.on('ping', (data: Buffer) => {
    if (!admits(data.byteLength)) return
    if (!last) {
      setImmediate(() => {
        if (raw.readyState === raw.OPEN) raw.pong(last)
        last = undefined
      })
    }
    last = data
  })
}

/**
 * Handles a client's frames one after the other; while too many wait, no more are read from the network. Once the
 * socket is closed for too many frames, none is handled: then the client only sees the end of the `connection`.
 */
const serve = (
  raw: WebSocket,
  connection: Duplex,
  { admits, receive }: { admits: (bytes: number) => boolean; receive: (text: string, onHandled: () => void) => void },
) => {
  /** The frames that wait; the first one is being handled. */
  const frames: Buffer[] = []
  let bytes = 0
  let isFlooded = false
  let onIdle = () => {}
  const mayPass = (size: number) => {
    if (isFlooded) return false
    if (admits(size)) return true
    isFlooded = raw.readyState !== raw.OPEN
    if (!isFlooded) return false
    raw.pause()
    connection.end()
    return false
  }
  const next = () => {
    bytes -= frames.shift()?.byteLength ?? 0
    const mayResume = frames.length < MAX_WAITING_FRAMES / 2 && bytes < MAX_WAITING_BYTES / 2
    if (raw.isPaused && !isFlooded && mayResume) raw.resume()
    const [first] = frames
    if (first) receive(first.toString(), next)
    else onIdle()
  }
  answerPings(raw, mayPass)
  raw.on('pong', (data: Buffer) => mayPass(data.byteLength))
  raw.on('message', (data: Buffer) => {
    if (!mayPass(data.byteLength)) return
    frames.push(data)
    bytes += data.byteLength
    if (frames.length >= MAX_WAITING_FRAMES || bytes >= MAX_WAITING_BYTES) raw.pause()
    if (frames.length === 1) receive(data.toString(), next)
  })
  return {
    /** Calls back once all received frames are handled. */
    whenIdle: (listener: () => void) => {
      onIdle = listener
      if (frames.length === 0) onIdle()
    },
  }
}

/**
 * Takes a place for a socket of staff; returns a function that releases it. They count by account: strangers at the
 * same address cannot lock them out.
 */
const holdForStaff = ({ admission }: ApiNode, { id }: SignedInStaff) => admission.hold('sockets_of_account', id)

/** `/ws`: decides who may connect, and in which role. Foreign origins have been refused before. */
export const chatSocket = (node: ApiNode, gateway: ChatGateway): MiddlewareHandler => {
  const handshakes = openHandshakeLimit(node.config.handshakesPerSecond)

  /** Refuses a handshake over the limit. No query is made: a flood of handshakes costs connected clients nothing. */
  const admitHandshake = (address: string, cookie: string | undefined) => {
    const now = performance.now()
    const verdict = handshakes.ask({ address, cookie }, now)
    if (verdict.kind === 'over') throw overLimit('sockets', verdict.untilMs - now)
    if (verdict.kind === 'busy') {
      throw new RequestError('too_many_requests', 'Too many connections at once: try again in a moment', {
        retryAfterS: 1,
      })
    }
  }

  /** Counts a visitor's socket over all nodes; an address over its limit is refused before any query after that. */
  const admitVisitor = async (address: string) => {
    try {
      await node.admission.admit('sockets', { address })
    } catch (error) {
      if (error instanceof OverLimitError) {
        const now = performance.now()
        handshakes.shut(address, now, now + error.retryAfterS * 1_000)
      }
      throw error
    }
    return node.admission.hold('sockets', address)
  }

  return upgradeWebSocket(async (c) => {
    // nginx tries another node after a 503: right here, but not if a node refuses because of load
    if (node.isDraining) throw new RequestError('unavailable', 'This node is about to stop', { retryAfterS: 1 })
    const address = clientAddress(node, c)
    const token = await signedToken(node, c)
    admitHandshake(address, token?.token)
    const { correlationId: id } = currentContext()
    const { socket: connection } = (c.env as HttpBindings).incoming
    const staff = await sessionOf(node, token)
    const letGo = staff ? holdForStaff(node, staff) : await admitVisitor(address)
    const userAgent = c.req.header('user-agent')?.slice(0, MAX_USER_AGENT_CHARACTERS) ?? null
    // a connection that closes before the response to its handshake opens no socket
    const unopened = setTimeout(letGo, HANDSHAKE_TIMEOUT_MS).unref()
    return {
      onOpen: (_, context) => {
        const raw = context.raw as WebSocket
        clearTimeout(unopened)
        const socket = openChatSocket(raw, connection, { id, staff, address, userAgent })
        gateway.connect(socket)
        node.metrics.sockets.inc()
        const { whenIdle } = serve(raw, connection, {
          admits: (bytes) => gateway.admits(socket, bytes),
          receive: (text, onHandled) => gateway.receive(socket, text, onHandled),
        })
        raw.on('error', (error) => node.logger.info({ socketId: id, err: error.message }, 'socket failed'))
        raw.on('close', () => {
          node.metrics.sockets.dec()
          whenIdle(() => {
            letGo() // a client's frames count until they are handled
            gateway.disconnect(socket)
          })
        })
        dropAdapter(raw)
      },
    }
  })
}
