import { execFileSync, spawnSync } from 'node:child_process'
import { readlinkSync, statfsSync } from 'node:fs'
import process from 'node:process'

/** The folder's own disk, in memory: the data of Postgres in a soak of an hour, and room to spare. */
const DISK_BYTES = 4 * 1024 ** 3
/** A disk in memory is measured in pages. */
const PAGE_BYTES = 4_096
const FILL_TRIES = 50

/** A small disk that can be filled up without harm to the machine's own. */
export type Room = {
  /** Leaves no byte free. */
  fill: () => void
  /** Releases the space that `fill` took. */
  free: () => void
  close: () => void
}

/** Whether mounts of this process are invisible to others: only then does it make one. */
const hasOwnMounts = () => {
  try {
    return readlinkSync('/proc/self/ns/mnt') !== readlinkSync(`/proc/${process.ppid}/ns/mnt`)
  } catch {
    return false
  }
}

/** The command that runs a program with its own mounts, which end with it; undefined if that is not allowed here. */
export const withOwnMounts = (): string[] | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const probe = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt'])
  return probe.status === 0 ? ['unshare', '--mount'] : undefined
}

const sizeOf = (bytes: number) => `size=${Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES}`

/** Gives a folder its own disk, of 4 GiB in memory at most; undefined if that is not allowed here. */
export const openRoom = (folder: string): Room | undefined => {
  if (!hasOwnMounts()) return undefined
  const mount = (...options: string[]) => execFileSync('mount', [...options, folder], { stdio: 'pipe' })
  mount('-t', 'tmpfs', '-o', `mode=0711,${sizeOf(DISK_BYTES)}`, 'tmpfs')
  return {
    fill: () => {
      for (let tries = 1; ; tries += 1) {
        const { blocks, bfree, bsize } = statfsSync(folder)
        try {
          return mount('-o', `remount,${sizeOf((blocks - bfree) * bsize)}`)
        } catch (error) {
          // another process wrote between the check and the mount: no disk may be smaller than its content
          if (tries >= FILL_TRIES) throw error
        }
      }
    },
    free: () => mount('-o', `remount,${sizeOf(DISK_BYTES)}`),
    close: () => execFileSync('umount', ['--lazy', folder]),
  }
}
