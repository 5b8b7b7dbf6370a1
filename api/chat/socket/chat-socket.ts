import { randomBytes } from 'node:crypto'
import process from 'node:process'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import type { SignedInStaff } from '../../staff/session.ts'
import { tokenBucket } from './token-bucket.ts'

const MAX_BUFFERED_BYTES = 1024 * 1024
const MAX_GATHERED_BYTES = 64 * 1024
/** This many of the longest messages take about as much memory as MAX_BUFFERED_BYTES. */
const MAX_HELD_FRAMES = 256
/** A person starts and stops typing every few seconds. */
const TYPING_LIMIT = { burst: 10, perSecond: 2 }
const PING_INTERVAL_MS = 25_000
/** A pong must return this many random bytes: an unsolicited pong does not show that the client responds to pings. */
const NONCE_BYTES = 8
/** A page of history has at most about 200 kB of ordinary text: a connection of 64 kbit/s transfers it in this time. */
const SEND_DEADLINE_MS = 30_000

/** RFC 6455: a final text frame, whose header has 2 bytes, or 4 or 10 for longer texts. */
const FINAL_TEXT = 0x81
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

/** A frame as it goes over the connection, unmasked as servers send it. */
const encode = (frame: ServerFrame): Buffer => {
  const text = JSON.stringify(frame)
  const length = Buffer.byteLength(text)
  const headerBytes = length < LENGTH_IN_2_BYTES ? 2 : length <= 0xffff ? 4 : 10
  const bytes = Buffer.allocUnsafe(headerBytes + length)
  bytes[0] = FINAL_TEXT
  bytes[1] = headerBytes === 2 ? length : headerBytes === 4 ? LENGTH_IN_2_BYTES : LENGTH_IN_8_BYTES
  if (headerBytes === 4) bytes.writeUInt16BE(length, 2)
  if (headerBytes === 10) bytes.writeBigUInt64BE(BigInt(length), 2)
  bytes.write(text, headerBytes)
  return bytes
}

let lastEncoded: { frame: ServerFrame; bytes: Buffer } | undefined

/** Encodes a frame once if it goes to several sockets, one after the other. */
const bytesOf = (frame: ServerFrame): Buffer => {
  if (lastEncoded?.frame !== frame) lastEncoded = { frame, bytes: encode(frame) }
  return lastEncoded.bytes
}

/**
 * Joins frames that are sent at the same time into one write, or into several if they are many. Bytes then count as
 * waiting only if the network does not accept them.
 */
const gatherWrites = (connection: Duplex) => {
  if (connection.writableCorked > 0) {
    if (connection.writableLength > MAX_GATHERED_BYTES) connection.uncork()
    return
  }
  connection.cork()
  process.nextTick(() => connection.uncork())
}

/** A visitor in a chat. `isOwn`: the chat began on their device, so they did not come by a link to it. */
type VisitorRole = { type: 'visitor'; sessionId: string; name: string; isOwn: boolean }

/** One client's connection. */
export type ChatSocket = {
  /** Names the socket in log lines: the id of the request that opened it. */
  readonly id: string
  /** The staff member signed in with the cookie of the upgrade request; undefined for a visitor. */
  readonly staff: SignedInStaff | undefined
  /** The address under which limits count this socket. */
  readonly address: string
  readonly userAgent: string | null
  /** Whether one more typing signal may pass. `now` is a time of performance.now(). */
  readonly mayType: (now: number) => boolean
  readonly isOpen: boolean
  /** The socket's role, once it has joined. */
  role: VisitorRole | { type: 'admin' } | undefined
  /** Called on a visitor's socket when the links to its chat may have been revoked. */
  onLinksRevoked: (() => Promise<void>) | undefined
  /** Sends a response to this client. */
  send: (frame: ServerFrame) => void
  /**
   * Sends a response of any size; resolves to true once it has left this process, to false if the connection is gone. A
   * client that has not taken it within 30 s is disconnected.
   */
  sendWhole: (frame: ServerFrame) => Promise<boolean>
  /** Sends a current event; held back while the client catches up. */
  push: (frame: ServerFrame) => void
  /**
   * Holds current events back until `flush`, which sends the frames that `isNews` accepts. Drops frames held back
   * before.
   */
  pause: () => void
  flush: (isNews: (frame: ServerFrame) => boolean) => void
  close: (code: number, reason: string) => void
}

/**
 * Wraps a socket and the `connection` below it. A client that reads too slowly (1 MiB waits for it, or one response for
 * 30 s) or no longer responds to pings (25 s) is disconnected; it catches up completely when it reconnects.
 */
export const openChatSocket = (
  raw: WebSocket,
  connection: Duplex,
  { id, staff, address, userAgent }: Pick<ChatSocket, 'id' | 'staff' | 'address' | 'userAgent'>,
): ChatSocket => {
  let held: ServerFrame[] | undefined
  let isAlive = true
  let nonce = randomBytes(NONCE_BYTES)

  const heartbeat = setInterval(() => {
    if (!isAlive) return raw.terminate()
    isAlive = false
    nonce = randomBytes(NONCE_BYTES)
    raw.ping(nonce)
  }, PING_INTERVAL_MS)
  raw.on('pong', (data) => {
    if (data.equals(nonce)) isAlive = true
  })
  raw.on('close', () => clearInterval(heartbeat))

  const send = (frame: ServerFrame) => {
    if (raw.readyState !== raw.OPEN) return
    gatherWrites(connection)
    if (raw.bufferedAmount > MAX_BUFFERED_BYTES) return raw.terminate()
    // bypasses ws, which would make a header, a buffer and two writes of each frame
    connection.write(bytesOf(frame))
  }

  return {
    id,
    staff,
    address,
    userAgent,
    mayType: tokenBucket(TYPING_LIMIT),
    get isOpen() {
      return raw.readyState === raw.OPEN
    },
    role: undefined,
    onLinksRevoked: undefined,
    send,
    sendWhole: (frame) =>
      new Promise((resolve) => {
        if (raw.readyState !== raw.OPEN) return resolve(false)
        const deadline = setTimeout(() => raw.terminate(), SEND_DEADLINE_MS)
        raw.send(JSON.stringify(frame), (error) => {
          clearTimeout(deadline)
          // the client is reading the data that has left, and a ping may wait behind it
          if (!error) isAlive = true
          resolve(!error)
        })
      }),
    push: (frame) => {
      if (!held) return send(frame)
      if (held.length >= MAX_HELD_FRAMES) return raw.terminate()
      held.push(frame)
    },
    pause: () => {
      held = []
    },
    flush: (isNews) => {
      const frames = held ?? []
      held = undefined
      for (const frame of frames) if (isNews(frame)) send(frame)
    },
    close: (code, reason) => raw.close(code, reason),
  }
}
