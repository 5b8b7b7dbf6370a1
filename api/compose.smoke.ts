// The containers as a person runs them: two API replicas behind nginx, a lead, and a chat across two replicas that
// survives the loss of one; then more replicas and a newer version under load, a backup that is restored, the same site
// by TLS, and the refusal to start in public with well-known secrets. Run by .ci/run; always removes its containers and
// volumes.
import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import WebSocket from 'ws'
import { freePort } from '../events/local/port.ts'
import { leadReachesStaff, signIn, until } from '../events/local/smoke.ts'
import { tryOutSecretFault } from '../events/process/environment.ts'
import { beginLoad } from './testing/compose-load.ts'

const PROJECT = `agency-smoke-${process.pid}`
const UP_TIMEOUT_S = 180
const FRAME_TIMEOUT_MS = 10_000
const CONNECT_ATTEMPTS = 30
/** The commit that the new version reports. */
const NEXT_COMMIT = 'c0ffee0000000000000000000000000000000000'
/** Words that visitors and staff type in this run. */
const TYPED = ['Smoke Test', '@example.com', '+27 21 555 0100', 'are you there?', 'here again', 'zq-typed']

type Frame = { type: string; [field: string]: unknown }
type Connection = { node: string; socket: WebSocket; frames: Frame[] }

const port = await freePort()
const tlsPort = await freePort()
const site = `http://localhost:${port}`
const certificates = mkdtempSync(join(tmpdir(), 'agency-smoke-'))
const environment = {
  ...process.env,
  COMPOSE_PROJECT_NAME: PROJECT,
  PRODUCT_IMAGE: PROJECT,
  HTTP_PORT: String(port),
  PUBLIC_URL: site,
  LOG_LEVEL: 'info',
  // a machine that is a container itself may not allow more than its own limit
  OPEN_FILES: execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim().replace('unlimited', ''),
}
const output = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const

function compose(args: string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync('docker', ['compose', ...args], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...output,
  })
}

