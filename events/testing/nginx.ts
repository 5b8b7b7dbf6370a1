import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { findOnPath, hasApt, libraryPath, unpackFromApt } from '../local/apt-packages.ts'
import { privateFolder } from '../local/data-dir.ts'
import { lastWords, startGuarded } from '../local/guard.ts'
import { freePort } from '../local/port.ts'
import { postgresUser } from '../local/postgres-programs.ts'
import { makeTestFolder } from './folders.ts'
import { eventually } from './node.ts'

const PROGRAMS = resolve('node_modules/.cache/nginx-programs')
const CONFIGURATION = 'api/nginx'
/** The site's own name on the TLS port. */
export const TEST_DOMAIN = 'www.agency.example'

/** An nginx of a test, with the product's own configuration. */
export type TestNginx = {
  port: number
  /** The port that ends TLS; undefined without certificates. */
  tlsPort: number | undefined
  /** All that it has written to its logs. */
  printed: () => string
  stop: () => Promise<void>
}

/** Finds nginx: on the path, else Debian's package, unpacked for the tests. */
const findNginx = async () => {
  const installed = findOnPath('nginx') ?? ['/usr/sbin/nginx'].find(existsSync)
  if (installed !== undefined) return { command: installed, env: {} }
  const unpacked = join(PROGRAMS, 'usr', 'sbin', 'nginx')
  if (!existsSync(unpacked) && hasApt()) {
    process.stdout.write(`nginx is not installed: unpacking this system's package into ${PROGRAMS}\n`)
    await unpackFromApt('nginx-light', PROGRAMS)
  }
  return existsSync(unpacked) ? { command: unpacked, env: { LD_LIBRARY_PATH: libraryPath(PROGRAMS) } } : undefined
}

/** nginx, if it is available here; otherwise the reason is printed. */
export const nginx = await findNginx().catch(() => undefined)
if (nginx === undefined) process.stdout.write('*** NO NGINX ON THIS MACHINE: what runs behind it is not tested ***\n')

/** The folders of temporary files that this nginx was built with, moved into one of ours. */
const temporaryFolders = (command: string, env: NodeJS.ProcessEnv, folder: string) => {
  const built = execFileSync('/bin/sh', ['-c', '"$1" -V 2>&1', 'sh', command], { encoding: 'utf8', env })
  return [...built.matchAll(/--http-([a-z-]+)-temp-path=/g)]
    .map(([, kind = '']) => `${kind.replaceAll('-', '_')}_temp_path ${folder}/${kind};`)
    .join('\n')
}

/**
 * Starts nginx as compose.yaml does, before these addresses (`host:port`) instead of Docker's names, on loopback ports.
 * With a folder of certificates TLS ends there. `proxies` is TRUST_PROXY: how many there are, this one among them.
 */
export const startNginx = async (
  before: string | string[],
  { certificates, proxies = 1 }: { certificates?: string; proxies?: 1 | 2 | 3 } = {},
): Promise<TestNginx> => {
  if (nginx === undefined) throw new Error('No nginx on this machine: apt-get install nginx-light')
  const env = { PATH: process.env.PATH, ...nginx.env }
  const folder = makeTestFolder()
  const user = postgresUser()
  privateFolder(folder, user)
  const port = await freePort()
  const tlsPort = certificates === undefined ? undefined : await freePort()
  // nginx does not remember failures of a server behind a name: nor of these
  const servers = [before]
    .flat()
    .map((address) => `server ${address} max_fails=0;`)
    .join(' ')
  const place = (text: string) =>
    text
      .replace('user nginx;', '')
      .replace('/run/nginx.pid', join(folder, 'pid'))
      .replace('/dev/stdout', join(folder, 'access'))
      .replaceAll('/etc/nginx/certificates', certificates ?? '')
      .replaceAll('/etc/nginx', folder)
      .replace(join(folder, 'conf.d/domain.conf'), join(folder, 'domain.conf.template'))
      .replace(/\$\{DOMAIN\}/, TEST_DOMAIN)
      .replaceAll('listen 8080', `listen 127.0.0.1:${port}`)
      .replaceAll('listen 8443', `listen 127.0.0.1:${tlsPort}`)
      .replace(/^resolver .*$/m, '')
      .replace('api:3000', 'nodes')
      .replace('http {', `http {\n    upstream nodes { ${servers} }`)
      .replace(
        'default_type application',
        `${temporaryFolders(nginx.command, env, folder)}\n    default_type application`,
      )
  for (const name of readdirSync(CONFIGURATION)) {
    writeFileSync(join(folder, name), place(readFileSync(join(CONFIGURATION, name), 'utf8')))
  }
  const use = (name: string, as: string) => writeFileSync(join(folder, as), readFileSync(join(folder, name)))
  use(certificates === undefined ? 'http.conf' : 'https.conf', 'site.conf')
  use(`client-${proxies}.conf`, 'client.conf')
  const logFile = join(folder, 'log')
  const server = startGuarded({
    command: nginx.command,
    args: ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'],
    cwd: folder,
    env,
    user,
    logFile,
    stopSignal: 'TERM',
    lastSignal: 'KILL',
  })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  await eventually(async () => {
    if (server.hasEnded()) throw new Error(`nginx did not start: ${lastWords(logFile, /emerg/)}`)
    await new Promise<void>((done, failed) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(() => done()))
      socket.once('error', failed)
    })
  }).catch(async (error) => {
    await stop()
    throw error
  })
  return {
    port,
    tlsPort,
    printed: () => readFileSync(join(folder, 'access'), 'utf8') + readFileSync(logFile, 'utf8'),
    stop,
  }
}
