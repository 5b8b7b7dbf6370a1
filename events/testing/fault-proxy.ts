import { createConnection, createServer, type Server, type Socket } from 'node:net'

/**
 * A TCP proxy between a program under test and a server, whose address stays the same over every fault. For tests: it
 * holds bytes back in memory.
 */
export type FaultProxy = {
  /** The server's address with the proxy's host and port in place of its own. */
  url: string
  /** How many connections it has accepted. */
  readonly accepted: number
  /** From now on each chunk, in both directions, arrives this much later. */
  delay: (ms: number) => void
  /** Connections stay open and new ones are accepted, but nothing passes until `resume`. */
  stall: () => void
  /** Ends all connections as a crashed server would; new ones are accepted. */
  cut: () => void
  /**
   * Ends each connection that is open now once the server responds on it next, and discards that response: the request
   * is carried out without the client's knowledge.
   */
  loseAnswers: () => void
  /** Ends all connections and refuses new ones until `resume`. */
  refuse: () => Promise<void>
  /** Undoes delay, stall and refusal; bytes that were held back pass, in order. */
  resume: () => Promise<void>
  close: () => Promise<void>
}

type Pipe = { chunks: { data: Buffer; at: number }[]; to: Socket; timer: NodeJS.Timeout | undefined }

/**
 * Opens a proxy on loopback in front of the server that `targetUrl` names (postgres:, redis:, http: …). `answers`
 * makes, for each connection, the filter that decides which of the server's bytes pass.
 */
export async function openFaultProxy(
  targetUrl: string,
  { answers = () => (data) => data }: { answers?: () => (data: Buffer) => Buffer } = {},
): Promise<FaultProxy> {
  const target = new URL(targetUrl)
  const pipes = new Set<Pipe>()
  const sockets = new Set<Socket>()
  /** The server's ends of connections whose next response is lost. */
  const losing = new Set<Socket>()
  const servers = new Set<Socket>()
  let delayMs = 0
  let isStalled = false
  let isRefusing = false
  let accepted = 0

  const flush = (pipe: Pipe) => {
    clearTimeout(pipe.timer)
    pipe.timer = undefined
    while (!isStalled && pipe.chunks[0] !== undefined) {
      const wait = pipe.chunks[0].at - Date.now()
      if (wait > 0) {
        pipe.timer = setTimeout(flush, wait, pipe)
        return
      }
      const chunk = pipe.chunks.shift()
      if (chunk !== undefined && !pipe.to.destroyed) pipe.to.write(chunk.data)
    }
  }
  const join = (from: Socket, to: Socket, pass: (data: Buffer) => Buffer) => {
    const pipe: Pipe = { chunks: [], to, timer: undefined }
    pipes.add(pipe)
    sockets.add(from)
    from.setNoDelay(true)
    from.on('data', (data: Buffer) => {
      if (losing.has(from)) {
        for (const end of [from, to]) end.resetAndDestroy()
        return
      }
      pipe.chunks.push({ data: pass(data), at: Date.now() + delayMs })
      flush(pipe)
    })
    from.on('error', () => {})
    from.on('close', () => {
      flush(pipe)
      clearTimeout(pipe.timer)
      pipes.delete(pipe)
      sockets.delete(from)
      servers.delete(from)
      losing.delete(from)
      to.end()
    })
  }
  const accept = (client: Socket) => {
    accepted += 1
    const upstream = createConnection({ host: target.hostname, port: Number(target.port) })
    servers.add(upstream)
    join(client, upstream, (data) => data)
    join(upstream, client, answers())
  }
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  let server = await listen(accept, 0)
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const stopListening = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    cut()
    await closed
  }

  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    get accepted() {
      return accepted
    },
    delay: (ms) => {
      delayMs = ms
    },
    stall: () => {
      isStalled = true
    },
    cut,
    loseAnswers: () => {
      for (const server of servers) losing.add(server)
    },
    refuse: async () => {
      if (isRefusing) return
      isRefusing = true
      await stopListening()
    },
    resume: async () => {
      delayMs = 0
      isStalled = false
      for (const pipe of pipes) {
        for (const chunk of pipe.chunks) chunk.at = 0
        flush(pipe)
      }
      if (!isRefusing) return
      server = await listen(accept, port)
      isRefusing = false
    },
    close: async () => {
      if (!isRefusing) await stopListening()
    },
  }
}

function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(accept)
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
