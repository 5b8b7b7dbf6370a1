import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { startInHost } from './host.ts'

const READY_TIMEOUT_MS = 60_000
const END_TIMEOUT_MS = 30_000

/** A process of the product, run by a test. It ends with the test, whose channel to it closes. */
export type TestProcess = {
  pid: number
  /** Its output to standard error so far. */
  printed: () => string
  kill: (signal: NodeJS.Signals) => void
  /** Settles once it has ended; `status` is null if a signal ended it. */
  ended: Promise<{ status: number | null; afterMs: number }>
  /** Asks it to stop and waits; fails the test if it does not end with status 0. */
  stop: () => Promise<void>
}

/** The only part of the run's own environment that a process started by a test gets. */
export const TEST_ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
}

/**
 * The processes that tests start most. Processes that end differently, or change their own code, do not run in a host;
 * nor do those of slow tests, which end while a service is away and leave open whatever waits for it.
 */
const HOSTED = ['api/process/main.ts', 'worker/main.ts']

type Opened = {
  child: ChildProcess
  printed: () => string
  /** Settles once it has ended; `leaks` names the handles that were left open. */
  ended: Promise<{ status: number | null; afterMs: number; leaks: string[] }>
}

const open = (script: string, env: Record<string, string>, onMessage: (message: unknown) => void): Opened => {
  const startedAt = performance.now()
  const environment = { ...TEST_ENVIRONMENT, ...env }
  let text = ''
  const onPrinted = (more: string) => {
    text += more
  }
  const printed = () => text
  const isOne = (env.NODES ?? '1') === '1' // several nodes start processes of their own
  if (process.env.WARM_PROCESSES === 'true' && isOne && HOSTED.includes(script)) {
    const { child, ended } = startInHost(script, environment, { onPrinted, onMessage })
    return { child, printed, ended: ended.then((end) => ({ ...end, afterMs: performance.now() - startedAt })) }
  }
  const child = spawn(process.execPath, [script], { env: environment, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  child.stderr?.setEncoding('utf8').on('data', onPrinted)
  child.on('message', onMessage)
  const ended = new Promise<{ status: number | null; afterMs: number; leaks: string[] }>((resolve, reject) => {
    child.once('close', (status) => resolve({ status, afterMs: performance.now() - startedAt, leaks: [] }))
    child.once('error', reject)
  })
  return { child, printed, ended }
}

const within = async <T>(work: Promise<T>, ms: number, complaint: () => string): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(complaint())), ms)
  return await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** Starts one of the product's `main.ts` with only this environment, and waits until it is ready. */
export const startTestProcess = async (script: string, env: Record<string, string>): Promise<TestProcess> => {
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  const { child, printed, ended } = open(script, env, (message) => {
    if (typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready') isReady()
  })
  const failed = ended.then(({ status }) => {
    throw new Error(`${script} ended with status ${status}: ${printed()}`)
  })
  const complain = (what: string, ms: number) => () => `${script} ${what} within ${ms} ms: ${printed()}`
  try {
    await within(Promise.race([ready, failed]), READY_TIMEOUT_MS, complain('was not ready', READY_TIMEOUT_MS))
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  failed.catch(() => {})
  return {
    pid: child.pid ?? 0,
    printed,
    kill: (signal) => child.kill(signal),
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      const { status, leaks } = await within(ended, END_TIMEOUT_MS, complain('did not end', END_TIMEOUT_MS))
      if (status !== 0) throw new Error(`${script} ended with status ${status}: ${printed()}`)
      if (leaks.length > 0) throw new Error(`${script} left open as it ended: ${leaks.join(', ')}`)
    },
  }
}

/** Runs one of the product's `main.ts` to its end, for starts that have to fail. */
export const runTestProcess = async (script: string, env: Record<string, string>) => {
  const { child, printed, ended } = open(script, env, () => {})
  const complaint = () => `${script} did not end within ${END_TIMEOUT_MS} ms: ${printed()}`
  const { status } = await within(ended, END_TIMEOUT_MS, complaint).catch((error) => {
    child.kill('SIGKILL')
    throw error
  })
  return { status, printed: printed() }
}

/** The memory that a process holds, in bytes; 0 on systems without `/proc`, and once it has ended. */
export const memoryOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/**
 * The private memory of a process, in bytes: without the part that it shares with others, such as the pages of a
 * program that runs several times. 0 on systems without `/proc`, and once it has ended.
 */
export const privateMemoryOf = async (pid: number): Promise<number> => {
  const sums = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const kilobytes = [...sums.matchAll(/^(?:Private_Clean|Private_Dirty|Swap):\s+(\d+) kB$/gm)].map(([, kB]) =>
    Number(kB),
  )
  return kilobytes.reduce((sum, kB) => sum + kB, 0) * 1024
}
