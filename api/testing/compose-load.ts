import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { until } from '../../events/local/smoke.ts'

const LEAD_EVERY_MS = 150
const MESSAGE_EVERY_MS = 1_100
const RECONNECT_AFTER_MS = 200
const SETTLE_TIMEOUT_MS = 60_000

type Frame = { type: string; [field: string]: unknown }
type Posted = { sequence: number; message: string }

/** The load by visitors while the containers are changed. */
export type Load = {
  /**
   * Ends the load, waits for the responses to all requests, and throws if anything was lost, doubled or out of order.
   */
  finish: (cookie: string) => Promise<{ leads: number; refused: number; messages: number; reconnects: number }>
}

/**
 * One visitor who sends leads. A form that is refused while a node stops is sent again with its key, as the page asks a
 * person to do: it counts, and must be stored once in the end.
 */
const sendLeads = (site: string, signal: AbortSignal) => {
  const ids: string[] = []
  const failures: string[] = []
  const counts = { refused: 0 }
  const sendOne = async () => {
    const person = { name: 'Load', email: `load-${randomUUID()}@example.com`, phone: '+27 21 555 0100' }
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: site, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ ...person, leadSource: 'hero_form' }),
    }
    const id = await until('A lead stored', SETTLE_TIMEOUT_MS, async () => {
      const response = await fetch(`${site}/api/leads`, request)
      if (response.status === 201) return v.parse(v.object({ id: v.string() }), await response.json()).id
      if (response.status !== 503)
        failures.push(`a lead was answered with ${response.status}: ${await response.text()}`)
      counts.refused += 1
      return undefined
    })
    ids.push(id)
  }
  const run = async () => {
    while (!signal.aborted) {
      await sendOne().catch((error: Error) => failures.push(error.message))
      await delay(LEAD_EVERY_MS)
    }
  }
  return { ids, failures, counts, done: run() }
}

/** One visitor's chat; it reconnects as the page does and repeats the messages that were not accepted. */
const chat = (site: string, signal: AbortSignal) => {
  const unsent = new Map<string, string>()
  const seen: Posted[] = []
  const own = { sessionId: '', resumeToken: '', afterSequence: 0 }
  let said = 0
  let connections = 0
  let socket: WebSocket | undefined
  let isJoined = false

  const send = (frame: Frame) => socket?.send(JSON.stringify(frame))
  const say = (clientMessageId: string, message: string) =>
    send({ type: 'send_message', sessionId: own.sessionId, message, clientMessageId })
  const see = (posted: Posted) => {
    seen.push(posted)
    own.afterSequence = Math.max(own.afterSequence, posted.sequence)
  }
  const take = (frame: Frame) => {
    if (frame.type === 'chat_joined') {
      own.sessionId = String(frame.sessionId)
      own.resumeToken = String(frame.resumeToken)
      isJoined = true
      for (const [id, message] of unsent) say(id, message)
    }
    if (frame.type === 'message_accepted') unsent.delete(String(frame.clientMessageId))
    if (frame.type === 'new_message') see(frame as unknown as Posted)
    if (frame.type === 'chat_history') for (const posted of frame.messages as Posted[]) see(posted)
    if (frame.type === 'reconnect') socket?.close()
  }
  const open = () => {
    connections += 1
    isJoined = false
    const opened = new WebSocket(`${site.replace('http', 'ws')}/ws`, { headers: { origin: site } })
    socket = opened
    opened.on('open', () => {
      const resume = own.sessionId === '' ? {} : own
      send({ type: 'join_chat', visitorName: 'Load', pageUrl: `${site}/`, ...resume })
    })
    opened.on('message', (data) => take(JSON.parse(String(data))))
    opened.on('error', () => {})
    opened.on('close', () => {
      isJoined = false
      if (!signal.aborted || unsent.size > 0) setTimeout(open, RECONNECT_AFTER_MS)
    })
  }
  open()
  const run = async () => {
    while (!signal.aborted) {
      said += 1
      const id = randomUUID()
      unsent.set(id, `message ${said}`)
      if (isJoined) say(id, `message ${said}`)
      await delay(MESSAGE_EVERY_MS)
    }
    await until('All messages accepted', SETTLE_TIMEOUT_MS, async () => (unsent.size === 0 ? true : undefined))
    await until('All messages seen', SETTLE_TIMEOUT_MS, async () => (seen.length >= said ? true : undefined))
    socket?.close()
  }
  const complaints = () => {
    const sequences = seen.map(({ sequence }) => sequence)
    const messages = seen.map(({ message }) => message)
    return [
      ...(sequences.every((sequence, index) => sequence === index + 1)
        ? []
        : [`a visitor was shown the messages as ${sequences.join()}`]),
      ...(new Set(messages).size === said ? [] : [`of ${said} messages a visitor was shown ${new Set(messages).size}`]),
    ]
  }
  return { complaints, done: run(), counts: () => ({ messages: said, reconnects: connections - 1 }) }
}

/** Begins to send leads and chat messages to a site, until `finish`. */
export const beginLoad = (site: string): Load => {
  const ending = new AbortController()
  const leads = sendLeads(site, ending.signal)
  const talk = chat(site, ending.signal)
  /** A form beyond its limit is stored and flagged. */
  const listed = async (cookie: string) => {
    const lists = ['/api/leads', '/api/leads?quarantine=true'].map(async (path) => {
      const response = await fetch(site + path, { headers: { cookie } })
      return v.parse(v.array(v.object({ id: v.string() })), await response.json())
    })
    return (await Promise.all(lists)).flat().map(({ id }) => id)
  }
  return {
    finish: async (cookie) => {
      ending.abort()
      await Promise.all([leads.done, talk.done])
      await until('All leads in the staff’s lists', SETTLE_TIMEOUT_MS, async () => {
        const ids = await listed(cookie)
        return leads.ids.every((id) => ids.filter((each) => each === id).length === 1) ? true : undefined
      })
      const complaints = [...leads.failures, ...talk.complaints()]
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      return { leads: leads.ids.length, ...leads.counts, ...talk.counts() }
    },
  }
}
