import type { ChatMessage, ChatSession } from '../../events/chat.ts'
import type { ServerFrame } from '../../events/chat-frames.ts'
import { activeSessions } from '../../events/projections/chats.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Feed, openFeed } from './feed.ts'
import { type ChatNews, STAFF_CHANNEL, sessionChannel } from './news.ts'
import { readMessages, readSessionStates } from './session-log.ts'

const CHECK_MIN_MS = 10_000
const CHECK_MAX_MS = 25_000
const CHECK_WITHOUT_REDIS_MS = 500

/** Each visitor stands with the sequence number up to which a history has given them the messages. */
type Room = { feed: Feed; visitors: Map<ChatSocket, number> }

const isAfter = (sequence: number) => (frame: ServerFrame) => frame.type !== 'new_message' || frame.sequence > sequence

/**
 * Who on this node takes part in which session, and what passes to them. News comes over the bus; what the bus loses is
 * found by comparing with the log: on each reconnect, every 10 to 25 s, and twice a second while Redis is away.
 */
export type Rooms = {
  /** Brings a visitor into a session and up to date: the messages after a sequence number, then what follows. */
  enter: (socket: ChatSocket, sessionId: string, afterSequence: number | undefined) => Promise<void>
  /** Brings staff in: the sessions that go on, then what follows in any of them. */
  enterStaff: (socket: ChatSocket) => Promise<void>
  leave: (socket: ChatSocket) => void
  /** Takes up what this node or another has published. */
  accept: (news: ChatNews) => void
  /** Compares with the log now. */
  check: () => Promise<void>
  /** Whether a session has ended; undefined where nobody on this node takes part in it. */
  hasEnded: (sessionId: string) => boolean | undefined
  close: () => void
}

