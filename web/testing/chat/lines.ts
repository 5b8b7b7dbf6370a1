import { WebSocket } from 'ws'
import type { Line, LineOptions } from '../../../events/testing/soak/line.ts'
import { openConnection } from '../../chat/messaging/connection.ts'

/** The record of all connections, by the clock of `performance.now()`. */
export type LineRecord = {
  /** Each attempt of a page to connect. */
  tries: number[]
  /** Each connection that a node took. */
  opened: number[]
  /** Each connection that ended, with the node's address and the code that its client was given. */
  closed: { at: number; url: string; code: number }[]
  /** The time in milliseconds that each client was without a connection. */
  gaps: number[]
}

/** The visitor of a connection. `node` is the address of the last one that accepted them. */
type Person = Pick<LineOptions, 'headers' | 'pickUrl'> & {
  socket: WebSocket | undefined
  node: string | undefined
  lostAt: number | undefined
}

const CROWD = 'ws://crowd/'
/** The status by which a node refuses a socket that another one may take. */
const ELSEWHERE = 503
/** The close code that a browser reports for a connection that never opened. */
const NEVER_OPENED = 1006

/**
 * For benchmarks: connections made by the very code of the visitors' pages, in Node.js, with an adapter of a browser's
 * socket. Each connection has its own headers and finds its own node. `nodes` are those that the front knows: as nginx
 * does (`api/nginx/node.conf`), it passes a socket on to the next one if a node does not respond or refuses it with
 * 503. For the page it is one try, however many nodes are tried.
 */
export const openLines = (nodes: () => readonly string[]) => {
  const record: LineRecord = { tries: [], opened: [], closed: [], gaps: [] }
  const people: Person[] = []

  const noteOpen = (person: Person, socket: WebSocket, url: string) => {
    const now = performance.now()
    record.opened.push(now)
    person.node = url
    person.socket = socket
    if (person.lostAt !== undefined) record.gaps.push(now - person.lostAt)
    person.lostAt = undefined
    socket.once('close', (code) => {
      record.closed.push({ at: performance.now(), url, code })
      const hasNext = person.socket !== socket && person.socket?.readyState === WebSocket.OPEN
      if (hasNext) record.gaps.push(0)
      else person.lostAt ??= performance.now()
    })
  }

  /** The parts of a page's socket that its code uses. */
  class PageSocket {
    static readonly OPEN = WebSocket.OPEN
    onopen = () => {}
    onmessage = (_: { data: unknown }) => {}
    onclose = (_: { code: number }) => {}
    readonly #person: Person
    #socket: WebSocket | undefined
    #isLeft = false

    constructor(address: string) {
      const person = people[Number(address.slice(CROWD.length))]
      if (!person) throw new Error(`Nobody has the address ${address}`)
      this.#person = person
      record.tries.push(performance.now())
      const first = person.pickUrl()
      this.#ask([first, ...nodes().filter((url) => url !== first)])
    }

    #ask([url, ...others]: string[]) {
      if (this.#isLeft) return
      if (url === undefined) {
        this.onclose({ code: NEVER_OPENED })
        return
      }
      const { headers } = this.#person
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers, perMessageDeflate: false })
      this.#socket = socket
      let isOpen = false
      let isPassedOn = false
      const passOn = () => {
        if (isOpen || isPassedOn) return
        isPassedOn = true
        this.#ask(others)
      }
      socket.on('unexpected-response', (request, { statusCode }) => {
        request.destroy()
        if (statusCode === ELSEWHERE) return passOn()
        isPassedOn = true
        this.onclose({ code: NEVER_OPENED })
      })
      socket.on('error', passOn) // an open one is reported by `close`
      socket.on('open', () => {
        isOpen = true
        noteOpen(this.#person, socket, url)
        this.onopen()
      })
      socket.on('message', (data) => this.onmessage({ data }))
      socket.on('close', (code) => isOpen && this.onclose({ code }))
    }

    get readyState() {
      return this.#socket?.readyState ?? WebSocket.CLOSED
    }

    send(text: string) {
      this.#socket?.send(text)
    }

    close() {
      this.#isLeft = true
      this.#socket?.close()
    }
  }
  const page = { addEventListener: () => {}, document: { hidden: false, addEventListener: () => {} } }
  Object.assign(globalThis, page, { WebSocket: PageSocket })

  const connect = ({ headers, pickUrl, onOpen, onFrame, onClose }: LineOptions): Line => {
    const person: Person = { headers, pickUrl, socket: undefined, node: undefined, lostAt: undefined }
    const address = `${CROWD}${people.push(person) - 1}`
    let handshakes = 0
    const connection = openConnection({
      address,
      onOpen: () => {
        handshakes += 1
        onOpen()
      },
      onFrame: (frame) => onFrame(frame as Parameters<typeof onFrame>[0]),
      onClose,
    })
    return {
      send: connection.send,
      pause: (ms) => {
        const { socket } = person
        socket?.pause()
        setTimeout(() => socket?.resume(), ms)
      },
      get handshakes() {
        return handshakes
      },
      close: connection.close,
    }
  }

  return {
    record,
    connect,
    /** Whether one of these nodes was the last to accept each connection. */
    areAllAt: (urls: readonly string[]) => people.every(({ node }) => node !== undefined && urls.includes(node)),
    /** Clears the record. */
    reset: () => {
      for (const list of Object.values(record)) list.length = 0
    },
  }
}
