import { SENDERS, SUPPORT_TEAM_NAME } from '../../events/chat.ts'
import type { Party } from '../../events/chat-desk.ts'
import { fileInWords } from '../../events/chat-file.ts'
import type { ReceivedFrame } from '../../events/chat-frames.ts'
import { claimFile } from '../../events/log/chat-files.ts'
import { type ChatNews, publishNews } from '../../events/log/chat-news.ts'
import { noteReceipt, readReceiptsOf } from '../../events/log/chat-receipts.ts'
import { requestContext, runWith } from '../../events/log/context.ts'
import { endChat } from '../../events/log/end-chat.ts'
import { LogError } from '../../events/log/errors.ts'
import { OverLimitError } from '../admission/admission.ts'
import type { ApiNode } from '../node.ts'
import { standingSessions } from '../staff/session.ts'
import { watchSessions } from '../staff/session-watch.ts'
import type { ChatSocket } from './chat-socket.ts'
import { steadyRate } from './door.ts'
import { openEntrance } from './entrance.ts'
import { clientMessageIdOf, type Frame, FrameError, parseFrame } from './frame.ts'
import { openFrameLimit, tooManyFrames } from './frame-limit.ts'
import { keepEmail } from './given-email.ts'
import { sendAway } from './leave.ts'
import { openMessageLimit } from './message-limit.ts'
import { openPresence } from './presence.ts'
import { openReceiptBook } from './receipts.ts'
import { isAfter } from './room.ts'
import { openRooms } from './rooms.ts'
import { postMessage, readSession } from './session-log.ts'

/** When a client comes back that has reached a node which is about to stop, at most. */
const RECONNECT_WITHIN_MS = 3_000
/** The status with which a socket of somebody who has signed out is closed. */
const SIGNED_OUT = 4401

/** Where sockets meet the log. */
export type ChatGateway = {
  /** Handles a frame of a client. Never throws: a frame that cannot be served is answered with `error`. */
  receive: (socket: ChatSocket, text: string) => Promise<void>
  connect: (socket: ChatSocket) => void
  disconnect: (socket: ChatSocket) => void
  /** Tells all clients to come back elsewhere, within 4 s however many they are, and closes their sockets. */
  drain: () => Promise<void>
  /** Stores what clients have reported, and tells the other nodes that nobody is here any more. */
  close: () => Promise<void>
}

/** Who acts is who the socket is, as for the messages that it sends. */
const frameContext = ({ role, staff }: ChatSocket) =>
  role?.type === 'admin' && staff ? requestContext({ type: 'staff', id: staff.id }) : requestContext()

