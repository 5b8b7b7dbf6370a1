import { type Agent, openAgent } from './agent.ts'
import type { Ledger } from './ledger.ts'
import { ORIGIN, STAFF, type Stand } from './stand.ts'
import { openSubmitter, type Submitter } from './submitter.ts'
import { openVisitor, type Visitor } from './visitor.ts'

/** A visitor may write one message a second for long: these write less often. */
const MESSAGES_PER_VISITOR = 0.7
/** The part of all messages that staff write. One account may write ten a second. */
const STAFF_SHARE = 0.1
const MOST_BY_STAFF_PER_SECOND = 8
/** Agents that receive all chats, as pages of an earlier version, and those that view one, as today's. */
const WHOLE_AGENTS = 1
const LOOKING_AGENTS = 2
/**
 * How often chats end: one that no such agent views, and the one that each of them views; then the agent views another.
 */
const END_EVERY_MS = 2_000
/** One visitor in this many continues their chat throughout. */
const FAITHFUL_EVERY = 4
/** Contracts go out by email at once. */
const CONTRACT_EVERY = 3
const TICK_MS = 50
/** Of the visitors, how many read slowly at a time; of the agents, one. */
const SLOW_SHARE = 0.1

/** The actions of visitors and staff while faults happen. */
export type Load = {
  visitors: Visitor[]
  agents: Agent[]
  submitter: Submitter
  slowDown: (ms: number) => void
  /** Nothing new is written from here on; written messages are repeated until they are accepted. */
  finish: () => void
  close: () => void
}

const signIn = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN },
    body: JSON.stringify(STAFF),
  })
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  if (!cookie) throw new Error(`Signing in answered ${response.status}: ${await response.text()}`)
  return cookie
}

let addresses = 0
/** Another person's address each time, as sent by the proxy before a node. */
const newAddress = () => {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Begins the load, over all nodes. `messages` and `leads` are rates a second. */
export const openLoad = async (
  stand: Stand,
  ledger: Ledger,
  { messages, leads }: { messages: number; leads: number },
): Promise<Load> => {
  const urls = stand.fronts.map(({ url }) => url.replace(/\/$/, ''))
  const pickUrl = () => urls[Math.floor(Math.random() * urls.length)] ?? ''
  const headers = () => ({ origin: ORIGIN, 'x-forwarded-for': newAddress() })
  const byStaff = Math.min(messages * STAFF_SHARE, MOST_BY_STAFF_PER_SECOND)
  const byVisitors = messages - byStaff
  const cookie = await signIn(pickUrl())
  const common = { ledger, pickUrl }
  const agents = Array.from({ length: WHOLE_AGENTS + LOOKING_AGENTS }, (_, index) =>
    openAgent({
      ...common,
      name: `agent ${index + 1}`,
      getsOutlines: index >= WHOLE_AGENTS,
      headers: { ...headers(), cookie },
    }),
  )
  const visitors = Array.from({ length: Math.ceil(byVisitors / MESSAGES_PER_VISITOR) }, (_, index) =>
    openVisitor({ ...common, name: `visitor ${index + 1}`, headers: headers() }),
  )
  const submitter = openSubmitter({ ...common, headers })

  const begun = performance.now()
  let said = 0
  let answered = 0
  let submitted = 0
  const sayBy = (visitor: Visitor | undefined) => {
    said += 1
    visitor?.say(`visitor's message ${said}`)
  }
  const answerBy = (agent: Agent | undefined, sessionId: string | undefined) => {
    answered += 1
    if (sessionId) agent?.answer(sessionId, `answer ${answered}`)
  }
  const say = () => sayBy(visitors[said % visitors.length])
  const answer = () => answerBy(agents[answered % agents.length], visitors[answered % visitors.length]?.sessionId)
  const submit = () => {
    submitted += 1
    submitter.submit(`Ana Number ${submitted}`, submitted % CONTRACT_EVERY === 0)
  }
  const leaving = visitors.filter((_, index) => index % FAITHFUL_EVERY > 0)
  const watched = new Map<Agent, Visitor>()
  let ended = 0
  const anyLeaving = () => leaving[Math.floor(Math.random() * leaving.length)]
  /** The visitor ends a chat while they still write. */
  const leave = (visitor: Visitor | undefined) => {
    sayBy(visitor)
    visitor?.end()
    sayBy(visitor)
  }
  /** Ends the chat that an agent views, by either side, while both still write; then the agent views another. */
  const endOne = (agent: Agent) => {
    const visitor = watched.get(agent)
    if (visitor?.sessionId && visitor.sessionId === agent.opened) {
      const { sessionId } = visitor
      ended += 1
      sayBy(visitor)
      answerBy(agent, sessionId)
      if (ended % 2 === 0) visitor.end()
      else agent.end(sessionId)
      answerBy(agent, sessionId)
      sayBy(visitor)
    }
    const next = anyLeaving()
    if (!next?.sessionId) return
    watched.set(agent, next)
    agent.look(next.sessionId)
  }
  const ending = setInterval(() => {
    leave(anyLeaving())
    for (const agent of agents) if (agent.getsOutlines) endOne(agent)
  }, END_EVERY_MS)
  const ticking = setInterval(() => {
    const seconds = (performance.now() - begun) / 1_000
    while (said < seconds * byVisitors) say()
    while (answered < seconds * byStaff) answer()
    while (submitted < seconds * leads) submit()
  }, TICK_MS)

  const finish = () => {
    clearInterval(ticking)
    clearInterval(ending)
  }
  let slowed = 0
  return {
    visitors,
    agents,
    submitter,
    slowDown: (ms) => {
      const count = Math.ceil(visitors.length * SLOW_SHARE)
      for (let each = 0; each < count; each += 1) visitors[(slowed * count + each) % visitors.length]?.pause(ms)
      agents[slowed % agents.length]?.pause(ms)
      slowed += 1
    },
    finish,
    close: () => {
      finish()
      for (const client of [...visitors, ...agents]) client.close()
    },
  }
}
