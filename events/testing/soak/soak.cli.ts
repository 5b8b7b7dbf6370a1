/**
 * Faults under load, and a table of what was lost, doubled or out of order: two nodes and two workers, messages and
 * forms each second, and a fault every few seconds. --messages and --leads (a second), --every (seconds between
 * faults), --pace and --patience fit it to the machine. Half a minute of it, each kind of fault once, is a test
 * (soak.slow.test.ts). Chats end in it too, by either side during messages, and the messages shown by each console are
 * compared with the whole of each chat.
 *
 * Measured with --seed 7 --minutes 26 --every 10.4 --patience 900: 200 messages and 20 forms a second on two cores, and
 * 150 faults, each at its full length. A node, a worker or Postgres killed (12, 12 and 11 times), Redis emptied or away
 * for 60 s (12, 12), responses of Postgres or of nodes lost after the commit (11, 12), a third of the messages between
 * nodes lost for 20 s (11), slow readers (12), an email service that hangs for 25 s (11), a full disk (11), a clock
 * moved by an hour (12), a process stopped for 20 s (11). Of 311,981 messages and 31,200 forms 0 were lost, doubled,
 * out of order or not shown in time, and 0 tables of views differed from a replay. 10,328 emails were delivered; 72 of
 * 10,400 were due to be tried again later; the service took 113 twice, as it had not responded. All was well again 32 s
 * after the load, by itself.
 *
 * With --seed 9 --minutes 3 --messages 120 --leads 10 --every 4 --pace 0.4 --patience 240 (45 faults) 227 chats ended
 * while staff viewed them, with nothing lost, doubled, out of order, or accepted after the end.
 */

import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { printTable } from '../../local/figures.ts'
import { buildWebIfStale } from '../../local/web-build.ts'
import { surviveLostConnections } from '../../stores/postgres/pool.ts'
import { readSoakOptions, type SoakOptions } from './options.ts'
import { withOwnMounts } from './room.ts'
import { type SoakResult, soak } from './soak.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Set in the process that has its own mounts, so that it does not ask for others. */
const HAS_MOUNTS = 'SOAK_HAS_MOUNTS'
/** Of a kind of mistakes at most these many are named. */
const MOST_NAMED = 20

const print = (options: SoakOptions, result: SoakResult) => {
  const { faults, found, emails, repeated, differing, ownEnds } = result
  const rows = [...faults].map(([kind, count]) => [kind, count === undefined ? 'not on this machine' : String(count)])
  process.stdout.write(
    `\nSeed ${options.seed}, ${options.minutes} minutes, ${options.messages} messages and ${options.leads} forms a second\n\n`,
  )
  printTable(['fault', 'times'], rows)
  process.stdout.write('\n')
  printTable(
    ['what', ''],
    [
      ['messages stored', String(result.messages)],
      ['chats that ended', String(result.ends.stored)],
      ['chats that ended before the eyes of staff', String(result.ends.lookedOn)],
      ['messages refused after the end', String(result.refused)],
      ['forms stored', String(result.leads)],
      ['forms that were posted again', String(repeated.forms)],
      ['connections of visitors that were lost', String(repeated.connections)],
      ['lost', String(found.lost.length)],
      ['chats that were not shown whole in time', String(found.unseen.length)],
      ['doubled', String(found.doubled.length)],
      ['out of order', String(found.outOfOrder.length)],
      ['otherwise wrong', String(found.wrong.length)],
      ['emails delivered', `${emails.delivered} of ${emails.asked}`],
      ['emails waiting to be tried again', String(emails.waiting)],
      ['emails left to staff, with the reason', String(emails.forStaff)],
      ['emails that arrived twice or more', String(emails.sentTwice)],
      ['tables of views unlike a replay', String(differing.length)],
      ['processes that ended by themselves', String(ownEnds.length)],
      ['seconds until all was well', result.healedInS.toFixed(0)],
    ],
  )
  process.stdout.write(`\nThe chain of hashes is whole: ${result.head}\n`)
  for (const mistakes of [...Object.values(found), differing, ownEnds]) {
    for (const mistake of mistakes.slice(0, MOST_NAMED)) process.stdout.write(`  ${mistake}\n`)
  }
}

/** Runs the proof that acknowledged and read events survive the death of Postgres. Returns whether it holds. */
const survivesKills = ({ kills }: SoakOptions) => {
  if (kills === 0) return true
  const env = { ...process.env, TEST_SERVICES: 'local', KILL_ROUNDS: String(kills) }
  const { status } = spawnSync('npm', ['run', 'test:slow', '--', 'events/stores/postgres/durable'], {
    cwd: ROOT,
    stdio: 'inherit',
    env,
  })
  return status === 0
}

const run = async () => {
  const options = readSoakOptions(process.argv.slice(2))
  const mounts = process.env[HAS_MOUNTS] ? undefined : withOwnMounts()
  if (mounts) {
    const [command = '', ...args] = [...mounts, process.execPath, ...process.argv.slice(1)]
    const ended = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, [HAS_MOUNTS]: 'yes' } })
    if (ended.status === null) process.stderr.write(`The soak was ended by ${ended.signal ?? ended.error}\n`)
    return ended.status ?? 1
  }
  if (!survivesKills(options)) return 1
  // the nodes need the pages
  await buildWebIfStale(ROOT)
  surviveLostConnections()
  const begun = performance.now()
  process.once('beforeExit', () => {
    process.stderr.write('Nothing is left to wait for, and there is no result\n')
    process.exit(1)
  })
  const result = await soak(
    options,
    (line) => process.stdout.write(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`),
    (found) => print(options, found),
  )
  return [...Object.values(result.found).flat(), ...result.differing].length === 0 ? 0 : 1
}

run().then(
  (status) => process.exit(status),
  (error: unknown) => {
    // of some errors the message is empty: of those of several connections
    process.stderr.write(`${inspect(error)}\n`)
    process.exit(1)
  },
)
