/**
 * A console gets the newest 50 chats that go on. It gets the others by page, by search, or, up to 200, when somebody
 * writes there. It gets the text of the chat that is open, and of the others the last words and what is unread, in at
 * most four frames a second.
 */

import type { ChatMessage } from '../../events/chat.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'
import { type ChatOutline, outlineAfter } from '../../events/chat-outline.ts'
import type { ChatSocket } from './chat-socket.ts'

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

/** The chat that a console has opened, and the sequence number up to which a history has given it the messages. */
type Opened = { sessionId: string; had: number }

/**
 * The consoles on one node, and what each is told. One that asked for outlines gets the messages and receipts of the chat
 * that it has opened; of all others it gets outlines: what happens within OUTLINES_EVERY_MS in one frame, the same for all.
 */
export type Consoles = {
  readonly size: number
  has: (socket: ChatSocket) => boolean
  add: (socket: ChatSocket, getsOutlines: boolean) => void
  /** Returns whether it was there. */
  delete: (socket: ChatSocket) => boolean
  /** This console shows a chat from now on, or none. */
  open: (socket: ChatSocket, sessionId: string | null) => void
  /** A history has brought the chat that a console has opened up to a sequence number. */
  brought: (socket: ChatSocket, sessionId: string, upTo: number) => void
  tell: (frame: ServerFrame) => void
  close: () => void
}

/** Opens a node's consoles. `readOutlines` reads outlines from the log: of chats of which none is known here. */
export const openConsoles = ({
  readOutlines,
  onError,
}: {
  readOutlines: (sessionIds: string[]) => Promise<ReadonlyMap<string, ChatOutline>>
  onError: (error: unknown) => void
}): Consoles => {
  /** Those that get every message of every chat. */
  const whole = new Set<ChatSocket>()
  const outlined = new Map<ChatSocket, Opened | undefined>()
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
      if (chats.length > 0) for (const socket of outlined.keys()) socket.push(frame)
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

  const tellAll = (frame: ServerFrame) => {
    for (const socket of whole) socket.push(frame)
    for (const socket of outlined.keys()) socket.push(frame)
  }

  const tellMessage = (frame: Extract<ServerFrame, { type: 'new_message' }>) => {
    for (const socket of whole) socket.push(frame)
    if (outlined.size === 0) return
    for (const [socket, opened] of outlined) {
      if (opened?.sessionId !== frame.sessionId || frame.sequence <= opened.had) continue
      opened.had = frame.sequence
      socket.push(frame)
    }
    const { type: _, ...message } = frame
    note(message)
  }

  const tellReceipt = (frame: Extract<ServerFrame, { type: 'receipt' }>) => {
    for (const socket of whole) socket.push(frame)
    for (const [socket, opened] of outlined) if (opened?.sessionId === frame.sessionId) socket.push(frame)
  }

  const remove = (socket: ChatSocket) => {
    const wasThere = whole.delete(socket) || outlined.delete(socket)
    if (outlined.size === 0) forgetAll()
    return wasThere
  }

  return {
    get size() {
      return whole.size + outlined.size
    },
    has: (socket) => whole.has(socket) || outlined.has(socket),
    add: (socket, getsOutlines) => {
      // one that joins again, as the list was not there, still shows the chat that it has opened
      if (getsOutlines && outlined.has(socket)) return
      remove(socket)
      if (getsOutlines) outlined.set(socket, undefined)
      else whole.add(socket)
    },
    delete: remove,
    open: (socket, sessionId) => {
      if (outlined.has(socket)) outlined.set(socket, sessionId === null ? undefined : { sessionId, had: 0 })
    },
    brought: (socket, sessionId, upTo) => {
      const opened = outlined.get(socket)
      if (opened?.sessionId === sessionId) opened.had = Math.max(opened.had, upTo)
    },
    tell: (frame) => {
      if (frame.type === 'new_message') return tellMessage(frame)
      if (frame.type === 'receipt') return tellReceipt(frame)
      if (frame.type === 'chat_ended' && frame.isErased) forget(frame.sessionId)
      tellAll(frame)
    },
    close: forgetAll,
  }
}