/** Opens the node's chat. */
export const openGateway = (node: ApiNode): ChatGateway => {
  const { bus, logger } = node
  const rooms = openRooms(node)
  const presence = openPresence(node, rooms.hasVisitor)
  const sockets = new Set<ChatSocket>()
  const frames = openFrameLimit()
  const limit = openMessageLimit(node.admission)

  const publish = async (news: ChatNews) => {
    if (await publishNews(bus, news)) return
    await rooms.check().catch((error) => logger.error({ err: error }, 'chat could not read the log'))
  }

  const entrance = openEntrance(node, rooms, publish)

  const receipts = openReceiptBook(
    async (sessionId, party, reported) => {
      const receipt = await noteReceipt(node.sql, sessionId, party, reported)
      if (receipt) await publish({ kind: 'receipt', sessionId, party, ...receipt })
    },
    { onError: (error) => logger.error({ err: error }, 'a receipt could not be stored') },
  )

  /** The session that a frame is about, and who its sender is there. */
  const senderOf = (socket: ChatSocket, sessionId: string) => {
    const { role, staff } = socket
    if (role?.type === 'visitor' && role.sessionId === sessionId) {
      return { senderType: 'visitor', senderName: role.name, by: undefined } as const
    }
    if (role?.type === 'admin' && staff) {
      return { senderType: 'admin', senderName: SUPPORT_TEAM_NAME, by: staff.id } as const
    }
    if (!role) throw new FrameError('not_joined', 'Send join_chat first')
    throw new FrameError('not_allowed', 'This socket takes part in another session')
  }

  /** What a message names as its file has to be one that its sender's side has stored in this chat. */
  const fileOf = async (sessionId: string, party: Party, id: string | undefined) => {
    if (id === undefined) return undefined
    const file = await claimFile(node.sql, { sessionId, party, id: id.toLowerCase() })
    if (!file) throw new FrameError('bad_frame', 'This file is no longer there: choose it again')
    return file
  }

  const send = async (socket: ChatSocket, { sessionId, message, clientMessageId, fileId }: Frame<'send_message'>) => {
    const sender = senderOf(socket, sessionId)
    await limit.admit({ sessionId, address: socket.address, by: sender.by }, performance.now())
    const file = await fileOf(sessionId, sender.senderType, fileId)
    const text = file ? fileInWords(file) : message
    const stored = await postMessage(node, sessionId, { ...sender, message: text, clientMessageId, file })
    node.metrics.messages.inc()
    const { id, sequence, timestamp } = stored
    socket.send({ type: 'message_accepted', ...(clientMessageId && { clientMessageId }), id, sequence, timestamp })
    const staffName = socket.role?.type === 'admin' && socket.staff ? { staffName: socket.staff.displayName } : {}
    const told = { ...stored, ...staffName }
    rooms.tellNext(told)
    presence.type(socket, sessionId, false)
    await publish({ kind: 'posted', message: told })
  }

  /** Counted with the messages. Others who have a link to the chat neither give an address nor hear of it. */
  const takeEmail = async (socket: ChatSocket, { sessionId, ...given }: Frame<'give_email'>) => {
    senderOf(socket, sessionId)
    if (socket.role?.type !== 'visitor' || !socket.role.isOwn) {
      throw new FrameError('not_allowed', 'Only the device that began the chat may give an address')
    }
    await limit.admit({ sessionId, address: socket.address, by: undefined }, performance.now())
    await keepEmail(node, sessionId, given)
    socket.send({ type: 'email_accepted', sessionId, clientMessageId: given.clientMessageId })
    await publish({ kind: 'email_given', sessionId })
  }

  const end = async (socket: ChatSocket, sessionId: string) => {
    const { senderType } = senderOf(socket, sessionId)
    if (rooms.hasEnded(sessionId)) return // all who are there have been told
    if (!(await readSession(node, sessionId))) throw new FrameError('unknown_session', 'There is no such chat')
    await endChat(node, sessionId, senderType)
    await publish({ kind: 'ended', sessionId })
  }

  const joinStaff = async (
    socket: ChatSocket,
    { asksForFiles, asksForOutlines = false, listed = [] }: Frame<'join_admin'>,
  ) => {
    const standing = socket.staff && (await standingSessions(node, [socket.staff.tokenHash]))
    if (!standing?.size) throw new FrameError('not_allowed', 'Sign in at /login first')
    if (socket.role?.type === 'visitor') throw new FrameError('not_allowed', 'This socket is a visitor: open another')
    const active = await rooms.enterStaff(socket, { listed, asksForOutlines })
    socket.role = { type: 'admin' }
    const told = {
      ...(asksForFiles && { takesFiles: true as const }),
      ...(asksForOutlines && { tellsOutlines: true as const }),
    }
    await socket.sendWhole({ type: 'active_sessions', ...active, ...told })
    socket.release(() => true)
    presence.join(socket)
  }

  const showHistory = async (socket: ChatSocket, sessionId: string) => {
    if (socket.role?.type !== 'admin') throw new FrameError('not_allowed', 'Only staff may ask for a history')
    socket.hold()
    try {
      const messages = await rooms.readForStaff(sessionId)
      await socket.sendWhole({ type: 'chat_history', sessionId, messages })
      socket.release(isAfter(sessionId, messages.at(-1)?.sequence ?? 0))
    } catch (error) {
      socket.release(() => true)
      throw error
    }
  }

  /** From here on a console gets a chat's messages and receipts: what it lacks as history, then what follows. */
  const openChat = async (socket: ChatSocket, { sessionId, afterSequence = 0 }: Frame<'open_chat'>) => {
    if (socket.role?.type !== 'admin') throw new FrameError('not_allowed', 'Only staff may open a chat')
    if (sessionId === null) return rooms.openChat(socket, null)
    socket.hold()
    rooms.openChat(socket, sessionId)
    try {
      const [page, receipts] = await Promise.all([
        rooms.readForStaff(sessionId, afterSequence),
        readReceiptsOf(node.sql, sessionId),
      ])
      const last = page.at(-1)?.sequence ?? 0
      for (const party of SENDERS) {
        if (receipts[party].delivered > 0) socket.send({ type: 'receipt', sessionId, party, ...receipts[party] })
      }
      const messages = page.filter(({ sequence }) => sequence > afterSequence)
      await socket.sendWhole({ type: 'chat_history', sessionId, messages })
      rooms.broughtTo(socket, sessionId, last)
      socket.release(isAfter(sessionId, last))
    } catch (error) {
      socket.release(() => true)
      throw error
    }
  }

  /** Nobody waits for it, and nobody misses it: too many are dropped. */
  const showTyping = (socket: ChatSocket, { sessionId, isTyping }: Frame<'typing'>) => {
    const { senderType } = senderOf(socket, sessionId)
    presence.type(socket, sessionId, isTyping)
    if (socket.mayType(performance.now())) publishNews(bus, { kind: 'typing', sessionId, senderType, isTyping })
  }

  /** Reported once more by every client that comes back, so that one that is lost is only late. */
  const takeReceipt = async (socket: ChatSocket, { sessionId, delivered, seen }: Frame<'receipt'>) => {
    const { senderType } = senderOf(socket, sessionId)
    const isKnown = rooms.knows(sessionId) || (await readSession(node, sessionId))
    if (!isKnown) throw new FrameError('unknown_session', 'There is no such chat')
    receipts.report(sessionId, senderType, { delivered, seen })
  }

  const watch = (socket: ChatSocket, sessionId: string | null) => {
    if (socket.role?.type !== 'admin') throw new FrameError('not_allowed', 'Only staff may watch a chat')
    presence.watch(socket, sessionId)
  }

  const handle = async (socket: ChatSocket, frame: ReceivedFrame): Promise<void> => {
    switch (frame.type) {
      case 'join_chat':
        return await entrance.join(socket, frame)
      case 'send_message':
        return await send(socket, frame)
      case 'give_email':
        return await takeEmail(socket, frame)
      case 'typing':
        return showTyping(socket, frame)
      case 'end_chat':
        return await end(socket, frame.sessionId)
      case 'join_admin':
        return await joinStaff(socket, frame)
      case 'get_messages':
        return await showHistory(socket, frame.sessionId)
      case 'open_chat':
        return await openChat(socket, frame)
      case 'receipt':
        return await takeReceipt(socket, frame)
      case 'watch':
        return watch(socket, frame.sessionId)
      case 'ping':
        return socket.send({ type: 'pong' })
      default:
        return frame satisfies never
    }
  }

  const refuse = (socket: ChatSocket, text: string, refused: ReceivedFrame['type'] | undefined, error: unknown) => {
    const clientMessageId = clientMessageIdOf(text)
    const about = { ...(clientMessageId !== undefined && { clientMessageId }), ...(refused && { refused }) }
    if (error instanceof FrameError) {
      return socket.send({ type: 'error', code: error.code, message: error.message, ...about })
    }
    if (error instanceof OverLimitError) {
      const { message, retryAfterS } = error
      return socket.send({ type: 'error', code: 'too_many_requests', message, ...about, retryAfterS })
    }
    if (error instanceof LogError && error.code === 'guard_failed') {
      const isUnknown = error.currentVersion === 0
      return socket.send({
        type: 'error',
        ...(isUnknown
          ? { code: 'unknown_session', message: 'There is no such chat' }
          : { code: 'chat_ended', message: 'This chat has ended' }),
        ...about,
      })
    }
    if (error instanceof LogError && error.code === 'erased') {
      return socket.send({ type: 'error', code: 'chat_ended', message: 'This chat has ended', ...about })
    }
    if (error instanceof LogError && error.code === 'event_id_reused') {
      const message = 'This clientMessageId belongs to another message'
      return socket.send({ type: 'error', code: 'id_reused', message, ...about })
    }
    logger.error({ err: error }, 'chat frame failed')
    socket.send({ type: 'error', code: 'unavailable', message: 'Not available just now: try again', ...about })
  }

  const answer = async (socket: ChatSocket, text: string) => {
    let frame: ReceivedFrame | undefined
    // what is no good counts too
    const hasRoom = frames.mayPass(socket, performance.now())
    try {
      frame = parseFrame(text)
      if (!frame) return
      if (!hasRoom) throw tooManyFrames()
      logger.debug({ frame: frame.type }, 'chat frame')
      await handle(socket, frame)
    } catch (error) {
      refuse(socket, text, frame?.type, error)
    }
  }

  const staffCheck = watchSessions(node, () =>
    [...sockets].flatMap((socket) => {
      if (!socket.staff || socket.role?.type !== 'admin') return []
      return [{ tokenHash: socket.staff.tokenHash, end: () => socket.close(SIGNED_OUT, 'Signed out') }]
    }),
  )

  const sendElsewhere = (socket: ChatSocket, afterMs: number) => {
    socket.send({ type: 'reconnect', afterMs })
    socket.close(1012, 'This node is about to stop')
  }

  return {
    receive: (socket, text) => runWith(frameContext(socket), () => answer(socket, text), { socketId: socket.id }),
    connect: (socket) => {
      sockets.add(socket)
      if (node.isDraining) sendElsewhere(socket, Math.round(Math.random() * RECONNECT_WITHIN_MS))
    },
    disconnect: (socket) => {
      sockets.delete(socket)
      presence.leave(socket)
      entrance.leave(socket)
    },
    drain: () => sendAway([...sockets], sendElsewhere, steadyRate(node.config.handshakesPerSecond)),
    close: async () => {
      staffCheck.stop()
      await Promise.all([rooms.close(), presence.close(), receipts.close()])
    },
  }
}
