import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Bus } from '../../events/stores/redis/bus.ts'
import { route } from '../http/route.ts'
import { type ApiNode, perNode } from '../node/node.ts'
import type { CallerEnv } from '../staff/caller.ts'
import { STAFF_CHANNEL } from '../staff/profile.ts'
import { type SessionWatch, watchOf } from '../staff/session-watch.ts'
import { eventsOf, type LeadBatch, type LeadFeed, openLeadFeed } from './feed.ts'

const HEARTBEAT_MS = 2_000
/** The maximum number of changes that wait for a client; one that is slower reads them from the view later. */
const MAX_WAITING_CHANGES = 500
/** A client that reads nothing for this long is disconnected. */
const MAX_UNREAD_MS = 60_000

/** The events besides those of leads. */
type OtherEvent = 'withdrawn' | 'quarantine' | 'staff'

type Send = (part: string | Uint8Array) => Promise<void>

/** One client of the stream: it takes its changes from the feed, and reads the view itself only if it is behind. */
const openClient = async (feed: LeadFeed, bus: Pick<Bus, 'subscribe' | 'unsubscribe'>, seen: number | undefined) => {
  let waiting: LeadBatch[] = []
  /** The other events to send, each with its data. */
  const otherEvents = new Map<OtherEvent, string>()
  let isBehind = seen !== undefined
  let isOver = false
  let wake = () => {}

  const unwatch = await feed.watch(({ withdrawn, hasQuarantineChanged, ...batch }) => {
    if (batch.changes.length > 0) waiting.push(batch)
    if (withdrawn > 0) otherEvents.set('withdrawn', String(Number(otherEvents.get('withdrawn') ?? 0) + withdrawn))
    if (hasQuarantineChanged) otherEvents.set('quarantine', '')
    if (waiting.reduce((sum, { changes }) => sum + changes.length, 0) > MAX_WAITING_CHANGES) {
      waiting = []
      isBehind = true
    }
    wake()
  })
  const noteStaff = () => {
    otherEvents.set('staff', '')
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
    isBehind = false // before the read: a change that the feed drops during that time sets it again
    const batch = await feed.after(position)
    if (batch.changes.length > 0) isBehind = true
    return [batch]
  }
  const rest = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    const timer = setTimeout(resolve, HEARTBEAT_MS)
    await promise
    clearTimeout(timer)
  }
  const sendChanges = async (send: Send, { changes, events }: LeadBatch) => {
    // the others have already been read from the view
    const fresh = changes.filter(({ position: at }) => at > position)
    const last = fresh.at(-1)
    if (!last) return
    await send(fresh.length < changes.length ? eventsOf(fresh) : events)
    position = last.position
  }
  const sendOther = async (send: Send, [event, data]: [event: OtherEvent, data: string]) => {
    otherEvents.delete(event)
    await send(`event: ${event}\ndata: ${data}\n\n`)
  }
  /** Waits for something to send; after some time sends an event, since a page cannot see comments. */
  const idle = async (send: Send) => {
    await rest()
    if (waiting.length === 0 && otherEvents.size === 0) await send('event: heartbeat\ndata: \n\n')
  }
  /** Sends changes until the client is closed, or `mayGoOn` returns false. */
  const serve = async (send: Send, mayGoOn: () => boolean) => {
    await send(': the stream is open\n\n')
    while (!isOver && mayGoOn()) {
      for (const batch of isBehind ? await missed() : waiting.splice(0)) await sendChanges(send, batch)
      if (isBehind || waiting.length > 0 || isOver) continue
      const [other] = otherEvents
      await (other ? sendOther(send, other) : idle(send))
    }
  }
  return { serve, close }
}

/** Sends the parts of a stream; calls `onUnread` if the client reads nothing for too long. */
const openSender =
  (out: SSEStreamingApi, { maxUnreadMs, onUnread }: { maxUnreadMs: number; onUnread: () => void }) =>
  async (part: string | Uint8Array) => {
    const timer = setTimeout(onUnread, maxUnreadMs)
    await out.write(part)
    clearTimeout(timer)
  }

const lastEventId = (c: Context) => {
  const id = c.req.header('last-event-id')
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : undefined
}

/**
 * Opens the sender of each new or changed lead as it reaches the view, as an event `lead` whose id is the lead's
 * position in the log. An event `withdrawn` carries the number of leads that have left the lists, as when an import is
 * undone, or staff call one spam: then lists are read again. An event `quarantine` reports that a flagged lead came,
 * changed or was released, without naming it: only pages that show those leads read them. An event `staff` reports that
 * names or photos of staff have changed. After two seconds without any of these an event `heartbeat` shows that the
 * stream is alive. A client that reconnects continues after the last event.
 *
 * The stream ends when the session does. A node reads the view once, makes the events once and checks all sessions
 * once, for any number of clients. An account has a bounded number of streams on a node, and a client that does not
 * read is disconnected.
 */
export const openLeadStream = (
  node: Pick<ApiNode, 'reading' | 'bus' | 'admission' | 'logger' | 'isDraining'>,
  watch: Pick<SessionWatch, 'enter'>,
  { maxUnreadMs = MAX_UNREAD_MS }: { maxUnreadMs?: number } = {},
) => {
  const feed = openLeadFeed(node)
  return async (c: Context<CallerEnv>) => {
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const { outgoing } = c.env
    const { id, tokenHash } = c.get('caller')
    const letGo = node.admission.hold('lead_streams_of_account', id)
    const client = await openClient(feed, node.bus, lastEventId(c)).catch((error) => {
      letGo()
      throw error
    })
    const leave = watch.enter({ tokenHash, end: client.close })
    const close = () => {
      client.close()
      leave()
      letGo()
    }
    return streamSSE(c, async (out) => {
      out.onAbort(close)
      const onUnread = () => {
        close()
        outgoing.destroy()
      }
      try {
        await client.serve(openSender(out, { maxUnreadMs, onUnread }), () => !node.isDraining)
      } finally {
        close()
      }
    })
  }
}

const streamOf = perNode((node) => openLeadStream(node, watchOf(node)))

export const leadStream = route('GET', '/api/leads/stream', {
  access: 'staff',
  scope: 'leads:read',
  summary:
    'Streams each new or changed lead, changes of the quarantine, and a heartbeat every two seconds (server-sent events)',
  answer: { mediaType: 'text/event-stream' },
  handler: ({ node, c }) => streamOf(node)(c),
})
