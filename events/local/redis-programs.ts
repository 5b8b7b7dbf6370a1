import { execFile } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const REDIS_IMAGE = 'redis:8-alpine'
/** Two downloads of a few megabytes, on a slow line. */
const APT_TIMEOUT_MS = 120_000

/** How to run a Redis server: on this machine with these variables, or in a container of this image. */
export type RedisProgram =
  | { kind: 'program'; command: string; env: NodeJS.ProcessEnv }
  | { kind: 'container'; image: string }

/**
 * Finds a Redis server: on the path; else Debian's and Ubuntu's packages, unpacked into `folder` without root and
 * without a system service; else Docker.
 *
 * @param say gets one line where something is fetched.
 * @throws one line with this system's command to install Redis.
 */
export async function findRedisProgram(folder: string, say: (line: string) => void): Promise<RedisProgram> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const onPath = ['redis-server', 'valkey-server'].map(findOnPath).find((path) => path !== undefined)
  if (onPath !== undefined) return { kind: 'program', command: onPath, env }

  const unpacked = join(folder, 'usr', 'bin', 'redis-server')
  let aptFailure: unknown
  if (!existsSync(unpacked) && findOnPath('apt-get') !== undefined) {
    say(`Redis is not installed: unpacking this system's package into ${folder} (needs no root, starts no service)`)
    await unpackFromApt(folder).catch((error: unknown) => {
      aptFailure = error
    })
  }
  if (existsSync(unpacked)) {
    const libraries = readdirSync(join(folder, 'usr', 'lib')).map((name) => join(folder, 'usr', 'lib', name))
    return {
      kind: 'program',
      command: unpacked,
      env: { ...env, LD_LIBRARY_PATH: [join(folder, 'usr', 'lib'), ...libraries].join(delimiter) },
    }
  }

  if (await dockerRuns()) {
    say(`Redis is not installed: running it in Docker (${REDIS_IMAGE})`)
    return { kind: 'container', image: REDIS_IMAGE }
  }
  throw new Error(`No Redis on this machine: ${installCommand()}, or set REDIS_URL to a running one`, {
    cause: aptFailure,
  })
}

function findOnPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

async function dockerRuns(): Promise<boolean> {
  return run('docker', ['info', '--format', '{{.ServerVersion}}'], { timeout: 10_000 }).then(
    () => true,
    () => false,
  )
}

/**
 * apt works out and fetches what Redis needs beyond what is installed, with lists and caches of its own; dpkg-deb
 * then only unpacks. `--reinstall` because a half-installed Redis must not leave out the other half.
 */
async function unpackFromApt(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}.`)
  try {
    for (const needed of ['lists/partial', 'cache/archives/partial', 'log', 'root']) {
      mkdirSync(join(work, needed), { recursive: true })
    }
    const apt = (...args: string[]) => run('apt-get', [...aptOptions(work), ...args], { timeout: APT_TIMEOUT_MS })
    await apt('update')
    await apt('--yes', '--no-install-recommends', '--reinstall', '--download-only', 'install', 'redis-server')
    const archives = join(work, 'cache', 'archives')
    for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', join(archives, name), join(work, 'root')])
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(join(work, 'root'), folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function aptOptions(work: string): string[] {
  const settings = [
    `Dir::State::lists=${work}/lists`,
    `Dir::Cache=${work}/cache`,
    `Dir::Log=${work}/log`,
    'Debug::NoLocking=true',
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
  ]
  return ['-qq', ...settings.flatMap((setting) => ['-o', setting])]
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
