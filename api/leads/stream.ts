import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Bus } from '../../events/log/bus.ts'
import type { ApiNode } from '../node.ts'
import type { CallerEnv } from '../staff/caller.ts'
import { STAFF_CHANNEL } from '../staff/profile.ts'
import type { SessionWatch } from '../staff/session-watch.ts'
import { type LeadChange, type LeadFeed, openLeadFeed } from './feed.ts'

const HEARTBEAT_MS = 2_000
/** A client that takes its changes so slowly that more of them wait reads them from the view later. */
const MAX_WAITING_CHANGES = 500

/** One client of the stream: it takes its changes from the feed, and reads the view itself only where it is behind. */
const openClient = async (feed: LeadFeed, bus: Pick<Bus, 'subscribe' | 'unsubscribe'>, seen: number | undefined) => {
  let waiting: LeadChange[] = []
  /** What else is to be told: each event with its data. */
  const notices = new Map<'withdrawn' | 'quarantine' | 'staff', string>()
  let isBehind = seen !== undefined
  let isOver = false
  let wake = () => {}

  const unwatch = await feed.watch(({ changes, withdrawn, hasQuarantineChanged }) => {
    waiting.push(...changes)
    if (withdrawn > 0) notices.set('withdrawn', String(Number(notices.get('withdrawn') ?? 0) + withdrawn))
    if (hasQuarantineChanged) notices.set('quarantine', '')
    if (waiting.length > MAX_WAITING_CHANGES) {
      waiting = []
      isBehind = true
    }
    wake()
  })
  const noteStaff = () => {
    notices.set('staff', '')
    wake()
  }
  bus.subscribe(STAFF_CHANNEL, noteStaff)
  const close = () => {
    isOver = true
    unwatch()
    bus.unsubscribe(STAFF_CHANNEL, noteStaff)
    wake()
  }
  let position =
    seen ??
    (await feed.position().catch((error) => {
      close()
      throw error
    }))

  const missed = async () => {
    isBehind = false // before the look: what the feed drops meanwhile sets it again
    const changes = await feed.after(position)
    if (changes.length > 0) isBehind = true
    return changes
  }
  const rest = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, HEARTBEAT_MS)
    await promise
    clearTimeout(timer)
  }
  /** Sends changes until the client is closed, or `mayGoOn` says no. */
  const serve = async (out: SSEStreamingApi, mayGoOn: () => boolean) => {
    await out.write(': the stream is open\n\n')
    while (!isOver && mayGoOn()) {
      const changes = isBehind ? await missed() : waiting.splice(0)
      // one event may change several leads
      const sent = position
      for (const { position: at, json } of changes) {
        if (at <= sent) continue // it came from the view before
        await out.writeSSE({ event: 'lead', id: String(at), data: json })
        position = at
      }
      if (isBehind || waiting.length > 0 || isOver) continue
      const [notice] = notices
      if (notice) {
        const [event, data] = notice
        notices.delete(event)
        await out.writeSSE({ event, data })
        continue
      }
      await rest()
      // an event, since a page never hears of a comment
      if (waiting.length === 0 && notices.size === 0) await out.writeSSE({ event: 'heartbeat', data: '' })
    }
  }
  return { serve, close }
}

const lastEventId = (c: Context) => {
  const id = c.req.header('last-event-id')
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

/**
 * Opens what sends each new or changed lead as it reaches the view, as an event `lead` whose id is the lead's position in
 * the log. An event `withdrawn` tells how many leads have left the lists, as when an import is undone, or staff call one
 * spam: then lists are read again. An event `quarantine` tells that a flagged lead came, changed or was released, and not
 * which: only who looks at those reads them. An event `staff` tells that names or photos of staff have changed. After two
 * seconds without any of these an event `heartbeat` says that the stream is alive. A client that reconnects goes on after
 * the last event.
 * The stream ends when the session does. A node's cost is one reading of the view and one look at all sessions, however
 * many clients it has.
 */
export const openLeadStream = (
  node: Pick<ApiNode, 'reading' | 'bus' | 'logger' | 'isDraining'>,
  watch: Pick<SessionWatch, 'enter'>,
) => {
  const feed = openLeadFeed(node)
  return async (c: Context<CallerEnv>) => {
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const client = await openClient(feed, node.bus, lastEventId(c))
    const leave = watch.enter({ tokenHash: c.get('caller').tokenHash, end: client.close })
    return streamSSE(c, async (out) => {
      out.onAbort(client.close)
      try {
        await client.serve(out, () => !node.isDraining)
      } finally {
        client.close()
        leave()
      }
    })
  }
}
