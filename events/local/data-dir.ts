import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../base/error-code.ts'
import type { SystemUser } from './postgres-programs.ts'

/** Makes the folder for all local data. Fails with one line that explains what is wrong with it. */
export function openDataDir(path: string): string {
  const folder = resolve(path)
  try {
    makeFolders(folder)
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const code = errorCode(cause) || cause
    throw new Error(`DATA_DIR: cannot write to ${folder} (${code}): set it to a folder that this user may write to`, {
      cause,
    })
  }
  return folder
}

/** One by one: Node's own recursion never ends if a folder accepts none, as under /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  mkdirSync(folder)
}

/** Makes a folder that only `owner` (or we) can enter. */
export function privateFolder(path: string, owner?: SystemUser): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700, recursive: true })
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
}

/** The DATA_KEY that is stored in a data folder, made the first time. */
export const readOrMakeDataKey = (dataDir: string): string => readOrMakeSecret(join(dataDir, 'data-key'))

/** The secret stored in a file, made the first time: 32 random bytes that only the file's owner can read. */
export function readOrMakeSecret(file: string, owner?: SystemUser): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const secret = randomBytes(32).toString('hex')
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${secret}\n`, { mode: 0o600 })
  if (owner !== undefined) chownSync(fresh, owner.uid, owner.gid)
  renameSync(fresh, file)
  return secret
}
