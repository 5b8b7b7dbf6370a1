import { spawn } from 'node:child_process'
import * as v from 'valibot'
import type { Running } from './keep-running.ts'

/** The processes stop by themselves within 10 s; those that have not by then are killed, with their own children. */
const STOP_TIMEOUT_MS = 10_000
const READY_TIMEOUT_MS = 60_000

const knownMessage = v.object({ type: v.picklist(['ready', 'staff-made']) })

export type NodeProcess = Running & {
  /** Whether it reported, before it was ready, that it has made the first staff account. */
  staffMade: boolean
}

/** A process ended before it was ready. */
export class NotStartedError extends Error {
  override name = 'NotStartedError'
  /** Whether the process itself has printed the reason: our processes do, in one line, before exit status 1. */
  readonly isExplained: boolean

  constructor(script: string, how: string) {
    super(`${script} did not start (${how})`)
    this.isExplained = how === 'exit status 1'
  }
}

/**
 * Runs one of the product's processes to its end.
 *
 * @throws a NotStartedError if it fails.
 */
export async function runNodeProcess(script: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const how = await new Promise<string>((resolve) => {
    child.once('exit', (status, signal) => resolve(signal ?? `exit status ${status}`))
    child.once('error', (error) => resolve(error.message))
  })
  if (how !== 'exit status 0') throw new NotStartedError(script, how)
}

/**
 * Starts one of the product's processes and waits until it sends `{ type: 'ready' }`. It is in its own group, so that
 * the terminal's Ctrl-C does not reach it first, and it ends by itself when its channel to us closes.
 *
 * @throws a NotStartedError if it ends before it is ready.
 */
export async function startNodeProcess(script: string, env: NodeJS.ProcessEnv): Promise<NodeProcess> {
  const child = spawn(process.execPath, [script], {
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (status, signal) => resolve(signal ?? `exit status ${status}`))
    child.once('error', (error) => resolve(error.message))
  })
  const killGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // the whole group has ended
    }
  }
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(killGroup, STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timer)
    killGroup()
  }

  let timer: NodeJS.Timeout | undefined
  let staffMade = false
  const failure = await Promise.race([
    new Promise<undefined>((resolve) => {
      child.on('message', (message) => {
        const known = v.safeParse(knownMessage, message)
        if (!known.success) return
        if (known.output.type === 'staff-made') staffMade = true
        else resolve(undefined)
      })
    }),
    ended,
    new Promise<string>((resolve) => {
      timer = setTimeout(resolve, READY_TIMEOUT_MS, `not ready after ${READY_TIMEOUT_MS / 1000} s`)
    }),
  ])
  clearTimeout(timer)
  if (failure !== undefined) {
    await stop()
    throw new NotStartedError(script, failure)
  }
  return { staffMade, ended, stop }
}
