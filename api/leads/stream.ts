import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Lead } from '../../events/lead.ts'
import { changedLeads, LEADS_CHANNEL, leadsPosition } from '../../events/projections/leads.ts'
import type { ApiNode } from '../node.ts'
import { onSessionsEnded, readSession } from '../staff/session.ts'

const POLL_MS = 2_000
/** How often the session is looked at, and a sign of life sent. */
const SESSION_CHECK_MS = 5_000
const BATCH_LEADS = 200

/** Wakes whoever rests when the leads view has changed; the rest ends after a while in any case. */
const watchView = async ({ bus }: ApiNode, signal: AbortSignal) => {
  let hasChanged = false
  let end = () => {}
  const wake = () => {
    hasChanged = true
    end()
  }
  signal.addEventListener('abort', wake, { once: true })
  await bus.subscribe(LEADS_CHANNEL, wake)
  return {
    rest: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      end = resolve
      const timer = setTimeout(resolve, POLL_MS)
      if (!hasChanged) await promise
      clearTimeout(timer)
      hasChanged = false
    },
    wake,
    stop: () => bus.unsubscribe(LEADS_CHANNEL, wake),
  }
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
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
  let position = await startPosition(node, c)
  return streamSSE(c, async (out) => {
    const closed = new AbortController()
    out.onAbort(() => closed.abort())
    await out.write(': the stream is open\n\n')
    const view = await watchView(node, closed.signal)
    let lastCheck = performance.now()
    const stopListening = onSessionsEnded(node.bus, () => {
      lastCheck = Number.NEGATIVE_INFINITY
      view.wake()
    })
    try {
      while (!closed.signal.aborted && !node.isDraining) {
        const changes: { position: number; lead: Lead }[] = await changedLeads(node.sql, position, BATCH_LEADS)
        for (const { position: at, lead } of changes) {
          await out.writeSSE({ event: 'lead', id: String(at), data: JSON.stringify(lead) })
          position = at
        }
        if (changes.length < BATCH_LEADS) await view.rest()
        if (performance.now() - lastCheck < SESSION_CHECK_MS) continue
        lastCheck = performance.now()
        if (!(await readSession(node, c))) return
        await out.write(': still here\n\n')
      }
    } finally {
      stopListening()
      view.stop()
    }
  })
}
