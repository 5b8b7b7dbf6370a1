import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findOnPath, hasApt, libraryPath, unpackFromApt } from './apt-packages.ts'

const run = promisify(execFile)

const REDIS_IMAGE = 'redis:8-alpine'

/** How to run a Redis server: on this machine with these variables, or in a container of this image. */
export type RedisProgram =
  | { kind: 'program'; command: string; env: NodeJS.ProcessEnv }
  | { kind: 'container'; image: string }

/**
 * Finds a Redis server: on the path; else Debian's and Ubuntu's packages, unpacked into `folder` without root and
 * without a system service; else Docker.
 *
 * @param print gets one line if something is fetched.
 * @throws one line with this system's command to install Redis.
 */
export async function findRedisProgram(folder: string, print: (line: string) => void): Promise<RedisProgram> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const onPath = ['redis-server', 'valkey-server'].map(findOnPath).find((path) => path !== undefined)
  if (onPath !== undefined) return { kind: 'program', command: onPath, env }

  const unpacked = join(folder, 'usr', 'bin', 'redis-server')
  let aptFailure: unknown
  if (!existsSync(unpacked) && hasApt()) {
    print(`Redis is not installed: unpacking this system's package into ${folder} (needs no root, starts no service)`)
    await unpackFromApt('redis-server', folder).catch((error: unknown) => {
      aptFailure = error
    })
  }
  if (existsSync(unpacked)) {
    return { kind: 'program', command: unpacked, env: { ...env, LD_LIBRARY_PATH: libraryPath(folder) } }
  }

  if (await dockerRuns()) {
    print(`Redis is not installed: running it in Docker (${REDIS_IMAGE})`)
    return { kind: 'container', image: REDIS_IMAGE }
  }
  throw new Error(`No Redis on this machine: ${installCommand()}, or set REDIS_URL to a running one`, {
    cause: aptFailure,
  })
}

async function dockerRuns(): Promise<boolean> {
  return run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}

function installCommand(): string {
  if (process.platform === 'darwin') return 'brew install redis'
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (/^ID(_LIKE)?=.*(debian|ubuntu)/m.test(system)) return 'sudo apt-get install redis-server'
  if (/^ID(_LIKE)?=.*(fedora|rhel|centos)/m.test(system)) return 'sudo dnf install valkey'
  if (/^ID(_LIKE)?=.*alpine/m.test(system)) return 'sudo apk add redis'
  if (/^ID(_LIKE)?=.*arch/m.test(system)) return 'sudo pacman -S valkey'
  if (/^ID(_LIKE)?=.*suse/m.test(system)) return 'sudo zypper install redis'
  return 'install redis-server'
}
