import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { DELIVERED } from '../email-service.ts'
import { isAlive } from '../folders.ts'
import { FAULT_KINDS, FAULT_SECONDS, type FaultKind, type PlannedFault } from './plan.ts'
import type { KeptProcess, Stand } from './stand.ts'

/** Part of the published messages that is lost while news are. */
const LOST_NEWS_SHARE = 0.3
const RESTART_TIMEOUT_MS = 60_000
const POLL_MS = 50

/** The targets of a fault: the processes, and the clients that can read slowly. */
export type Struck = {
  stand: Stand
  /** Has some clients stop reading for a while. */
  slowDown: (ms: number) => void
  /** Faults' lengths are multiplied by it. */
  pace: number
}

/** The kinds of faults that this machine allows. */
export const possibleKinds = ({ room }: Stand): FaultKind[] =>
  FAULT_KINDS.filter((kind) => kind !== 'disk full' || room !== undefined)

const chosen = <T>(all: readonly T[], target: number): T => {
  const one = all[target % all.length]
  if (one === undefined) throw new Error('There is nothing to choose from')
  return one
}

/** The number of a process that runs; one that is just starting again is waited for, undefined if for too long. */
const runningPid = async (kept: KeptProcess): Promise<number | undefined> => {
  const deadline = performance.now() + RESTART_TIMEOUT_MS
  while (!isAlive(kept.current().pid)) {
    if (performance.now() > deadline) return undefined
    await delay(POLL_MS)
  }
  return kept.current().pid
}

/** Returns whether there was a process to send it to. */
const signal = async (kept: KeptProcess, name: NodeJS.Signals) => {
  const pid = await runningPid(kept)
  return pid !== undefined && process.kill(pid, name)
}

/** Sends a signal to a process that another fault may have ended. */
const signalIfAlive = (pid: number, name: NodeJS.Signals) => {
  if (isAlive(pid)) process.kill(pid, name)
}

/**
 * Runs one fault; settles once it is over. Healing may take longer. Returns false if its target did not run at that
 * time.
 */
export const strike = async ({ stand, slowDown, pace }: Struck, { kind, target }: PlannedFault): Promise<boolean> => {
  const lengthMs = FAULT_SECONDS[kind] * 1_000 * pace
  const last = () => delay(lengthMs)
  const processes = [...stand.nodes, ...stand.workers]
  /** Sends one signal, and another one when the fault is over. */
  const hold = async (begin: NodeJS.Signals, end: NodeJS.Signals) => {
    const pid = await runningPid(chosen(processes, target))
    if (pid === undefined) return false
    process.kill(pid, begin)
    await last()
    signalIfAlive(pid, end)
    return true
  }
  switch (kind) {
    case 'node killed':
      return await signal(chosen(stand.nodes, target), 'SIGKILL')
    case 'worker killed':
      return await signal(chosen(stand.workers, target), 'SIGKILL')
    case 'Postgres killed':
      return stand.killPostgres()
    case 'Redis restarted empty':
      return await stand.emptyRedis()
    case 'Redis away':
      await stand.redisLine.refuse()
      await last()
      await stand.redisLine.resume()
      return true
    case 'answers of Postgres lost':
      chosen(stand.postgresLines, target).loseAnswers()
      return true
    case 'answers of nodes lost':
      chosen(stand.fronts, target).loseAnswers()
      return true
    case 'news lost':
      stand.news.lostShare = LOST_NEWS_SHARE
      await last()
      stand.news.lostShare = 0
      return true
    case 'slow readers':
      slowDown(lengthMs)
      await last()
      return true
    case 'email service hangs':
      stand.emailService.reply(() => {})
      await last()
      stand.emailService.reply(DELIVERED)
      return true
    case 'disk full':
      stand.room?.fill()
      await last()
      stand.room?.free()
      return true
    case 'clock moved':
      return await hold('SIGUSR2', 'SIGUSR2')
    case 'process stopped':
      return await hold('SIGSTOP', 'SIGCONT')
    default:
      return kind satisfies never
  }
}
