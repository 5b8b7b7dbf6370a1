import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** An email as the server received it: the envelope, and the message as it was sent over the wire. */
export type Taken = { from: string; to: string[]; message: string; isUtf8: boolean }

/** The server's response to a recipient, or a message: undefined accepts it, a refusal has a status such as 450. */
type Answer = { status: number; text: string } | undefined

/** An SMTP server on loopback without TLS. */
export type TestSmtp = {
  /** Its address with the credentials that it takes. */
  url: string
  urlWith: (credentials: string) => string
  taken: Taken[]
  /** The names that were sent with a password so far. */
  signIns: string[]
  /** Sets its responses from now on. */
  answer: (answers: { recipient?: (address: string) => Answer | 'nothing'; message?: () => Answer | 'nothing' }) => void
  close: () => Promise<void>
}

const refusal = ({ status, text }: NonNullable<Answer>) => Object.assign(new Error(text), { responseCode: status })

/**
 * Opens the server on a free port; it wants the user `site` with the password `p@ss`. Without `takesUtf8` it refuses
 * addresses that have other characters than ASCII.
 */
export const openTestSmtp = async ({ takesUtf8 = true } = {}): Promise<TestSmtp> => {
  const taken: Taken[] = []
  const signIns: string[] = []
  let recipient: (address: string) => Answer | 'nothing' = () => undefined
  let answerMessage: () => Answer | 'nothing' = () => undefined
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    hideSMTPUTF8: !takesUtf8,
    onAuth: ({ username = '', password }, _session, done) => {
      signIns.push(username)
      if (username === 'site' && password === 'p@ss') return done(null, { user: username })
      done(refusal({ status: 535, text: '5.7.8 Authentication failed' }))
    },
    onRcptTo: ({ address }, _session, done) => {
      const isRefused = !takesUtf8 && /[^\p{ASCII}]/u.test(address)
      const answer = isRefused ? { status: 553, text: '5.6.7 Not an ASCII address' } : recipient(address)
      if (answer === 'nothing') return
      done(answer && refusal(answer))
    },
    onData: async (stream, { envelope }, done) => {
      const message = (await buffer(stream)).toString()
      const answer = answerMessage()
      if (answer === 'nothing') return
      if (answer) return done(refusal(answer))
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
      const isUtf8 = envelope.smtpUtf8 === true
      taken.push({ from, to: envelope.rcptTo.map(({ address }) => address), message, isUtf8 })
      done()
    },
  })
  server.on('error', () => {}) // a client that gave up
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const urlWith = (credentials: string) => `smtp://${credentials}127.0.0.1:${port}`
  return {
    url: urlWith('site:p%40ss@'),
    urlWith,
    taken,
    signIns,
    answer: ({ recipient: onRecipient = () => undefined, message = () => undefined }) => {
      recipient = onRecipient
      answerMessage = message
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A server that takes connections and says nothing, or says one line again and again. */
export const openSilentServer = async (line?: string): Promise<{ url: string; close: () => void }> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (line === undefined) return
    const timer = setInterval(() => socket.write(line), 1_000)
    socket.on('close', () => clearInterval(timer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
