// The containers as a person runs them: three API replicas behind nginx, a lead, a chat across two replicas that
// survives the loss of one. Run by .ci/run; always takes its containers and volumes down again.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import WebSocket from 'ws'
import { freePort } from '../events/local/port.ts'
import { leadReachesStaff, signIn, until } from '../events/local/smoke.ts'

const PROJECT = `agency-smoke-${process.pid}`
const UP_TIMEOUT_S = 180
const FRAME_TIMEOUT_MS = 10_000
const CONNECT_ATTEMPTS = 30

type Frame = { type: string; [field: string]: unknown }
type Connection = { node: string; socket: WebSocket; frames: Frame[] }

const port = await freePort()
const site = `http://localhost:${port}`
const environment = { ...process.env, HTTP_PORT: String(port), PUBLIC_URL: site, LOG_LEVEL: 'warn' }

function compose(...args: string[]): string {
  return execFileSync('docker', ['compose', '--project-name', PROJECT, ...args], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function connect(headers: Record<string, string>): Promise<Connection> {
  const socket = new WebSocket(`${site.replace('http', 'ws')}/ws`, { headers: { origin: site, ...headers } })
  const frames: Frame[] = []
  socket.on('error', () => {})
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  const node = new Promise<string>((resolve) => {
    socket.once('upgrade', (response) => resolve(String(response.headers['x-node'])))
  })
  await once(socket, 'open')
  return { node: await node, socket, frames }
}

const send = ({ socket }: Connection, frame: Frame) => socket.send(JSON.stringify(frame))

function receive(connection: Connection, what: string, matches: (frame: Frame) => boolean): Promise<Frame> {
  return until(what, FRAME_TIMEOUT_MS, async () => connection.frames.find(matches))
}

/** Connects until it is on another replica than the one named. */
async function connectElsewhere(than: string, headers: Record<string, string>): Promise<Connection> {
  for (let attempt = 0; attempt < CONNECT_ATTEMPTS; attempt++) {
    const connection = await connect(headers)
    if (connection.node !== than) return connection
    connection.socket.terminate()
  }
  throw new Error(`${CONNECT_ATTEMPTS} connections all went to ${than}`)
}

async function say(from: Connection, to: Connection, sessionId: unknown, message: string): Promise<void> {
  send(from, { type: 'send_message', sessionId, message, clientMessageId: randomUUID() })
  await receive(to, `"${message}"`, (frame) => frame.type === 'new_message' && frame.message === message)
}

/** The container whose API node has this name in X-Node. */
async function containerOf(node: string): Promise<string> {
  const ids = compose('ps', '--quiet', 'api').trim().split('\n')
  const ask = "fetch('http://127.0.0.1:3000/healthz').then((r) => console.log(r.headers.get('x-node')))"
  const found = ids.find(
    (id) => execFileSync('docker', ['exec', id, 'node', '--eval', ask], { encoding: 'utf8' }).trim() === node,
  )
  if (found === undefined) throw new Error(`No replica calls itself ${node}`)
  return found
}

async function smoke(): Promise<void> {
  const cookie = await signIn(site, 'staff', process.env.STAFF_PASSWORD || 'try-out-only')
  await leadReachesStaff(site, cookie)
  process.stdout.write('compose: a lead reached the staff’s list\n')

  const staff = await connect({ cookie })
  const visitor = await connectElsewhere(staff.node, {})
  send(staff, { type: 'join_admin' })
  await receive(staff, 'active_sessions', (frame) => frame.type === 'active_sessions')
  send(visitor, { type: 'join_chat', visitorName: 'Smoke', pageUrl: `${site}/` })
  const { sessionId, resumeToken } = await receive(visitor, 'chat_joined', (frame) => frame.type === 'chat_joined')
  await say(visitor, staff, sessionId, 'hello')
  await say(staff, visitor, sessionId, 'welcome')
  process.stdout.write(`compose: a chat crossed replicas ${visitor.node} and ${staff.node}\n`)

  const lost = once(visitor.socket, 'close')
  execFileSync('docker', ['kill', await containerOf(visitor.node)], { stdio: 'ignore' })
  await lost
  send(staff, { type: 'send_message', sessionId, message: 'are you there?', clientMessageId: randomUUID() })
  const back = await until('A new connection after the loss of a replica', FRAME_TIMEOUT_MS, () => connect({}))
  send(back, { type: 'join_chat', visitorName: 'Smoke', pageUrl: `${site}/`, sessionId, resumeToken, afterSequence: 2 })
  await receive(back, 'the resumed chat', (frame) => frame.type === 'chat_joined' && frame.resumed === true)
  await receive(back, 'the missed message', (frame) => JSON.stringify(frame).includes('are you there?'))
  await say(back, staff, sessionId, 'here again')
  process.stdout.write('compose: the chat went on after a replica was killed\n')
  staff.socket.terminate()
  back.socket.terminate()
}

try {
  compose('up', '--detach', '--build', '--scale', 'api=3', '--wait', '--wait-timeout', String(UP_TIMEOUT_S))
  await smoke()
} catch (error) {
  process.stderr.write(compose('logs', '--tail', '40'))
  throw error
} finally {
  compose('down', '--volumes', '--timeout', '15')
}
