import { WebSocket } from 'ws'
import type { Line, LineOptions } from '../../events/local/soak/line.ts'
import { openConnection } from './connection.ts'

/** What the sockets of all lines did, by the clock of `performance.now()`. */
export type LineRecord = {
  /** Each attempt to connect. */
  tries: number[]
  /** Each connection that a node took. */
  opened: number[]
  /** Each connection that ended, with the node's address and the code that its client was given. */
  closed: { at: number; url: string; code: number }[]
  /** For how many milliseconds each client had none until it had its next. */
  gaps: number[]
}

/** Whose line it is. `node` is the address of the one that took them in last. */
type Person = Pick<LineOptions, 'headers' | 'pickUrl'> & {
  socket: WebSocket | undefined
  node: string | undefined
  lostAt: number | undefined
}

const CROWD = 'ws://crowd/'

/**
 * For benchmarks: lines that are kept by the very code of the visitors' pages, in Node.js, with a browser's socket put
 * before it. Each line has its own headers and finds its own node.
 */
export const openLines = () => {
  const record: LineRecord = { tries: [], opened: [], closed: [], gaps: [] }
  const people: Person[] = []

  class PageSocket extends WebSocket {
    constructor(address: string) {
      const person = people[Number(address.slice(CROWD.length))]
      if (!person) throw new Error(`Nobody has the address ${address}`)
      const url = person.pickUrl()
      super(`${url.replace('http', 'ws')}/ws`, { headers: person.headers, perMessageDeflate: false })
      record.tries.push(performance.now())
      person.socket = this
      this.on('error', () => {}) // what a page is told of it is `close`
      this.on('open', () => {
        const now = performance.now()
        record.opened.push(now)
        person.node = url
        if (person.lostAt !== undefined) record.gaps.push(now - person.lostAt)
        person.lostAt = undefined
        this.once('close', (code) => {
          record.closed.push({ at: performance.now(), url, code })
          const hasNext = person.socket !== this && person.socket?.readyState === WebSocket.OPEN
          if (hasNext) record.gaps.push(0)
          else person.lostAt ??= performance.now()
        })
      })
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
    /** Whether each line was taken in last by one of these nodes. */
    areAllAt: (urls: readonly string[]) => people.every(({ node }) => node !== undefined && urls.includes(node)),
    /** Forgets what has been recorded. */
    reset: () => {
      for (const list of Object.values(record)) list.length = 0
    },
  }
}
