import { waitFor } from '@testing-library/react'
import type { ClientFrame } from '../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../events/chat/sent-frames.ts'

type FrameOf<Type extends ClientFrame['type']> = Extract<ClientFrame, { type: Type }>

/** The close code of a connection that breaks off. */
const BROKEN = 1006

/** A node takes its time to open a connection: by then the page's immediate work is done. */
const OPENS_AFTER_MS = 10

/** Receives each frame that a page sends, in place of a node. */
type Receive = (frame: ClientFrame, socket: TestSocket) => void

/**
 * The chat socket of a page in a document test, which acts as the node: it reads the frames of the page, and sends
 * frames to it. `useTestSocket` replaces the browser's socket by it.
 */
export class TestSocket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  /** The sockets that pages have opened since `useTestSocket`, the newest last. */
  static opened: TestSocket[] = []
  /** Whether connections open; otherwise they break off. */
  static isReachable = true
  static receive: Receive = () => {}

  readonly url: string
  /** The frames that the page has sent over this connection. */
  readonly sent: ClientFrame[] = []
  readyState = TestSocket.CONNECTING
  onopen: (() => void) | undefined
  onmessage: ((event: { data: string }) => void) | undefined
  onclose: ((event: { code: number }) => void) | undefined

  constructor(url: string) {
    this.url = url
    TestSocket.opened.push(this)
    setTimeout(() => {
      if (this.readyState !== TestSocket.CONNECTING) return
      if (!TestSocket.isReachable) return this.breakOff()
      this.readyState = TestSocket.OPEN
      this.onopen?.()
    }, OPENS_AFTER_MS)
  }

  send(text: string) {
    if (this.readyState !== TestSocket.OPEN) return
    const frame: ClientFrame = JSON.parse(text)
    this.sent.push(frame)
    // a node responds later
    queueMicrotask(() => TestSocket.receive(frame, this))
  }

  /** The page leaves. */
  close() {
    this.readyState = TestSocket.CLOSED
  }

  /** The node sends the page frames. */
  tell(...frames: ServerFrame[]) {
    for (const frame of frames)
      if (this.readyState === TestSocket.OPEN) this.onmessage?.({ data: JSON.stringify(frame) })
  }

  /** The connection breaks off, or the node closes it with a code of its own. */
  breakOff(code = BROKEN) {
    if (this.readyState === TestSocket.CLOSED) return
    this.readyState = TestSocket.CLOSED
    this.onclose?.({ code })
  }
}

/** Replaces the browser's socket by `TestSocket`; `receive` gets the frames that pages send. */
export const useTestSocket = (receive: Receive = () => {}) => {
  TestSocket.opened = []
  TestSocket.isReachable = true
  TestSocket.receive = receive
  Object.assign(globalThis, { WebSocket: TestSocket })
}

/** How long a machine under load may take to load the code of a screen, which the first test waits for. */
const LOAD_TIMEOUT_MS = 60_000

/** The last opened socket, once it is open. */
export const openSocket = (): Promise<TestSocket> =>
  waitFor(
    () => {
      const socket = TestSocket.opened.at(-1)
      if (socket?.readyState !== TestSocket.OPEN) throw new Error('No socket is open')
      return socket
    },
    { timeout: LOAD_TIMEOUT_MS },
  )

/** All frames of a type that pages have sent, over any connection, in order. */
export const framesOf = <Type extends ClientFrame['type']>(type: Type): FrameOf<Type>[] =>
  TestSocket.opened.flatMap(({ sent }) => sent.filter((frame): frame is FrameOf<Type> => frame.type === type))
