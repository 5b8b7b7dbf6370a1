import type { ChatMessage } from '../../../events/chat.ts'
import type { ServerFrame } from '../../../events/chat-frames.ts'
import { type ChatOutline, outlineAfter } from '../../../events/chat-outline.ts'

/** The least time between two frames of outlines: how often a busy chat is told of. */
const OUTLINES_EVERY_MS = 250
/** A frame holds at most this many outlines, about 100 kB of the longest kind. The others come with the next one. */
const MAX_OUTLINES_A_FRAME = 200
/** At most this many outlines are kept, those of the chats in which somebody wrote last. The others are read again. */
const MAX_OUTLINES = 10_000
/** How long after a failure the log is read again. */
const RETRY_AFTER_MS = 2_000

/** Whether the words could be read: of others the next frame tries again. */
const isReadable = ({ last, lastSequence }: ChatOutline) => last !== null || lastSequence === 0

/** What outlines are told by. */
type OutlineTellerOptions = {
  /** Reads outlines from the log: of chats of which none is known here. */
  readOutlines: (sessionIds: string[]) => Promise<ReadonlyMap<string, ChatOutline>>
  /** Sends a frame to those who get outlines. */
  tell: (frame: ServerFrame) => void
  onError: (error: unknown) => void
}

/**
 * Keeps the outlines of the chats in which somebody writes, and tells them: what happens within OUTLINES_EVERY_MS in one
 * frame. A chat is known; or known and pending, since somebody wrote; or pending and unknown, so that it is read first.
 */
export const openOutlineTeller = ({ readOutlines, tell, onError }: OutlineTellerOptions) => {
  const outlines = new Map<string, ChatOutline>()
  /** The chats whose outlines have to be told, in the order in which they changed. */
  const pending = new Set<string>()
  /** The chats whose outlines are being read: what was erased meanwhile is no longer among them. */
  const reading = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isTelling = false
  let toldAt = Number.NEGATIVE_INFINITY

  const keep = (sessionId: string, outline: ChatOutline) => {
    outlines.delete(sessionId)
    outlines.set(sessionId, outline)
    const [oldest] = outlines.keys()
    if (outlines.size > MAX_OUTLINES && oldest !== undefined) outlines.delete(oldest)
  }

  /** What is read is kept, unless somebody wrote meanwhile: then it is told, and read again. */
  const read = async (sessionIds: string[]) => {
    for (const id of sessionIds) reading.add(id)
    try {
      const found = [...(await readOutlines(sessionIds))].filter(([id]) => reading.has(id))
      for (const [id, outline] of found) if (!pending.has(id) && isReadable(outline)) keep(id, outline)
      return new Map(found)
    } catch (error) {
      for (const id of sessionIds) if (reading.has(id)) pending.add(id)
      throw error
    } finally {
      reading.clear()
    }
  }

  const tellOutlines = async () => {
    const ids = [...pending].slice(0, MAX_OUTLINES_A_FRAME)
    for (const id of ids) pending.delete(id)
    const unknown = ids.filter((id) => !outlines.has(id))
    try {
      const fresh = unknown.length > 0 ? await read(unknown) : outlines
      const chats = ids.flatMap((sessionId) => {
        const outline = outlines.get(sessionId) ?? fresh.get(sessionId)
        return outline ? [{ sessionId, ...outline }] : []
      })
      const frame: ServerFrame = { type: 'chat_outlines', chats }
      if (chats.length > 0) tell(frame)
      toldAt = performance.now()
    } catch (error) {
      onError(error)
      // those that had to be read and are still wanted are among them already
      for (const id of ids) if (outlines.has(id)) pending.add(id)
      toldAt = performance.now() + RETRY_AFTER_MS
    }
  }

  const tellSoon = () => {
    if (timer || isTelling || pending.size === 0) return
    timer = setTimeout(
      async () => {
        timer = undefined
        isTelling = true
        await tellOutlines()
        isTelling = false
        tellSoon()
      },
      Math.max(0, toldAt + OUTLINES_EVERY_MS - performance.now()),
    )
  }

  const note = (message: ChatMessage) => {
    const { sessionId, sequence } = message
    const known = outlines.get(sessionId)
    if (known && sequence <= known.lastSequence) return
    if (known && sequence === known.lastSequence + 1) keep(sessionId, outlineAfter(known, message))
    else outlines.delete(sessionId)
    pending.add(sessionId)
    tellSoon()
  }

  const forget = (sessionId: string) => {
    outlines.delete(sessionId)
    pending.delete(sessionId)
    reading.delete(sessionId)
  }

  const forgetAll = () => {
    clearTimeout(timer)
    timer = undefined
    outlines.clear()
    pending.clear()
    reading.clear()
  }

  return { note, forget, forgetAll }
}
