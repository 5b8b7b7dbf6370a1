import { setTimeout as delay } from 'node:timers/promises'
import { CONSUMERS } from '../../consumers/registry.ts'
import { readConsumers } from '../../log/consumer-lag.ts'
import { headText, verifyLog } from '../../log/verify.ts'
import { connect, type Sql } from '../../stores/connection.ts'
import { TEST_KEYS } from '../keys.ts'
import { messagesOf } from './agent.ts'
import { type Audit, audit, type Shown } from './audit.ts'
import { accountForEmails, type EmailCount } from './emails.ts'
import { possibleKinds, strike } from './faults.ts'
import { openLedger } from './ledger.ts'
import { type Load, openLoad } from './load.ts'
import { readLogged } from './logged.ts'
import type { SoakOptions } from './options.ts'
import { FAULT_KINDS, type FaultKind, planFaults } from './plan.ts'
import { agentUnrest, readProgress } from './progress.ts'
import { compareWithReplay } from './replay.ts'
import { openStand, type Stand } from './stand.ts'

const HEAL_POLL_MS = 500
/** A fault that waited for others of its kind until this long after the end of the load is left out, and not counted. */
const LATE_MS = 10_000

/** The result of a soak. */
export type SoakResult = {
  /** How often each kind struck; undefined if this machine does not allow it. */
  faults: Map<FaultKind, number | undefined>
  minutes: number
  messages: number
  /** Chats that ended, and those of them whose end an agent received while it viewed them. */
  ends: { stored: number; lookedOn: number }
  leads: number
  /** Messages that came after the end of their chat. */
  refused: number
  /** Forms and connections that clients had to try again. */
  repeated: { forms: number; connections: number }
  emails: EmailCount
  found: Audit
  differing: string[]
  /** The head of the log, whose chain of hashes was checked. */
  head: string
  healedInS: number
  ownEnds: string[]
}

const isReady = async (url: string) =>
  (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined))?.status === 200

/** The reason that the soak is not over; undefined once all is quiet. */
const unrest = async (stand: Stand, load: Load, sql: Sql): Promise<string | undefined> => {
  const { visitors, agents, submitter } = load
  if (submitter.open > 0) return `${submitter.open} forms have no answer`
  const unsent = [...visitors, ...agents].reduce((sum, client) => sum + client.unsent, 0)
  if (unsent > 0) return `${unsent} messages are not accepted`
  for (const front of stand.fronts) if (!(await isReady(front.url.replace(/\/$/, '')))) return 'a node is not ready'
  const stored = await readProgress(sql)
  const behind = visitors.filter(({ sessionId = '', shown }) => shown.length < stored.lengthOf(sessionId))
  if (behind.length > 0) return `${behind.length} visitors have not been shown all of their chats`
  const restless = agents.map((agent) => agentUnrest(agent, stored)).find((reason) => reason !== undefined)
  if (restless) return restless
  const { consumers } = await readConsumers(sql, CONSUMERS)
  const late = consumers.filter(({ isCurrent, lag }) => isCurrent && lag > 0)
  if (late.length > 0) return `${late.map(({ name }) => name).join()} has not read the whole log`
  const [due] = await sql<{ count: number }[]>`
    select count(*) from deliveries where outcome is not null
      or (state in ('pending', 'retrying') and (due_at <= now() or claimed_until > now()))`
  return due && due.count > 0 ? `${due.count} emails are due` : undefined
}

/** Waits until nothing is pending, without intervention. */
const heal = async (stand: Stand, load: Load, sql: Sql, patienceS: number): Promise<string | undefined> => {
  const deadline = performance.now() + patienceS * 1_000
  for (;;) {
    const reason = await unrest(stand, load, sql).catch((error: unknown) => String(error))
    if (reason === undefined || performance.now() > deadline) return reason
    await delay(HEAL_POLL_MS)
  }
}

