import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

/** The message that begins a run in a host. */
export type RunMessage = { type: 'run'; script: string; env: Record<string, string | undefined>; number: number }

/** Written to standard error as a run ends; a logger that writes by itself may still follow it. */
export const END_OF_RUN = '\u0000'

/** Each run leaves a little behind in memory, such as the evaluated script. */
const MOST_RUNS = 60

const HOST = fileURLToPath(new URL('./host.cli.ts', import.meta.url))

const runEnded = v.object({ type: v.literal('run-ended'), status: v.number(), leaks: v.array(v.string()) })

/** How a run ended: `leaks` names the handles that still kept its event loop alive. */
export type RunEnd = { status: number | null; leaks: string[] }

type Host = { child: ChildProcess; runs: number }

/** The hosts of this worker process of Vitest that wait for another run, by script. */
const shared = globalThis as { idleHosts?: Map<string, Host[]> }
shared.idleHosts ??= new Map()
const idle = shared.idleHosts

const isIdle = ({ child }: Host) => child.connected && child.exitCode === null && child.signalCode === null

const takeHost = (script: string, env: NodeJS.ProcessEnv): Host => {
  const host = idle.get(script)?.pop()
  if (host && isIdle(host)) return host
  if (host) return takeHost(script, env)
  const child = spawn(process.execPath, [HOST], { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  child.stderr?.setEncoding('utf8')
  return { child, runs: 0 }
}

/**
 * Runs a script of the product in a process that has loaded its code in an earlier run, if there is one. `onPrinted`
 * gets its output to standard error, `onMessage` its messages to its parent.
 */
export const startInHost = (
  script: string,
  env: Record<string, string | undefined>,
  { onPrinted, onMessage }: { onPrinted: (text: string) => void; onMessage: (message: unknown) => void },
): { child: ChildProcess; ended: Promise<RunEnd> } => {
  const host = takeHost(script, { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE })
  const { child } = host
  host.runs += 1
  const { promise: ended, resolve, reject } = Promise.withResolvers<RunEnd>()
  const { promise: quiet, resolve: isQuiet } = Promise.withResolvers<void>()

  const printed = (text: string) => {
    onPrinted(text.replace(END_OF_RUN, ''))
    if (text.includes(END_OF_RUN)) isQuiet()
  }
  const received = (message: unknown) => {
    const end = v.safeParse(runEnded, message)
    if (!end.success) return onMessage(message)
    const { status, leaks } = end.output
    quiet.then(() => {
      release()
      if (leaks.length > 0 || host.runs >= MOST_RUNS) child.kill('SIGKILL')
      else idle.set(script, [...(idle.get(script) ?? []), host])
      resolve({ status, leaks })
    })
  }
  const closed = (status: number | null) => {
    release()
    resolve({ status, leaks: [] })
  }
  const release = () => {
    child.stderr?.off('data', printed)
    child.off('message', received).off('close', closed).off('error', reject)
  }
  child.stderr?.on('data', printed)
  child.on('message', received).once('close', closed).once('error', reject)
  child.send({ type: 'run', script, env, number: host.runs } satisfies RunMessage)
  return { child, ended }
}
