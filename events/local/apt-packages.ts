import { execFile } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Two downloads of a few megabytes, on a slow line. */
const APT_TIMEOUT_MS = 120_000

/** The path of a program, if it is installed. */
export function findOnPath(name: string): string | undefined {
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

/** Whether this system has Debian's packages. */
export const hasApt = (): boolean => findOnPath('apt-get') !== undefined

/** The LD_LIBRARY_PATH that programs unpacked into `folder` need. */
export function libraryPath(folder: string): string {
  const libraries = join(folder, 'usr', 'lib')
  return [libraries, ...readdirSync(libraries).map((name) => join(libraries, name))].join(delimiter)
}

/**
 * Unpacks a Debian package into `folder`, without root and without starting a service. apt determines and fetches the
 * missing dependencies, with its own lists and caches; dpkg-deb then only unpacks. `--reinstall` because a
 * half-installed program must not leave out its other half.
 */
export async function unpackFromApt(name: string, folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}.`)
  try {
    for (const needed of ['lists/partial', 'cache/archives/partial', 'log', 'root']) {
      mkdirSync(join(work, needed), { recursive: true })
    }
    const apt = (...args: string[]) => run('apt-get', [...aptOptions(work), ...args], { timeout: APT_TIMEOUT_MS })
    await apt('update')
    await apt('--yes', '--no-install-recommends', '--reinstall', '--download-only', 'install', name)
    const archives = join(work, 'cache', 'archives')
    for (const archive of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', join(archives, archive), join(work, 'root')])
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
