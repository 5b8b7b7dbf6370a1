import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { freePort } from '../local/port.ts'

const START_TIMEOUT_MS = 110_000
const STOP_TIMEOUT_MS = 60_000

const OF_THE_RUN = [
  'DATABASE_URL',
  'REDIS_URL',
  'SESSION_SECRET',
  'DATA_KEY',
  'STAFF_PASSWORD',
  'PUBLIC_URL',
  'npm_lifecycle_event',
]

/** Every process that has this DATA_DIR in its environment, or runs in it: those that a start may leave behind. */
const processesOf = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs =
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ||
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${folder}`)
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return isOurs && command !== '' ? [command.replaceAll('\0', ' ')] : []
      } catch {
        return []
      }
    })

/** A guard's last tenth of a second of sleep may outlive it, and its watcher by some moments. */
const isOfGuard = (command: string) => /^(sleep 0\.1 |\/bin\/sh -c )/.test(command)

/** A folder and a port for `npm start`, which end with the test. */
export const openTestStarts = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agency-site-start-'))
  const port = await freePort()
  const site = `http://localhost:${port}`
  const own = Object.entries(process.env).filter(([name]) => !OF_THE_RUN.includes(name))
  const environment = { ...Object.fromEntries(own), PORT: String(port), NODES: '1', DATA_DIR: dataDir }
  const started: ChildProcess[] = []
  const untilNothingRuns = () => vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), STOP_TIMEOUT_MS)
  onTestFinished(async () => {
    for (const child of started) child.kill('SIGKILL')
    await untilNothingRuns()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    site,
    start: (extra: NodeJS.ProcessEnv = {}) => {
      const child = spawn(process.execPath, ['events/local/start.ts'], { env: { ...environment, ...extra } })
      started.push(child)
      const output = { stdout: '', stderr: '' }
      child.stdout.on('data', (data: Buffer) => {
        output.stdout += data
      })
      child.stderr.on('data', (data: Buffer) => {
        output.stderr += data
      })
      const untilRunning = () =>
        vi.waitFor(() => expect(output.stdout).toContain('Ctrl-C stops everything'), START_TIMEOUT_MS)
      return { child, output, untilRunning, exit: once(child, 'exit') }
    },
    /** The running processes of all starts, without those that end by themselves within moments. */
    running: () => processesOf(dataDir).filter((command) => !isOfGuard(command)),
    untilNothingRuns,
    signIn: async (password: string) => {
      const response = await fetch(`${site}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: site },
        body: JSON.stringify({ username: 'staff', password }),
      })
      return response.status
    },
  }
}
