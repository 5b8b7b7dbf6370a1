import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freePort } from './port.ts'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 60_000

let dataDir: string
let site: string
let environment: NodeJS.ProcessEnv
const started: ChildProcess[] = []

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agency-site-start-'))
  const port = await freePort()
  site = `http://localhost:${port}`
  const ofTheRun = [
    'DATABASE_URL',
    'REDIS_URL',
    'SESSION_SECRET',
    'DATA_KEY',
    'STAFF_PASSWORD',
    'PUBLIC_URL',
    'npm_lifecycle_event',
  ]
  const own = Object.entries(process.env).filter(([name]) => !ofTheRun.includes(name))
  environment = { ...Object.fromEntries(own), PORT: String(port), NODES: '1', DATA_DIR: dataDir }
})

afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), STOP_TIMEOUT_MS)
  rmSync(dataDir, { recursive: true, force: true })
})

function start(extra: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['events/local/start.ts'], { env: { ...environment, ...extra } })
  started.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (data: Buffer) => {
    output.stdout += data
  })
  child.stderr.on('data', (data: Buffer) => {
    output.stderr += data
  })
  return { child, output, exit: once(child, 'exit') }
}

async function untilRunning(running: { output: { stdout: string } }): Promise<void> {
  await vi.waitFor(() => expect(running.output.stdout).toContain('Ctrl-C stops everything'), START_TIMEOUT_MS)
}

/** Every process that has this DATA_DIR in its environment, or runs in it: what a start may leave behind. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
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
}

/** A guard's last tenth of a second of sleep may outlive it, and its watcher by some moments. */
const isOfGuard = (command: string) => /^(sleep 0\.1 |\/bin\/sh -c )/.test(command)

const signIn = (password: string) =>
  fetch(`${site}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site },
    body: JSON.stringify({ username: 'staff', password }),
  })

test.runIf(process.platform === 'linux')(
  'serves, stops on SIGTERM with nothing left, and finds its data at the second start',
  async () => {
    const first = start()
    await untilRunning(first)
    expect((await fetch(`${site}/readyz`)).status).toBe(200)
    const password = /password (\S+)/.exec(first.output.stdout)?.[1] ?? ''
    expect((await signIn(password)).status).toBe(204)
    // not even a warning that the product's user owns the database
    expect(first.output.stderr).toBe('')

    first.child.kill('SIGTERM')
    expect(await first.exit).toEqual([0, null])
    const left = processesOf(dataDir)
    expect(left.filter((command) => !isOfGuard(command))).toEqual([])
    await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), STOP_TIMEOUT_MS)

    const second = start()
    await untilRunning(second)
    expect(second.output.stdout).not.toContain('password')
    expect((await signIn(password)).status).toBe(204)
    second.child.kill('SIGINT')
    expect(await second.exit).toEqual([0, null])
  },
)

test.runIf(process.platform === 'linux')('leaves nothing running when it is killed', async () => {
  const running = start()
  await untilRunning(running)
  expect(processesOf(dataDir).length).toBeGreaterThan(4)
  running.child.kill('SIGKILL')
  await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), STOP_TIMEOUT_MS)
})

test('says in one line that its data folder is in use', async () => {
  await untilRunning(start())
  const second = start({ PORT: String(await freePort()) })
  expect(await second.exit).toEqual([1, null])
  expect(second.output.stderr).toMatch(/^DATA_DIR: .* in use by a running instance.*\n$/)
})

test.each([
  ['PORT', 'abc', /^PORT cannot be used: expected a whole number from 1 to 65535\n$/],
  ['DATABASE_URL', 'nonsense', /^DATABASE_URL cannot be used: expected an address such as .*\n$/],
  ['DATA_DIR', '/proc/nowhere', /^DATA_DIR: cannot write to \/proc\/nowhere .*\n$/],
])('names an unusable %s in one line', async (name, value, line) => {
  const refused = start({ [name]: value })
  expect(await refused.exit).toEqual([1, null])
  expect(refused.output.stderr).toMatch(line)
})
