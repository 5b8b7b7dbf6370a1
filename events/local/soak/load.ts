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
const DESKS = 2
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
  const desks = Array.from({ length: DESKS }, (_, index) =>
    openDesk({ ...common, name: `desk ${index + 1}`, headers: { ...headers(), cookie } }),
  )
  const visitors = Array.from({ length: Math.ceil(byVisitors / MESSAGES_A_VISITOR) }, (_, index) =>
    openVisitor({ ...common, name: `visitor ${index + 1}`, headers: headers() }),
  )
  const submitter = openSubmitter({ ...common, headers })

  const begun = performance.now()
  let said = 0
  let answered = 0
  let submitted = 0
  const say = () => {
    said += 1
    visitors[said % visitors.length]?.say(`visitor's message ${said}`)
  }
  const answer = () => {
    answered += 1
    const sessionId = visitors[answered % visitors.length]?.sessionId
    if (sessionId) desks[answered % desks.length]?.answer(sessionId, `answer ${answered}`)
  }
  const submit = () => {
    submitted += 1
    submitter.submit(`Ana Number ${submitted}`, submitted % CONTRACT_EVERY === 0)
  }
  const ticking = setInterval(() => {
    const seconds = (performance.now() - begun) / 1_000
    while (said < seconds * byVisitors) say()
    while (answered < seconds * byStaff) answer()
    while (submitted < seconds * leads) submit()
  }, TICK_MS)

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
    finish: () => clearInterval(ticking),
    close: () => {
      clearInterval(ticking)
      for (const client of [...visitors, ...desks]) client.close()
    },
  }
}
