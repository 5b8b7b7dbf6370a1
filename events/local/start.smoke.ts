// `npm start` as a person runs it: up, a lead through to the staff's list, down. Run by .ci/run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './port.ts'
import { leadReachesStaff, signIn, until } from './smoke.ts'

const START_TIMEOUT_MS = 120_000

const dataDir = mkdtempSync(join(tmpdir(), 'agency-site-smoke-'))
const port = await freePort()
const site = `http://localhost:${port}`
const npm = spawn('npm', ['start'], {
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const exit = once(npm, 'exit')
process.once('exit', () => npm.kill('SIGKILL'))
let output = ''
npm.stdout.on('data', (data: Buffer) => {
  output += data
  process.stdout.write(data)
})

const password = await until('npm start', START_TIMEOUT_MS, async () => {
  if (npm.exitCode !== null) throw new Error(`npm start ended with status ${npm.exitCode}`)
  return /password (\S+)[\s\S]*Ctrl-C/.exec(output)?.[1]
})
await leadReachesStaff(site, await signIn(site, 'staff', password))
npm.kill('SIGTERM')
const [status] = await exit
if (status !== 0) throw new Error(`npm start ended with status ${status} on SIGTERM`)
rmSync(dataDir, { recursive: true, force: true })
process.stdout.write('npm start: a lead reached the staff’s list; it stopped with status 0\n')
