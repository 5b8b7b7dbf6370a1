import { WebSocket } from 'ws'
import { growingDelay } from '../../base/backoff.ts'
import type { ClientFrame } from '../../chat/client-frames.ts'
import type { ServerFrame } from '../../chat/sent-frames.ts'

/** A silent connection is asked after this long, and given up this long after that. */
const PING_AFTER_MS = 10_000
const PONG_TIMEOUT_MS = 8_000
const CONNECT_TIMEOUT_MS = 5_000

/** The identity of a client of the soak, and how it finds a node. */
export type LineOptions = {
  headers: Record<string, string>
  /** The address of a node, another one each time perhaps, as a load balancer picks it. */
  pickUrl: () => string
  onOpen: () => void
  onFrame: (frame: ServerFrame) => void
  onClose: () => void
}

/** A connection that comes back as the product's pages do: later each time, by chance, and when a node asks to move. */
export type Line = {
  /** Sends a frame; false while there is no connection. */
  send: (frame: ClientFrame) => boolean
  /** Stops reading for a while, as a device on a bad network does. */
  pause: (ms: number) => void
  /** How often it has connected. */
  readonly handshakes: number
  close: () => void
}

/** Opens a line of a client to the nodes' chat. */
export const openLine = ({ headers, pickUrl, onOpen, onFrame, onClose }: LineOptions): Line => {
  let socket: WebSocket | undefined
  let failures = 0
  let handshakes = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let pulse: NodeJS.Timeout | undefined
  let reading: NodeJS.Timeout | undefined

  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(connect, ms)
  }

  const leave = () => {
    const old = socket
    socket = undefined
    clearTimeout(pulse)
    clearTimeout(reading)
    if (!old) return
    old.terminate()
    onClose()
  }

  const retry = () => {
    leave()
    if (isClosed) return
    later(growingDelay(failures))
    failures += 1
  }

  const heard = () => {
    clearTimeout(pulse)
    pulse = setTimeout(() => {
      send({ type: 'ping' })
      pulse = setTimeout(retry, PONG_TIMEOUT_MS)
    }, PING_AFTER_MS)
  }

  const send = (frame: ClientFrame) => {
    if (socket?.readyState !== WebSocket.OPEN) return false
    socket.send(JSON.stringify(frame))
    return true
  }

  const connect = () => {
    leave()
    const fresh = new WebSocket(`${pickUrl().replace('http', 'ws')}/ws`, { headers })
    socket = fresh
    later(CONNECT_TIMEOUT_MS)
    fresh.on('open', () => {
      if (socket !== fresh) return
      clearTimeout(timer)
      handshakes += 1
      heard()
      onOpen()
    })
    fresh.on('message', (data) => {
      if (socket !== fresh) return
      heard()
      const frame = JSON.parse(data.toString()) as ServerFrame
      if (frame.type === 'reconnect') {
        leave()
        return later(frame.afterMs)
      }
      if (frame.type !== 'error') failures = 0
      onFrame(frame)
    })
    fresh.on('error', () => {})
    fresh.on('close', () => {
      if (socket === fresh) retry()
    })
  }
  connect()

  return {
    send,
    pause: (ms) => {
      const slow = socket
      if (slow?.readyState !== WebSocket.OPEN) return
      slow.pause()
      clearTimeout(pulse)
      clearTimeout(reading)
      reading = setTimeout(() => {
        if (socket !== slow) return
        slow.resume()
        heard()
      }, ms)
    },
    get handshakes() {
      return handshakes
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      leave()
      clearTimeout(timer)
    },
  }
}
