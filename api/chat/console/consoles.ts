/**
 * A console gets the newest 50 open chats, and the others by page, by search, or, up to 200, when a message arrives in
 * them. It gets the text of the open chat, and the last words and the unread count of the others, in at most four
 * frames per second.
 */

import type { ChatOutline } from '../../../events/chat/outline.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { openOutlineSender } from './outline-sender.ts'

/** The chat that a console has opened, and the sequence number up to which histories have sent it the messages. */
type Opened = { sessionId: string; sentUpTo: number }

/**
 * The consoles on one node, and the frames that each gets. A console that sent its list gets the messages and receipts
 * of its opened chat; of all others it gets outlines (outline-sender.ts), the same for all.
 */
export type Consoles = {
  readonly size: number
  has: (socket: ChatSocket) => boolean
  add: (socket: ChatSocket, getsOutlines: boolean) => void
  /** Returns whether the socket was a console. */
  delete: (socket: ChatSocket) => boolean
  /** Sets the chat that this console shows; null if it shows none. */
  open: (socket: ChatSocket, sessionId: string | null) => void
  /** Records the sequence number up to which a history has sent the opened chat to a console. */
  recordSentUpTo: (socket: ChatSocket, sessionId: string, upTo: number) => void
  send: (frame: ServerFrame) => void
  close: () => void
}

/** Opens a node's consoles. `readOutlines` reads the outlines of uncached chats from the log. */
export const openConsoles = ({
  readOutlines,
  onError,
}: {
  readOutlines: (sessionIds: string[]) => Promise<ReadonlyMap<string, ChatOutline>>
  onError: (error: unknown) => void
}): Consoles => {
  /** The consoles that get every message of every chat. */
  const whole = new Set<ChatSocket>()
  const outlined = new Map<ChatSocket, Opened | undefined>()
  const outlines = openOutlineSender({
    readOutlines,
    onError,
    send: (frame) => {
      for (const socket of outlined.keys()) socket.push(frame)
    },
  })

  const sendAll = (frame: ServerFrame) => {
    for (const socket of whole) socket.push(frame)
    for (const socket of outlined.keys()) socket.push(frame)
  }

  const sendMessage = (frame: Extract<ServerFrame, { type: 'new_message' }>) => {
    for (const socket of whole) socket.push(frame)
    if (outlined.size === 0) return
    for (const [socket, opened] of outlined) {
      if (opened?.sessionId !== frame.sessionId || frame.sequence <= opened.sentUpTo) continue
      opened.sentUpTo = frame.sequence
      socket.push(frame)
    }
    const { type: _, ...message } = frame
    outlines.note(message)
  }

  const sendReceipt = (frame: Extract<ServerFrame, { type: 'receipt' }>) => {
    for (const socket of whole) socket.push(frame)
    for (const [socket, opened] of outlined) if (opened?.sessionId === frame.sessionId) socket.push(frame)
  }

  const remove = (socket: ChatSocket) => {
    const wasThere = whole.delete(socket) || outlined.delete(socket)
    if (outlined.size === 0) outlines.dropAll()
    return wasThere
  }

  return {
    get size() {
      return whole.size + outlined.size
    },
    has: (socket) => whole.has(socket) || outlined.has(socket),
    add: (socket, getsOutlines) => {
      // a console that joins again, since there was no list, still shows the chat that it has opened
      if (getsOutlines && outlined.has(socket)) return
      remove(socket)
      if (getsOutlines) outlined.set(socket, undefined)
      else whole.add(socket)
    },
    delete: remove,
    open: (socket, sessionId) => {
      if (outlined.has(socket)) outlined.set(socket, sessionId === null ? undefined : { sessionId, sentUpTo: 0 })
    },
    recordSentUpTo: (socket, sessionId, upTo) => {
      const opened = outlined.get(socket)
      if (opened?.sessionId === sessionId) opened.sentUpTo = Math.max(opened.sentUpTo, upTo)
    },
    send: (frame) => {
      if (frame.type === 'new_message') return sendMessage(frame)
      if (frame.type === 'receipt') return sendReceipt(frame)
      if (frame.type === 'chat_ended' && frame.isErased) outlines.drop(frame.sessionId)
      sendAll(frame)
    },
    close: outlines.dropAll,
  }
}
