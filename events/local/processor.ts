import { readdirSync, readFileSync } from 'node:fs'

const MICROSECONDS_PER_TICK = 10_000

/** Of a process: its parent, and the processor time of itself and of children that ended and were waited for, in microseconds. */
export type ProcessStat = { parent: number; own: number; ended: number }

const NANOSECONDS_PER_MICROSECOND = 1_000

const threadTime = (pid: number, thread: string): number => {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
    return Number(text.split(' ')[0]) / NANOSECONDS_PER_MICROSECOND
  } catch {
    return 0 // it has just ended
  }
}

/** Reads Linux's counters of a process, in hundredths of a second. Throws once the process is gone. */
export const statOf = (pid: number): ProcessStat => {
  // the name in brackets may hold brackets and spaces
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return {
    parent: Number(fields[1]),
    own: (user + system) * MICROSECONDS_PER_TICK,
    ended: (endedUser + endedSystem) * MICROSECONDS_PER_TICK,
  }
}

/**
 * The processor time that the threads of processes have used, in microseconds, as Linux's scheduler counts it. Threads that
 * have ended are not counted. Throws once a process is gone.
 */
export const processorTimeOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/task`).reduce((all, id) => all + threadTime(pid, id), 0), 0)
