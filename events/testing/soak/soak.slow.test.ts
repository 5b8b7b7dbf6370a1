import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The load runs for half a minute; healing, the replay of the views and a slow machine take the rest. */
const TIMEOUT_MS = 420_000
const SOAK = 'events/testing/soak/soak.cli.ts'
// the suite kills Postgres by a test of its own
const OPTIONS = '--seed 1 --minutes 0.5 --messages 20 --leads 4 --every 2.3 --pace 0.15 --kills 0'.split(' ')

const run = promisify(execFile)

test('half a minute of faults under load loses, doubles and swaps nothing, and heals by itself', {
  timeout: TIMEOUT_MS,
}, async () => {
  const told = run(process.execPath, [SOAK, ...OPTIONS], { timeout: TIMEOUT_MS })
  const { stdout } = await told.catch((error) => {
    // an uncaught error is reported only there
    throw new Error(`${error.stdout}\n${error.stderr}`, { cause: error })
  })
  const figure = (what: string) => Number(new RegExp(`^ *${what} +(\\d+)`, 'm').exec(stdout)?.[1])
  const mistakes = ['lost', 'chats that were not shown whole in time', 'doubled', 'out of order', 'otherwise wrong']
  for (const what of [...mistakes, 'tables of views unlike a replay']) {
    expect([what, figure(what)]).toEqual([what, 0])
  }
  expect(figure('messages stored')).toBeGreaterThan(300)
  expect(figure('forms stored')).toBeGreaterThan(60)
  // two should end every two seconds: this many remain on a slow machine with faults
  expect(figure('chats that ended')).toBeGreaterThan(4)
  expect(figure('chats that ended before the eyes of staff')).toBeGreaterThan(2)
  for (const kind of ['node killed', 'worker killed', 'Postgres killed', 'Redis restarted empty', 'process stopped']) {
    expect([kind, figure(kind)]).toEqual([kind, 1])
  }
  expect(stdout).toMatch(/The chain of hashes is whole: [0-9a-f]{64}@\d+/)
})
