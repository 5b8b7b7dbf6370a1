import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'

const FOLDER_PREFIX = 'agency-site-tests-'

/** Where tests have Redis unpacked on a system that has none; kept between runs, so that it is fetched once. */
export const TEST_REDIS_PROGRAMS = resolve('node_modules/.cache/redis-programs')

/**
 * Makes a folder for the data of a service that tests start. Who asks for it removes it. Other users can enter it, as an
 * installed Postgres has to, but not look around.
 */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  chmodSync(folder, 0o711)
  return folder
}

/** A run that was killed leaves its data folder; its servers end by themselves. */
export function sweepFoldersOfDeadRuns(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const owner = Number(name.slice(FOLDER_PREFIX.length).split('-')[0])
    if (isAlive(owner)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // another user's
    }
  }
}

/** Whether a process lives, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