/** Opens a node's rooms. */
export const openRooms = (node: ApiNode): Rooms => {
  const { bus, sql, logger } = node
  const rooms = new Map<string, Room>()
  const opening = new Map<string, Promise<Room>>()
  const staff = new Set<ChatSocket>()
  const shownToStaff = new Set<string>()
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const onError = (error: unknown) => logger.error({ err: error }, 'chat could not read the log')

  const onNews = (text: string) => accept(JSON.parse(text) as ChatNews)

  const createRoom = (sessionId: string, { lastSequence, isEnded }: { lastSequence: number; isEnded: boolean }) => {
    const visitors: Room['visitors'] = new Map()
    const feed = openFeed({
      sessionId,
      last: lastSequence,
      isEnded,
      readAfter: (sequence) => readMessages(node, sessionId, sequence),
      deliver: (frame) => {
        // the log may be read before the bus brings what stands in it
        for (const [socket, known] of visitors) if (isAfter(known)(frame)) socket.push(frame)
        for (const socket of staff) socket.push(frame)
      },
      onError,
    })
    const room: Room = { feed, visitors }
    rooms.set(sessionId, room)
    return room
  }

  const loadRoom = async (sessionId: string) => {
    await bus.subscribe(sessionChannel(sessionId), onNews)
    const states = await readSessionStates(node, [sessionId])
    return rooms.get(sessionId) ?? createRoom(sessionId, states.get(sessionId) ?? { lastSequence: 0, isEnded: false })
  }

  /** Subscribed before the log is read: nothing falls between the two. */
  const openRoom = (sessionId: string) => {
    const known = opening.get(sessionId)
    if (known) return known
    const loading = loadRoom(sessionId).finally(() => opening.delete(sessionId))
    opening.set(sessionId, loading)
    return loading
  }

  const closeIfEmpty = (sessionId: string) => {
    const room = rooms.get(sessionId)
    if (!room || room.visitors.size > 0 || opening.has(sessionId)) return
    bus.unsubscribe(sessionChannel(sessionId), onNews)
    if (staff.size === 0 || room.feed.isEnded) rooms.delete(sessionId)
  }

  const begin = (session: ChatSession) => {
    const { sessionId } = session
    if (staff.size === 0 || shownToStaff.has(sessionId)) return
    shownToStaff.add(sessionId)
    if (!rooms.has(sessionId)) createRoom(sessionId, { lastSequence: 0, isEnded: false })
    for (const socket of staff) socket.push({ type: 'new_chat_session', ...session })
  }

  const end = (sessionId: string) => {
    const room = rooms.get(sessionId)
    if (!room || room.feed.isEnded) return
    room.feed.isEnded = true
    shownToStaff.delete(sessionId)
    for (const socket of [...room.visitors.keys(), ...staff]) socket.push({ type: 'chat_ended', sessionId })
    closeIfEmpty(sessionId)
  }

  const post = (message: ChatMessage) => {
    const room = rooms.get(message.sessionId)
    if (room) room.feed.accept(message)
    else if (staff.size > 0) check().catch(onError)
  }

  const showTyping = ({ kind: _, ...typing }: ChatNews & { kind: 'typing' }) => {
    const audience = typing.senderType === 'admin' ? rooms.get(typing.sessionId)?.visitors.keys() : staff
    for (const socket of audience ?? []) socket.push({ type: 'typing', ...typing })
  }

  const accept = (news: ChatNews): void => {
    switch (news.kind) {
      case 'started':
        begin(news.session)
        break
      case 'posted':
        post(news.message)
        break
      case 'ended':
        end(news.sessionId)
        break
      case 'typing':
        showTyping(news)
        break
      default:
        news satisfies never
    }
  }

  const compare = async () => {
    if (staff.size > 0) for (const session of await activeSessions(sql)) begin(session)
    const states = rooms.size > 0 ? await readSessionStates(node, [...rooms.keys()]) : new Map()
    for (const [sessionId, { lastSequence, isEnded }] of states) {
      const room = rooms.get(sessionId)
      if (!room) continue
      if (lastSequence > room.feed.last) await room.feed.catchUp()
      if (isEnded) end(sessionId)
    }
  }

  const check = () => {
    checking ??= compare().finally(() => {
      checking = undefined
    })
    return checking
  }

  const schedule = () => {
    if (isClosed) return
    const pause = bus.isUp ? CHECK_MIN_MS + Math.random() * (CHECK_MAX_MS - CHECK_MIN_MS) : CHECK_WITHOUT_REDIS_MS
    timer = setTimeout(() => check().catch(onError).finally(schedule), pause)
  }
  const checkNow = () => {
    clearTimeout(timer)
    check().catch(onError).finally(schedule)
  }
  bus.onReconnect(checkNow)
  bus.onDisconnect(checkNow)
  schedule()

  return {
    enter: async (socket, sessionId, afterSequence) => {
      socket.hold()
      const room = await openRoom(sessionId)
      room.visitors.set(socket, afterSequence ?? 0)
      if (afterSequence === undefined) return socket.release(() => true)
      const messages = await readMessages(node, sessionId, afterSequence)
      await socket.sendWhole({ type: 'chat_history', sessionId, messages })
      const known = messages.at(-1)?.sequence ?? afterSequence
      room.visitors.set(socket, known)
      socket.release(isAfter(known))
      if (room.feed.isEnded) socket.send({ type: 'chat_ended', sessionId })
    },
    enterStaff: async (socket) => {
      socket.hold()
      await bus.subscribe(STAFF_CHANNEL, onNews)
      staff.add(socket)
      const sessions = await activeSessions(sql)
      const unknown = sessions.filter(({ sessionId }) => !rooms.has(sessionId)).map(({ sessionId }) => sessionId)
      const states = unknown.length > 0 ? await readSessionStates(node, unknown) : new Map()
      for (const [sessionId, state] of states) if (!rooms.has(sessionId)) createRoom(sessionId, state)
      for (const { sessionId } of sessions) shownToStaff.add(sessionId)
      const listed = sessions.map((session) => ({
        ...session,
        lastSequence: rooms.get(session.sessionId)?.feed.last ?? 0,
      }))
      await socket.sendWhole({ type: 'active_sessions', sessions: listed })
      socket.release(() => true)
    },
    leave: (socket) => {
      if (staff.delete(socket) && staff.size === 0) {
        bus.unsubscribe(STAFF_CHANNEL, onNews)
        shownToStaff.clear()
        for (const sessionId of [...rooms.keys()]) closeIfEmpty(sessionId)
      }
      if (socket.role?.type !== 'visitor') return
      const { sessionId } = socket.role
      rooms.get(sessionId)?.visitors.delete(socket)
      closeIfEmpty(sessionId)
    },
    accept,
    check,
    hasEnded: (sessionId) => rooms.get(sessionId)?.feed.isEnded,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
