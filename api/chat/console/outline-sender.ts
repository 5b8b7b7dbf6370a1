import { openRecent } from '../../../events/base/recent.ts'
import type { ChatMessage } from '../../../events/chat/chat.ts'
import { type ChatOutline, outlineAfter } from '../../../events/chat/outline.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'

/** The least time between two frames of outlines. */
const OUTLINES_EVERY_MS = 250
/** The maximum number of outlines in a frame, about 100 kB of the longest kind. The others follow in the next one. */
const MAX_OUTLINES_A_FRAME = 200
/** The maximum number of cached outlines: those of the chats with the newest messages. Others are read again. */
const MAX_OUTLINES = 10_000
/** How long after a failure the log is read again. */
const RETRY_AFTER_MS = 2_000

/** Whether the last words could be read. If not, the next frame tries again. */
const isReadable = ({ last, lastSequence }: ChatOutline) => last !== null || lastSequence === 0

type OutlineSenderOptions = {
  /** Reads the outlines of uncached chats from the log. */
  readOutlines: (sessionIds: string[]) => Promise<ReadonlyMap<string, ChatOutline>>
  /** Sends a frame to the consoles that get outlines. */
  send: (frame: ServerFrame) => void
  onError: (error: unknown) => void
}

/**
 * Caches the outlines of chats with new messages and sends the changes of OUTLINES_EVERY_MS in one frame. A chat is
 * cached; cached and pending, once it has a new message; or pending and not cached, in which case it is read first.
 */
export const openOutlineSender = ({ readOutlines, send, onError }: OutlineSenderOptions) => {
  const outlines = openRecent<ChatOutline>({ maxEntries: MAX_OUTLINES })
  /** The chats whose outlines are due to be sent, in the order in which they changed. */
  const pending = new Set<string>()
  /** The chats whose outlines are being read; an erased chat is removed. */
  const reading = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isSending = false
  let sentAt = Number.NEGATIVE_INFINITY

  /** Caches the outlines read. If a chat got a message during the read, its outline is sent and read again. */
  const read = async (sessionIds: string[]) => {
    for (const id of sessionIds) reading.add(id)
    try {
      const found = [...(await readOutlines(sessionIds))].filter(([id]) => reading.has(id))
      for (const [id, outline] of found) if (!pending.has(id) && isReadable(outline)) outlines.set(id, outline)
      return new Map(found)
    } catch (error) {
      for (const id of sessionIds) if (reading.has(id)) pending.add(id)
      throw error
    } finally {
      reading.clear()
    }
  }

  const sendOutlines = async () => {
    const ids = [...pending].slice(0, MAX_OUTLINES_A_FRAME)
    for (const id of ids) pending.delete(id)
    const unknown = ids.filter((id) => !outlines.get(id))
    try {
      const fresh = unknown.length > 0 ? await read(unknown) : outlines
      const chats = ids.flatMap((sessionId) => {
        const outline = outlines.get(sessionId) ?? fresh.get(sessionId)
        return outline ? [{ sessionId, ...outline }] : []
      })
      const frame: ServerFrame = { type: 'chat_outlines', chats }
      if (chats.length > 0) send(frame)
      sentAt = performance.now()
    } catch (error) {
      onError(error)
      // those that were read and are still wanted are among them already
      for (const id of ids) if (outlines.get(id)) pending.add(id)
      sentAt = performance.now() + RETRY_AFTER_MS
    }
  }

  const sendSoon = () => {
    if (timer || isSending || pending.size === 0) return
    timer = setTimeout(
      async () => {
        timer = undefined
        isSending = true
        await sendOutlines()
        isSending = false
        sendSoon()
      },
      Math.max(0, sentAt + OUTLINES_EVERY_MS - performance.now()),
    )
  }

  const note = (message: ChatMessage) => {
    const { sessionId, sequence } = message
    const known = outlines.get(sessionId)
    if (known && sequence <= known.lastSequence) return
    if (known && sequence === known.lastSequence + 1) outlines.set(sessionId, outlineAfter(known, message))
    else outlines.delete(sessionId)
    pending.add(sessionId)
    sendSoon()
  }

  const drop = (sessionId: string) => {
    outlines.delete(sessionId)
    pending.delete(sessionId)
    reading.delete(sessionId)
  }

  const dropAll = () => {
    clearTimeout(timer)
    timer = undefined
    outlines.clear()
    pending.clear()
    reading.clear()
  }

  return { note, drop, dropAll }
}
