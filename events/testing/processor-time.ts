import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

type Stat = { parent: number; seconds: number }

/** Own time and that of children that have ended, in seconds; undefined once the process is gone. */
const statOf = (pid: number): Stat | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}

/**
 * The processor time in seconds that a process and all its descendants have used, by the accounting of Linux: those that
 * ended and were waited for are included. 0 on systems without `/proc`.
 */
export const processorTimeOfTree = (root: number): number => {
  let entries: string[]
  try {
    entries = readdirSync('/proc')
  } catch {
    return 0
  }
  const stats = new Map<number, Stat>()
  for (const pid of entries.map(Number).filter(Number.isInteger)) {
    const stat = statOf(pid)
    if (stat) stats.set(pid, stat)
  }
  const children = Map.groupBy(stats.keys(), (pid) => stats.get(pid)?.parent)
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), stats.get(pid)?.seconds ?? 0)
  return sum(root)
}

/** The process ids of a process's children; empty on systems without `/proc`. */
export const childrenOf = (root: number): number[] => {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && statOf(pid)?.parent === root)
  } catch {
    return []
  }
}
