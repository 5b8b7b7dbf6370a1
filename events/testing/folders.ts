import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { errorCode } from '../base/error-code.ts'

const FOLDER_PREFIX = 'agency-site-tests-'

/** Where tests unpack Redis on a system that has none; it stays between runs, so that it is fetched once. */
export const TEST_REDIS_PROGRAMS = resolve('node_modules/.cache/redis-programs')

/** A file system in memory on Linux. Containers often have one of 64 MB. */
const MEMORY = '/dev/shm'
/** The databases of the files that run at once, their write-ahead log, and as much again. */
const ROOM_NEEDED_BYTES = 3 * 1024 ** 3

/**
 * The folder of test data: in memory if there is room, which halves the processor time of Postgres, else on the disk.
 */
function placeOfData(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_NEEDED_BYTES ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Makes a folder for the data of a service that tests start; the caller removes it. Other users can enter it, as an
 * installed Postgres has to, but not list it.
 */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(placeOfData(), `${FOLDER_PREFIX}${process.pid}-`))
  chmodSync(folder, 0o711)
  return folder
}

/** Removes the data folders of runs that were killed; their servers end by themselves. */
export function sweepFoldersOfDeadRuns(): void {
  for (const place of [MEMORY, tmpdir()]) {
    const folders = existsSync(place) ? readdirSync(place).filter((entry) => entry.startsWith(FOLDER_PREFIX)) : []
    for (const name of folders) {
      const owner = Number(name.slice(FOLDER_PREFIX.length).split('-')[0])
      if (isAlive(owner)) continue
      try {
        rmSync(join(place, name), { recursive: true, force: true })
      } catch {
        // the folder of another user
      }
    }
  }
}

/** Whether a process lives, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
