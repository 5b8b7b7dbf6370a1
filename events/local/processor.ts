import { readFileSync } from 'node:fs'

const MICROSECONDS_A_TICK = 10_000

/** Of a process: its parent, and the processor time of itself and of children that ended and were waited for, in microseconds. */
export type ProcessStat = { parent: number; own: number; ended: number }

/** Reads Linux's counters of a process, in hundredths of a second. Throws once the process is gone. */
export const statOf = (pid: number): ProcessStat => {
  // the name in brackets may hold brackets and spaces
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return {
    parent: Number(fields[1]),
    own: (user + system) * MICROSECONDS_A_TICK,
    ended: (endedUser + endedSystem) * MICROSECONDS_A_TICK,
  }
}

/** The processor's time that processes have used, in microseconds; Linux counts it in hundredths of a second. */
export const processorTimeOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + statOf(pid).own, 0)
