import { readFileSync } from 'node:fs'

const MICROSECONDS_A_TICK = 10_000

/** The processor's time that processes have used, in microseconds; Linux counts it in hundredths of a second. */
export const processorTimeOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return sum + (Number(user) + Number(system)) * MICROSECONDS_A_TICK
  }, 0)
