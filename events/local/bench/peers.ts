import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Peer, PeerEvent } from './append-peers.ts'

/** Opens a peer of the append on a database; it makes its own tables there. */
export type OpenPeer = (databaseUrl: string, event: () => PeerEvent) => Promise<Peer>

const FOLDER = fileURLToPath(new URL('peers', import.meta.url))
/** The last installation: a copy of the lock file. */
const STAMP = join(FOLDER, 'node_modules', '.installed')

/** Installs the peers' packages, unless they are there. The project itself and its tests do without. */
export const installPeers = async (): Promise<void> => {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return
  process.stdout.write('Installing the peers of the benchmarks (once)\n')
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--prefix', FOLDER], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const status = await new Promise<number | null>((resolve, reject) => {
    npm.once('error', reject)
    npm.once('exit', resolve)
  })
  if (status !== 0) throw new Error(`The peers could not be installed: npm ci in ${FOLDER} ended with status ${status}`)
  writeFileSync(STAMP, lock)
}

/** Opens a peer of the append. The compiler does not follow the import: it works without the peers' packages. */
export const openAppendPeer = async (
  name: 'emmett' | 'message-db',
  databaseUrl: string,
  event: () => PeerEvent,
): Promise<Peer> => {
  const { openPeer } = (await import(new URL(`peers/${name}.ts`, import.meta.url).href)) as { openPeer: OpenPeer }
  return openPeer(databaseUrl, event)
}

/** The path of a peer's node, for `startTestProcess`. */
export const peerNode = (name: 'socket-io' | 'http'): string => join(FOLDER, `${name}.cli.ts`)
