import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { DELIVERED } from '../test-email-service.ts'
import { isAlive } from '../test-folders.ts'
import { FAULT_KINDS, FAULT_SECONDS, type FaultKind, type PlannedFault } from './plan.ts'
import type { KeptProcess, Stand } from './stand.ts'

/** Part of the published messages that is lost while news are. */
const LOST_NEWS_SHARE = 0.3
const RESTART_TIMEOUT_MS = 60_000
const POLL_MS = 50

/** What a fault works on: what runs, and the clients that can read slowly. */
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

/** The number of a process that runs; one that is just starting again is waited for. */
const runningPid = async (kept: KeptProcess): Promise<number> => {
  const deadline = performance.now() + RESTART_TIMEOUT_MS
  while (!isAlive(kept.current().pid)) {
    if (performance.now() > deadline) throw new Error(`${kept.name} has not been started again`)
    await delay(POLL_MS)
  }
  return kept.current().pid
}

const signal = async (kept: KeptProcess, name: NodeJS.Signals) => process.kill(await runningPid(kept), name)

/** To a process that another fault may have ended meanwhile. */
const signalIfAlive = (pid: number, name: NodeJS.Signals) => {
  if (isAlive(pid)) process.kill(pid, name)
}

/** Lets one fault happen; settles once it is over. What it broke may take longer to heal. */
export const strike = async ({ stand, slowDown, pace }: Struck, { kind, target }: PlannedFault): Promise<void> => {
  const lengthMs = FAULT_SECONDS[kind] * 1_000 * pace
  const processes = [...stand.nodes, ...stand.workers]
  switch (kind) {
    case 'node killed':
      return void (await signal(chosen(stand.nodes, target), 'SIGKILL'))
    case 'worker killed':
      return void (await signal(chosen(stand.workers, target), 'SIGKILL'))
    case 'Postgres killed':
      return stand.killPostgres()
    case 'Redis restarted empty':
      return await stand.emptyRedis()
    case 'Redis away':
      await stand.redisLine.refuse()
      await delay(lengthMs)
      return await stand.redisLine.resume()
    case 'answers of Postgres lost':
      return chosen(stand.postgresLines, target).loseAnswers()
    case 'answers of nodes lost':
      return chosen(stand.fronts, target).loseAnswers()
    case 'news lost':
      stand.news.lostShare = LOST_NEWS_SHARE
      await delay(lengthMs)
      stand.news.lostShare = 0
      return
    case 'slow readers':
      slowDown(lengthMs)
      return void (await delay(lengthMs))
    case 'e-mail service hangs':
      stand.emailService.reply(() => {})
      await delay(lengthMs)
      return stand.emailService.reply(DELIVERED)
    case 'disk full':
      stand.room?.fill()
      await delay(lengthMs)
      return stand.room?.free()
    case 'clock moved': {
      const pid = await runningPid(chosen(processes, target))
      process.kill(pid, 'SIGUSR2')
      await delay(lengthMs)
      return signalIfAlive(pid, 'SIGUSR2')
    }
    case 'process stopped': {
      const pid = await runningPid(chosen(processes, target))
      process.kill(pid, 'SIGSTOP')
      await delay(lengthMs)
      return signalIfAlive(pid, 'SIGCONT')
    }
    default:
      return kind satisfies never
  }
}
