import { readdirSync } from 'node:fs'
import { type ProcessStat, statOf } from '../local/processor.ts'

/** All processes of the machine by their id; empty on systems without `/proc`. */
const readStats = (): Map<number, ProcessStat> => {
  const stats = new Map<number, ProcessStat>()
  try {
    for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
      try {
        stats.set(pid, statOf(pid))
      } catch {
        // it has ended since then
      }
    }
  } catch {
    // no /proc
  }
  return stats
}

/**
 * The processor time in seconds that a process and all its descendants have used, by the accounting of Linux: those that
 * ended and were waited for are included. 0 on systems without `/proc`.
 */
export const processorTimeOfTree = (root: number): number => {
  const stats = readStats()
  const children = Map.groupBy(stats.keys(), (pid) => stats.get(pid)?.parent)
  const sum = (pid: number): number => {
    const { own = 0, ended = 0 } = stats.get(pid) ?? {}
    return (children.get(pid) ?? []).reduce((total, child) => total + sum(child), own + ended)
  }
  return sum(root) / 1e6
}

/** The process ids of a process's children; empty on systems without `/proc`. */
export const childrenOf = (root: number): number[] =>
  [...readStats()].filter(([, { parent }]) => parent === root).map(([pid]) => pid)
