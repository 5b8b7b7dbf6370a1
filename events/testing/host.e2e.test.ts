import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startInHost } from './host.ts'

const folder = mkdtempSync(join(tmpdir(), 'agency-site-host-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a script until it says `ready`, then asks it to stop. */
const runOnce = async (script: string, env: Record<string, string> = {}) => {
  let printed = ''
  const { promise: ready, resolve } = Promise.withResolvers<unknown>()
  const onPrinted = (text: string) => {
    printed += text
  }
  const { child, ended } = startInHost(script, env, { onPrinted, onMessage: resolve })
  const message = await Promise.race([ready, ended])
  child.kill('SIGTERM')
  const { status, leaks } = await ended
  return { pid: child.pid, message, printed, status, leaks }
}

const scriptOf = (name: string, code: string) => {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, code)
  return path
}

test('One process runs a script repeatedly, each time with the environment of that run', async () => {
  const tidy = scriptOf(
    'tidy',
    `process.on('SIGTERM', () => process.exit(0))
    process.stderr.write('word ' + process.env.WORD)
    process.send(Object.keys(process.env).sort().join())`,
  )
  const first = await runOnce(tidy, { WORD: 'one', OTHER: '1' })
  const second = await runOnce(tidy, { WORD: 'two' })
  expect(first).toMatchObject({ message: 'OTHER,WORD', printed: 'word one', status: 0, leaks: [] })
  expect(second).toEqual({ pid: first.pid, message: 'WORD', printed: 'word two', status: 0, leaks: [] })
})

test('A run that leaves a timer behind is reported, and its process is not used again', async () => {
  const leaky = scriptOf(
    'leaky',
    `process.on('SIGTERM', () => process.exit(0))
    setInterval(() => {}, 1_000)
    process.send('ready')`,
  )
  const first = await runOnce(leaky)
  expect(first).toMatchObject({ status: 0, leaks: ['Timeout'] })
  expect((await runOnce(leaky)).pid).not.toBe(first.pid)
})

test('A script that throws ends its process with status 1 and the reason', async () => {
  const broken = scriptOf('broken', `throw new Error('Not today')`)
  const { status, printed } = await runOnce(broken)
  expect({ status, printed }).toEqual({ status: 1, printed: expect.stringContaining('Not today') })
})