/** All that visitors and agents were shown, of every chat. */
const shownTo = ({ visitors, agents }: Load): Shown[] => [
  ...visitors.flatMap(({ sessionId, shown, past }, index) => {
    const name = `visitor ${index + 1}`
    const ended = past.map((chat) => ({ name, sessionId: chat.sessionId, messages: chat.shown, endedAt: chat.endedAt }))
    return sessionId ? [...ended, { name, sessionId, messages: shown }] : ended
  }),
  ...agents.flatMap(({ name, shown, ends }) =>
    [...shown].map(([sessionId, texts]) => ({
      name,
      sessionId,
      messages: messagesOf(texts),
      endedAt: ends.get(sessionId),
    })),
  ),
]

/**
 * Runs the faults of a plan, each at its moment; those of one kind wait for one another. Returns how many there were.
 */
const strikeAll = async (stand: Stand, load: Load, options: SoakOptions, say: (line: string) => void) => {
  const lengthMs = options.minutes * 60_000
  const kinds = possibleKinds(stand)
  const counts = new Map<FaultKind, number | undefined>(
    FAULT_KINDS.map((kind) => [kind, kinds.includes(kind) ? 0 : undefined]),
  )
  const begun = performance.now()
  const lines = new Map<FaultKind, Promise<void>>()
  for (const fault of planFaults(kinds, { seed: options.seed, lengthMs, everyMs: options.every * 1_000 })) {
    await delay(Math.max(0, fault.atMs - (performance.now() - begun)))
    const { kind } = fault
    const before = lines.get(kind) ?? Promise.resolve()
    const happen = async () => {
      await before
      if (performance.now() - begun > lengthMs + LATE_MS) return
      say(kind)
      const isDone = await strike({ stand, slowDown: load.slowDown, pace: options.pace }, fault)
      if (isDone) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
    lines.set(kind, happen())
  }
  await delay(Math.max(0, lengthMs - (performance.now() - begun)))
  load.finish()
  await Promise.all(lines.values())
  return counts
}

/**
 * Runs the product under load and faults, and audits the result. `say` gets a line for each event, `report` the result
 * as soon as there is one: closing may fail too.
 */
export const soak = async (
  options: SoakOptions,
  say: (line: string) => void,
  report: (result: SoakResult) => void = () => {},
): Promise<SoakResult> => {
  const stand = await openStand(say)
  const sql = connect(stand.ownerUrl, { max: 2, name: 'soak', keys: TEST_KEYS })
  let load: Load | undefined
  try {
    const ledger = openLedger()
    load = await openLoad(stand, ledger, options)
    const faults = await strikeAll(stand, load, options, say)
    const healing = performance.now()
    const unhealed = await heal(stand, load, sql, options.patience)
    const healedInS = (performance.now() - healing) / 1_000
    say('looking at what came of it')
    load.close()
    await stand.stopProcesses()
    const logged = await readLogged(sql)
    const { count: emails, wrong } = await accountForEmails(sql, logged, stand.emailService.submissions)
    const found = audit(ledger, logged, shownTo(load))
    found.wrong.push(...wrong, ...(unhealed === undefined ? [] : [`not over after ${options.patience} s: ${unhealed}`]))
    const head = headText(await verifyLog(sql))
    const differing = await compareWithReplay(stand.ownerUrl, sql)
    const isWell = [...Object.values(found).flat(), ...differing].length === 0
    if (!isWell) say(stand.printed())
    const result: SoakResult = {
      faults,
      minutes: options.minutes,
      messages: logged.messages.length,
      ends: { stored: logged.ends.size, lookedOn: new Set(load.agents.flatMap(({ ends }) => [...ends.keys()])).size },
      leads: logged.leads.length,
      refused: ledger.refused.length,
      repeated: {
        forms: ledger.repeated,
        connections: load.visitors.reduce((sum, { handshakes }) => sum + handshakes - 1, 0),
      },
      emails,
      found,
      differing,
      head,
      healedInS,
      ownEnds: stand.ownEnds,
    }
    report(result)
    return result
  } catch (error) {
    say(`failed: ${error instanceof Error ? error.stack : error}`) // at once: closing may fail too
    throw error
  } finally {
    load?.close()
    await sql.end({ timeout: 1 })
    await stand.close()
  }
}
