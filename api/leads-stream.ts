import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Lead } from '../events/lead.ts'
import { LEADS_CHANNEL } from '../events/projections/channels.ts'
import { changedLeads, leadsPosition } from '../events/projections/leads.ts'
import type { ApiNode } from './node.ts'
import { readSession } from './staff-session.ts'

const POLL_MS = 2_000
const HEARTBEAT_MS = 15_000
const BATCH_LEADS = 200

/** Resolves when the leads view has changed, or after a while in case nobody said so. */
const nextChange = ({ bus }: ApiNode, signal: AbortSignal) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, POLL_MS)
  const wake = () => resolve()
  bus.subscribe(LEADS_CHANNEL, wake)
  signal.addEventListener('abort', wake, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    bus.unsubscribe(LEADS_CHANNEL, wake)
    signal.removeEventListener('abort', wake)
  })
}

const startPosition = async ({ sql }: ApiNode, c: Context) => {
  const last = c.req.header('last-event-id')
  return last !== undefined && /^\d{1,15}$/.test(last) ? Number(last) : await leadsPosition(sql)
}

/**
 * Sends each new or changed lead as it reaches the view, as an event `lead` whose id is the lead's position in the log:
 * who reconnects goes on after the last one. Ends when the session does.
 */
export const streamLeads = async (node: ApiNode, c: Context) => {
  let position = await startPosition(node, c)
  return streamSSE(c, async (out) => {
    const closed = new AbortController()
    out.onAbort(() => closed.abort())
    await out.write(': the stream is open\n\n')
    let lastWrite = performance.now()
    while (!closed.signal.aborted && !node.isDraining) {
      const change = nextChange(node, closed.signal)
      const changes: { position: number; lead: Lead }[] = await changedLeads(node.sql, position, BATCH_LEADS)
      for (const { position: at, lead } of changes) {
        await out.writeSSE({ event: 'lead', id: String(at), data: JSON.stringify(lead) })
        position = at
      }
      if (changes.length > 0) lastWrite = performance.now()
      if (changes.length === BATCH_LEADS) continue
      await change
      if (performance.now() - lastWrite < HEARTBEAT_MS) continue
      if (!(await readSession(node, c))) return
      await out.write(': still here\n\n')
      lastWrite = performance.now()
    }
  })
}
