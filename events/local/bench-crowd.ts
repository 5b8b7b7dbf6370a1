import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../stores/connection.ts'
import { TEST_KEYS } from '../testing/keys.ts'
import { audit } from '../testing/soak/audit.ts'
import type { ClientOptions } from '../testing/soak/client.ts'
import { openLedger } from '../testing/soak/ledger.ts'
import { readLogged } from '../testing/soak/logged.ts'
import { openVisitor, type Visitor } from '../testing/soak/visitor.ts'
import { newVisitor } from './bench-nodes.ts'

const POLL_MS = 50
const TIMEOUT_MS = 300_000
const ENTERING_AT_ONCE = 200
const TICK_MS = 20
/** The files that a process has open besides its sockets. */
const OTHER_FILES = 200

/** As many sockets as one process may have open here, `wanted` at most. */
export const socketsAllowed = (wanted: number): number => {
  const most = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return Math.min(wanted, Number(most ?? Number.POSITIVE_INFINITY) - OTHER_FILES)
}

/** Waits until something is so; fails after five minutes. */
export const until = async (what: string, isSo: () => boolean): Promise<void> => {
  const deadline = performance.now() + TIMEOUT_MS
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${TIMEOUT_MS / 1_000} s`)
    await delay(POLL_MS)
  }
}

/** Visitors of a benchmark, each at their own address, and each in a chat in which they have written once. */
export type Crowd = {
  readonly visitors: readonly Visitor[]
  /** Sends a message now from this many of them. */
  say: (count: number) => void
  /** Sends this many messages a second, until the returned function is called. */
  keepSaying: (perSecond: number) => () => void
  /** Waits until all that they wrote is accepted, and shown to them. */
  settled: () => Promise<void>
  /** How many flaws of each kind the visitors saw, compared with the whole log. */
  audit: () => Promise<{ lost: number; doubled: number; outOfOrder: number; other: number }>
  close: () => void
}

/** Gathers a crowd. */
export const gatherCrowd = async (
  size: number,
  options: Required<Pick<ClientOptions, 'pickUrl' | 'connect'>>,
): Promise<Crowd> => {
  const ledger = openLedger()
  const visitors: Visitor[] = []
  let said = 0
  const say = (count: number) => {
    for (let each = 0; each < count; each += 1) {
      said += 1
      visitors[said % visitors.length]?.say(`message ${said}`)
    }
  }
  const waiting = () => visitors.filter(({ unsent }) => unsent > 0).length
  for (let index = 0; index < size; index += 1) {
    const visitor = openVisitor({ name: `Visitor ${index}`, ledger, headers: newVisitor(), ...options })
    visitors.push(visitor)
    visitor.say(`first ${index}`)
    if (index % ENTERING_AT_ONCE === 0) await until('visitors come in', () => waiting() < 2 * ENTERING_AT_ONCE)
  }
  const shown = () => visitors.reduce((sum, visitor) => sum + visitor.shown.length, 0)
  const settled = async () => {
    await until('all is accepted', () => waiting() === 0)
    await until('all is shown', () => shown() === size + said)
  }
  await settled()

  return {
    visitors,
    say,
    keepSaying: (perSecond) => {
      const began = performance.now()
      const before = said
      const saying = setInterval(() => {
        say(Math.floor(((performance.now() - began) / 1_000) * perSecond) - (said - before))
      }, TICK_MS)
      return () => clearInterval(saying)
    },
    settled,
    audit: async () => {
      const sql = connect(process.env.DATABASE_URL ?? '', { max: 1, name: 'bench', keys: TEST_KEYS })
      const logged = await readLogged(sql).finally(() => sql.end())
      const views = visitors.map(({ sessionId = '', shown }, index) => ({
        name: `Visitor ${index}`,
        sessionId,
        messages: shown,
      }))
      const { lost, doubled, outOfOrder, unseen, wrong } = audit(ledger, logged, views)
      const missing = logged.messages.length === size + said ? 0 : Math.abs(size + said - logged.messages.length)
      return {
        lost: lost.length + unseen.length + missing,
        doubled: doubled.length,
        outOfOrder: outOfOrder.length,
        other: wrong.length,
      }
    },
    close: () => {
      for (const visitor of visitors) visitor.close()
    },
  }
}
