import { type Desk, openDesk } from './desk.ts'
import type { Ledger } from './ledger.ts'
import { ORIGIN, STAFF, type Stand } from './stand.ts'
import { openSubmitter, type Submitter } from './submitter.ts'
import { openVisitor, type Visitor } from './visitor.ts'

/** A visitor may write one message a second for long: these write less often. */
const MESSAGES_A_VISITOR = 0.7
/** What staff write of all messages. One account may write ten a second. */
const STAFF_SHARE = 0.1
const MOST_BY_STAFF_A_SECOND = 8
/** Desks that are told all chats, as pages of an earlier version, and those that look at one, as today's. */
const WHOLE_DESKS = 1
const LOOKING_DESKS = 2
/** How often a chat ends at which no such desk looks, and one for each of them; then the desk looks at another. */
const END_EVERY_MS = 2_000
/** One visitor of these many goes on with their chat throughout. */
const FAITHFUL_EVERY = 4
/** Contracts are what goes out by e-mail at once. */
const CONTRACT_EVERY = 3
const TICK_MS = 50
/** Of the visitors, how many read slowly at a time; of the desks, one. */
const SLOW_SHARE = 0.1

/** What visitors and staff do while faults happen. */
export type Load = {
  visitors: Visitor[]
  desks: Desk[]
  submitter: Submitter
  slowDown: (ms: number) => void
  /** Nothing new is written from here on; what has been written goes on until it is accepted. */
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
/** Another person's address each time, as the proxy before a node tells it. */
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
  const byStaff = Math.min(messages * STAFF_SHARE, MOST_BY_STAFF_A_SECOND)
  const byVisitors = messages - byStaff
  const cookie = await signIn(pickUrl())
  const common = { ledger, pickUrl }
  const desks = Array.from({ length: WHOLE_DESKS + LOOKING_DESKS }, (_, index) =>
    openDesk({
      ...common,
      name: `desk ${index + 1}`,
      getsOutlines: index >= WHOLE_DESKS,
      headers: { ...headers(), cookie },
    }),
  )
  const visitors = Array.from({ length: Math.ceil(byVisitors / MESSAGES_A_VISITOR) }, (_, index) =>
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
  const answerBy = (desk: Desk | undefined, sessionId: string | undefined) => {
    answered += 1
    if (sessionId) desk?.answer(sessionId, `answer ${answered}`)
  }
  const say = () => sayBy(visitors[said % visitors.length])
  const answer = () => answerBy(desks[answered % desks.length], visitors[answered % visitors.length]?.sessionId)
  const submit = () => {
    submitted += 1
    submitter.submit(`Ana Number ${submitted}`, submitted % CONTRACT_EVERY === 0)
  }
  const leaving = visitors.filter((_, index) => index % FAITHFUL_EVERY > 0)
  const watched = new Map<Desk, Visitor>()
  let ended = 0
  const anyLeaving = () => leaving[Math.floor(Math.random() * leaving.length)]
  /** A chat ends by its visitor, in the midst of what they write. */
  const leave = (visitor: Visitor | undefined) => {
    sayBy(visitor)
    visitor?.end()
    sayBy(visitor)
  }
  /** The chat that a desk looks at ends, by either side, in the midst of what both write; then it looks at another. */
  const endOne = (desk: Desk) => {
    const visitor = watched.get(desk)
    if (visitor?.sessionId && visitor.sessionId === desk.opened) {
      const { sessionId } = visitor
      ended += 1
      sayBy(visitor)
      answerBy(desk, sessionId)
      if (ended % 2 === 0) visitor.end()
      else desk.end(sessionId)
      answerBy(desk, sessionId)
      sayBy(visitor)
    }
    const next = anyLeaving()
    if (!next?.sessionId) return
    watched.set(desk, next)
    desk.look(next.sessionId)
  }
  const ending = setInterval(() => {
    leave(anyLeaving())
    for (const desk of desks) if (desk.getsOutlines) endOne(desk)
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
    desks,
    submitter,
    slowDown: (ms) => {
      const count = Math.ceil(visitors.length * SLOW_SHARE)
      for (let each = 0; each < count; each += 1) visitors[(slowed * count + each) % visitors.length]?.pause(ms)
      desks[slowed % desks.length]?.pause(ms)
      slowed += 1
    },
    finish,
    close: () => {
      finish()
      for (const client of [...visitors, ...desks]) client.close()
    },
  }
}
