import { growingDelay } from '../../../events/base/backoff.ts'
import type { ClientFrame } from '../../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'

const CONNECT_TIMEOUT_MS = 5_000

/** A network that disappears without notice leaves a socket that looks open: after this much silence it is pinged. */
const PING_AFTER_MS = 20_000
const PONG_TIMEOUT_MS = 8_000

// The code that browsers report for a socket that the page itself closes.
const LEFT = 1005

/** A connection that reconnects automatically. */
export type Connection = {
  /** Sends a frame; false while there is no connection: the sender stores frames that must not be lost. */
  send: (frame: ClientFrame) => boolean
  /** Drops a socket that does not seem to respond, and reconnects in a moment. */
  restart: () => void
  close: () => void
}

export const socketAddress = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`

const frameOf = (data: unknown): ServerFrame | undefined => {
  try {
    const frame = JSON.parse(String(data))
    return typeof frame?.type === 'string' ? frame : undefined
  } catch {
    return undefined
  }
}

/** Pings a connection that has been silent for a while. `ping` returns whether the ping could be sent. */
const openPulse = ({ ping, onSilence }: { ping: () => boolean; onSilence: () => void }) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const sendPing = () => {
    stop()
    if (ping()) timer = setTimeout(onSilence, PONG_TIMEOUT_MS)
  }
  return {
    sendPing,
    stop,
    /** Called when a frame arrives: the connection is alive. */
    frameArrived: () => {
      stop()
      timer = setTimeout(sendPing, PING_AFTER_MS)
    },
  }
}

type DeviceListeners = { signal: AbortSignal; onOnline: () => void; onOffline: () => void; onShown: () => void }

/** Calls back when the device gains or loses its network, and when the page is shown again. */
const followDevice = ({ signal, onOnline, onOffline, onShown }: DeviceListeners) => {
  addEventListener('online', onOnline, { signal })
  addEventListener('offline', onOffline, { signal })
  // A phone that wakes up may hold a socket that has died since then.
  document.addEventListener('visibilitychange', () => document.hidden || onShown(), { signal })
}

/**
 * Opens the chat socket and keeps it open. Its state is one of: connecting, until it opens or times out; open; asked to
 * move, until the server's time for it; waiting to retry, with growing, jittered pauses; without network, until the
 * device has one; closed. A socket whose server falls silent is dropped.
 */
export const openConnection = (listen: {
  onOpen: () => void
  onFrame: (frame: ServerFrame) => void
  onClose: (code: number) => void
  address?: string
}): Connection => {
  const listening = new AbortController()
  let socket: WebSocket | undefined
  /** The number of useless connections in a row: a refusal is not a success. */
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = false
  let movesAt: number | undefined
  let closed = false

  const later = (delay: number) => {
    clearTimeout(timer)
    timer = setTimeout(connect, delay)
  }

  const lost = (code: number) => {
    pulse.stop()
    if (isOpen && !closed) listen.onClose(code)
    isOpen = false
  }

  const leave = () => {
    const old = socket
    socket = undefined
    if (!old) return
    old.close()
    lost(LEFT)
  }

  const retry = () => {
    later(growingDelay(failures))
    failures += 1
  }

  const abandon = () => {
    leave()
    if (!closed) retry()
  }

  const send = (frame: ClientFrame) => {
    if (socket?.readyState !== WebSocket.OPEN) return false
    socket.send(JSON.stringify(frame))
    return true
  }

  const pulse = openPulse({ ping: () => isOpen && send({ type: 'ping' }), onSilence: abandon })

  const connect = () => {
    leave()
    if (closed) return
    const fresh = new WebSocket(listen.address ?? socketAddress())
    socket = fresh
    movesAt = undefined
    clearTimeout(timer)
    timer = setTimeout(abandon, CONNECT_TIMEOUT_MS)
    fresh.onopen = () => {
      if (socket !== fresh) return
      clearTimeout(timer)
      isOpen = true
      pulse.frameArrived()
      listen.onOpen()
    }
    fresh.onmessage = ({ data }) => {
      if (socket !== fresh) return
      pulse.frameArrived()
      const frame = frameOf(data)
      if (!frame) return
      if (frame.type !== 'error' && frame.type !== 'reconnect') failures = 0
      if (frame.type !== 'reconnect') return listen.onFrame(frame)
      movesAt = Date.now() + frame.afterMs
      later(frame.afterMs)
    }
    fresh.onclose = ({ code }) => {
      if (socket !== fresh) return
      socket = undefined
      if (movesAt === undefined) retry()
      lost(code)
    }
  }

  followDevice({
    signal: listening.signal,
    onOnline: () => {
      if (!socket && movesAt === undefined) connect()
    },
    onOffline: () => {
      leave()
      later(growingDelay(failures))
    },
    onShown: pulse.sendPing,
  })
  connect()

  return {
    send,
    restart: abandon,
    close: () => {
      closed = true
      clearTimeout(timer)
      listening.abort()
      leave()
    },
  }
}