/** Runs a command while the load continues. */
async function meanwhile(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(command, args, { env: { ...environment, ...env }, ...output })
  return stdout + stderr
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

/** Connects until it reaches another replica than the one named. */
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

/** The container whose API node reports this name in X-Node. */
async function containerOf(node: string): Promise<string> {
  const ids = compose(['ps', '--quiet', 'api']).trim().split('\n')
  const ask = "fetch('http://127.0.0.1:3000/healthz').then((r) => console.log(r.headers.get('x-node')))"
  const found = ids.find(
    (id) => execFileSync('docker', ['exec', id, 'node', '--eval', ask], { encoding: 'utf8' }).trim() === node,
  )
  if (found === undefined) throw new Error(`No replica calls itself ${node}`)
  return found
}

async function smoke(): Promise<string> {
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
  for (const path of ['/zq-typed', '/?q=zq-typed', '/api/leads?q=zq-typed']) await fetch(site + path)
  return cookie
}

async function rollUnderLoad(cookie: string): Promise<void> {
  const load = beginLoad(site)
  const scale = ['--detach', '--no-recreate', '--scale', 'api=3', '--wait', '--wait-timeout', String(UP_TIMEOUT_S)]
  await meanwhile('docker', ['compose', 'up', ...scale, 'api'])
  const before = compose(['ps', '--quiet', 'api', 'worker']).trim().split('\n')
  await meanwhile('sh', ['api/roll.sh'], { CODE_COMMIT: NEXT_COMMIT })
  const after = compose(['ps', '--quiet', 'api', 'worker']).trim().split('\n')
  if (after.length !== before.length || after.some((id) => before.includes(id)))
    throw new Error('Not all were replaced')
  const versions = after.map((id) => execFileSync('docker', ['exec', id, 'printenv', 'CODE_COMMIT'], output).trim())
  if (versions.some((version) => version !== NEXT_COMMIT)) throw new Error(`These versions run: ${versions.join()}`)
  const { leads, refused, messages, reconnects } = await load.finish(cookie)
  process.stdout.write(
    `compose: scaled and rolled while ${leads} leads and ${messages} messages came, over ${reconnects} reconnects; ${refused} forms had to be sent again, nothing was lost or doubled\n`,
  )
}

/**
 * Whether pg_dump is new enough: it refuses a newer server, and a stand-in for Postgres's image may have no pg_dump.
 */
function canDump(): boolean {
  const major = (program: string) => {
    try {
      return / (\d+)/.exec(compose(['exec', '-T', 'postgres', program, '--version']))?.[1]
    } catch {
      return undefined
    }
  }
  if (major('pg_dump') === major('postgres')) return true
  process.stdout.write('*** THE IMAGE OF POSTGRES HAS NO pg_dump OF ITS OWN: THE BACKUP WAS NOT TRIED ***\n')
  return false
}

function restoreBackup(): void {
  compose(['run', '--rm', '--no-deps', '-T', 'backup', 'once'])
  compose(['run', '--rm', '--no-deps', '-T', 'backup-keys', 'once'])
  const drill = compose(['--profile', 'drill', 'run', '--rm', '-T', 'drill'])
  if (!drill.includes('The newest backup can be restored')) throw new Error(`The drill said: ${drill}`)
  compose(['--profile', 'drill', 'rm', '--stop', '--force', '--volumes', 'drill-postgres'])
  process.stdout.write(`compose: a backup was restored: ${/The log is whole: .*/.exec(drill)?.[0]}\n`)
}

async function answerByTls(): Promise<void> {
  const files = ['-keyout', join(certificates, 'privkey.pem'), '-out', join(certificates, 'fullchain.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...key, ...subject, ...files], { stdio: 'pipe' })
  const doors = { DOMAIN: 'localhost', HTTP_ADDRESS: '127.0.0.1', HTTPS_PORT: String(tlsPort) }
  compose(['up', '--detach', '--no-deps', '--wait', 'nginx'], { ...doors, TLS_CERTIFICATES: certificates })
  setDefaultCACertificates([readFileSync(join(certificates, 'fullchain.pem'), 'utf8')])
  await until('A page by TLS', FRAME_TIMEOUT_MS, async () => {
    const page = await fetch(`https://localhost:${tlsPort}/`)
    return page.status === 200 ? true : undefined
  })
  const plain = await fetch(`${site}/contract`, { redirect: 'manual' })
  if (plain.status !== 301 || !plain.headers.get('location')?.startsWith('https://localhost')) {
    throw new Error(`Without TLS the site answered ${plain.status} to ${plain.headers.get('location')}`)
  }
  process.stdout.write('compose: TLS ends at nginx, and what comes without is sent there\n')
}

function refuseTryOutInPublic(): void {
  const publicly = { DOMAIN: 'www.agency.example', TLS_CERTIFICATES: certificates, PUBLIC_URL: '' }
  try {
    compose(['run', '--rm', '--no-deps', '-T', 'migrations'], publicly)
  } catch (error) {
    const said = String(error instanceof Error && 'stderr' in error ? error.stderr : error)
    for (const name of ['DATABASE_URL', 'MIGRATIONS_DATABASE_URL']) {
      if (!said.includes(tryOutSecretFault(name))) throw new Error(`The start was refused with: ${said}`)
    }
    process.stdout.write('compose: with secrets of the try-out nothing starts in public\n')
    return
  }
  throw new Error('The site started in public with secrets of the try-out')
}

/** Checks that no log, including nginx's, contains text that was typed in this run. */
function logsHoldNothingTyped(): void {
  const logs = compose(['logs', '--no-color'])
  for (const typed of TYPED) if (logs.includes(typed)) throw new Error(`A log holds "${typed}"`)
  if (!logs.includes('"place":"socket"')) throw new Error('nginx wrote no access log')
  process.stdout.write('compose: no log holds what was typed\n')
}

try {
  const waiting = ['--wait', '--wait-timeout', String(UP_TIMEOUT_S)]
  compose(['up', '--detach', '--build', '--scale', 'api=2', ...waiting])
  const [, published] =
    compose(['port', 'nginx', '8080'])
      .trim()
      .match(/^(.*):\d+$/) ?? []
  if (published !== '127.0.0.1') throw new Error(`Without a domain nginx listens on ${published}`)
  const cookie = await smoke()
  logsHoldNothingTyped() // those of the containers that a roll removes
  await rollUnderLoad(cookie)
  if (canDump()) restoreBackup()
  logsHoldNothingTyped()
  await answerByTls()
  refuseTryOutInPublic()
} catch (error) {
  process.stderr.write(compose(['logs', '--tail', '40']))
  throw error
} finally {
  rmSync(certificates, { recursive: true })
  compose(['--profile', '*', 'down', '--volumes', '--timeout', '15'])
  execFileSync('sh', ['-c', `docker image ls --quiet ${PROJECT} | sort -u | xargs -r docker image rm --force`], {
    stdio: 'ignore',
  })
}
