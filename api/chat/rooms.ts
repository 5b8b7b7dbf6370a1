import { type ChatMessage, type ChatSession, forVisitor } from '../../events/chat.ts'
import type { Receipt } from '../../events/chat-desk.ts'
import type { ListedSession } from '../../events/chat-frames.ts'
import { type ChatNews, parseNews, STAFF_CHANNEL, sessionChannel } from '../../events/log/chat-news.ts'
import { activeSessions } from '../../events/projections/chats.ts'
import type { ApiNode } from '../node.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type DeskState, NEW_DESK } from './desk.ts'
import { openErasures } from './erasures.ts'
import { readPageAfter, readPageBefore } from './history.ts'
import { keepChecking } from './log-checks.ts'
import { openRoom, type Room } from './room.ts'
import { readSessionStates, type SessionState } from './session-log.ts'
import { openStaffNames } from './staff-names.ts'
import { readDeskStates, refreshDesks } from './stored-desks.ts'

/** Whom news of a channel concerns. */
type Audience = 'visitors' | 'staff'

/**
 * What a visitor who enters has missed: a page of the messages, the last sequence number among them, whether these are
 * all, how far staff have got with theirs, and whether the chat is over.
 */
export type Missed = {
  messages: ChatMessage[]
  last: number
  isWhole: boolean
  staffReceipt: Receipt
  hasEnded: boolean
}

/**
 * Who on this node takes part in which session, and what passes to them. News comes over the bus; what the bus loses is
 * found by comparing with the log: on each reconnect, every 10 to 25 s, and twice a second while Redis is away.
 */
export type Rooms = {
  /**
   * Brings a visitor into a session. Live news stays on hold: the caller sends what was missed, as long as that is not
   * whole enters again after its last message, then releases the news.
   */
  enter: (socket: ChatSocket, sessionId: string, afterSequence: number) => Promise<Missed>
  /**
   * Brings staff in and answers the sessions that go on. Live news stays on hold: the caller sends them, then releases
   * it.
   */
  enterStaff: (socket: ChatSocket) => Promise<ListedSession[]>
  leave: (socket: ChatSocket) => void
  /** Whether a visitor of the session is connected to this node. */
  hasVisitor: (sessionId: string) => boolean
  /** Whether a session has participants on this node, or staff on it see it in their list. */
  knows: (sessionId: string) => boolean
  /** The newest page of a session's messages as staff see them, from the log. */
  readForStaff: (sessionId: string) => Promise<ChatMessage[]>
  /** Compares with the log now. */
  check: () => Promise<void>
  close: () => Promise<void>
}

const NEW_SESSION: SessionState = { lastSequence: 0, isEnded: false }

/** Opens a node's rooms. */
export const openRooms = (node: Pick<ApiNode, 'bus' | 'sql' | 'logger'>): Rooms => {
  const { bus, sql, logger } = node
  const rooms = new Map<string, Room>()
  const opening = new Map<string, Promise<Room>>()
  /** How many visitors are on their way into each session: its room has to stay for them. */
  const entering = new Map<string, number>()
  const staff = new Set<ChatSocket>()
  /** How many staff are here or about to be: as long as there are any, `directory` is kept. */
  let watchers = 0
  /** The sessions that go on, as staff know them; `ended` are those that must not be listed again by a view that lags. */
  const directory = new Map<string, ChatSession>()
  const ended = new Set<string>()
  const withStaffNames = openStaffNames(sql)
  const readErasures = openErasures(sql)

  const onError = (error: unknown) => logger.error({ err: error }, 'chat could not read the log')

  const onNews = (audience: Audience) => (text: string) => {
    const news = parseNews(text)
    if (news) accept(news, audience)
    else logger.warn('chat got something over Redis that is no news')
  }
  const onSessionNews = onNews('visitors')
  const onStaffNews = onNews('staff')

  const createRoom = (sessionId: string, state: SessionState, known: DeskState = NEW_DESK) => {
    const readAfter = async (sequence: number) => withStaffNames(await readPageAfter(sql, sessionId, sequence))
    const room = openRoom({ sessionId, state, known, staff, readAfter, onError })
    rooms.set(sessionId, room)
    return room
  }

  const readStored = async (sessionIds: string[]) => {
    const [states, desks] = await Promise.all([readSessionStates(node, sessionIds), readDeskStates(sql, sessionIds)])
    return { states, desks }
  }

  const loadRoom = async (sessionId: string) => {
    await bus.subscribe(sessionChannel(sessionId), onSessionNews)
    const { states, desks } = await readStored([sessionId])
    return rooms.get(sessionId) ?? createRoom(sessionId, states.get(sessionId) ?? NEW_SESSION, desks.get(sessionId))
  }

  /** Subscribed before the log is read: nothing falls between the two. */
  const enterRoom = (sessionId: string) => {
    const known = opening.get(sessionId)
    if (known) return known
    const loading = loadRoom(sessionId).finally(() => opening.delete(sessionId))
    opening.set(sessionId, loading)
    return loading
  }

  const closeIfEmpty = (sessionId: string) => {
    const room = rooms.get(sessionId)
    if (entering.has(sessionId) || (room && room.visitors.size > 0)) return
    bus.unsubscribe(sessionChannel(sessionId), onSessionNews)
    if (watchers === 0 || room?.feed.isEnded) rooms.delete(sessionId)
  }

  const leaveRoom = (socket: ChatSocket, sessionId: string) => {
    rooms.get(sessionId)?.visitors.delete(socket)
    closeIfEmpty(sessionId)
  }

  const stopWatching = () => {
    watchers -= 1
    if (watchers > 0) return
    bus.unsubscribe(STAFF_CHANNEL, onStaffNews)
    directory.clear()
    ended.clear()
    for (const sessionId of [...rooms.keys()]) closeIfEmpty(sessionId)
  }

  const begin = (session: ChatSession) => {
    const { sessionId } = session
    if (watchers === 0 || directory.has(sessionId) || ended.has(sessionId)) return
    directory.set(sessionId, session)
    if (!rooms.has(sessionId)) createRoom(sessionId, NEW_SESSION)
    for (const socket of staff) socket.push({ type: 'new_chat_session', ...session })
  }

  const tellEnd = async (room: Room) => {
    const { sessionId } = room.feed
    await room.feed.catchUp()
    // from here on without a pause: those who enter meanwhile either hear of it or are told as they enter
    room.feed.isEnded = true
    for (const socket of [...room.visitors.keys(), ...staff]) socket.push({ type: 'chat_ended', sessionId })
    closeIfEmpty(sessionId)
  }

  /** What was said before the end comes first, even where its news is late; tried again where the log cannot be read. */
  const end = async (sessionId: string) => {
    const room = rooms.get(sessionId)
    if (!room || room.feed.isEnded) return
    if (watchers > 0) ended.add(sessionId)
    directory.delete(sessionId)
    room.ending ??= tellEnd(room).finally(() => {
      room.ending = undefined
    })
    await room.ending
  }

  /** Visitors are told once: they may be in another chat before the log is compared. */
  const erase = async (sessionId: string) => {
    await end(sessionId)
    const visitors = rooms.get(sessionId)?.visitors
    const all = [...(visitors?.keys() ?? []), ...staff]
    visitors?.clear()
    for (const socket of all) socket.push({ type: 'chat_ended', sessionId, isErased: true })
    closeIfEmpty(sessionId)
  }

  const post = (message: ChatMessage) => {
    const room = rooms.get(message.sessionId)
    if (room) room.feed.accept(message)
    else if (staff.size > 0 && !ended.has(message.sessionId)) checks.check().catch(onError)
  }

  const showTyping = ({ kind: _, ...typing }: ChatNews & { kind: 'typing' }, audience: Audience) => {
    if (audience === 'staff' && typing.senderType === 'visitor') {
      for (const socket of staff) socket.push({ type: 'typing', ...typing })
    }
    if (audience === 'visitors' && typing.senderType === 'admin') {
      for (const socket of rooms.get(typing.sessionId)?.visitors.keys() ?? [])
        socket.push({ type: 'typing', ...typing })
    }
  }

  const accept = (news: ChatNews, audience: Audience): void => {
    switch (news.kind) {
      case 'started':
        begin(news.session)
        break
      case 'posted':
        post(news.message)
        break
      case 'ended':
        end(news.sessionId).catch(onError)
        break
      case 'erased':
        erase(news.sessionId).catch(onError)
        break
      case 'typing':
        showTyping(news, audience)
        break
      case 'receipt':
        rooms.get(news.sessionId)?.desk.acceptReceipt(news.party, news)
        break
      case 'page':
        rooms.get(news.sessionId)?.desk.acceptPage(news)
        break
      default:
        news satisfies never
    }
  }

  /** Lists what goes on before the first news about it can pass to the staff who join. */
  const fillDirectory = async () => {
    const sessions = (await activeSessions(sql)).filter(({ sessionId }) => !directory.has(sessionId))
    const { states, desks } = await readStored(sessions.map(({ sessionId }) => sessionId))
    for (const session of sessions) {
      const { sessionId } = session
      const state = states.get(sessionId)
      if (!state || state.isEnded || ended.has(sessionId) || directory.has(sessionId)) continue
      if (!rooms.has(sessionId)) createRoom(sessionId, state, desks.get(sessionId))
      directory.set(sessionId, session)
    }
  }

  const compare = async () => {
    for (const sessionId of await readErasures()) await erase(sessionId)
    if (staff.size > 0) for (const session of await activeSessions(sql)) begin(session)
    if (rooms.size === 0) return
    const [states] = await Promise.all([
      readSessionStates(node, [...rooms.keys()]),
      refreshDesks(
        sql,
        [...rooms.values()].map(({ desk }) => desk),
      ),
    ])
    for (const [sessionId, { lastSequence, isEnded }] of states) {
      const room = rooms.get(sessionId)
      if (!room) continue
      if (lastSequence > room.feed.last) await room.feed.catchUp()
      if (isEnded) await end(sessionId)
    }
  }

  const checks = keepChecking(bus, compare, onError)

  const noteEntering = (sessionId: string, step: 1 | -1) => {
    const count = (entering.get(sessionId) ?? 0) + step
    if (count > 0) entering.set(sessionId, count)
    else entering.delete(sessionId)
  }

  return {
    enter: async (socket, sessionId, afterSequence) => {
      noteEntering(sessionId, 1)
      try {
        const entered = rooms.get(sessionId)
        const { feed, desk, visitors } = entered?.visitors.has(socket) ? entered : await enterRoom(sessionId)
        if (afterSequence > feed.last) await feed.catchUp()
        // from here on all that happens is held; what was held before is in the log
        socket.hold()
        const { last: upTo, isEnded: hasEnded } = feed
        const staffReceipt = desk.receipts.admin
        // nobody has seen more than the log holds, unless it is an older one, restored
        const after = Math.min(afterSequence, upTo)
        visitors.set(socket, after)
        const messages = (await readPageAfter(sql, sessionId, after)).map(forVisitor)
        const last = messages.at(-1)?.sequence ?? after
        visitors.set(socket, last)
        return { messages, last, isWhole: messages.length === 0 || last >= upTo, staffReceipt, hasEnded }
      } catch (error) {
        rooms.get(sessionId)?.visitors.delete(socket)
        socket.release(() => false)
        throw error
      } finally {
        noteEntering(sessionId, -1)
        closeIfEmpty(sessionId)
      }
    },
    enterStaff: async (socket) => {
      if (!staff.has(socket)) watchers += 1
      socket.hold()
      try {
        await bus.subscribe(STAFF_CHANNEL, onStaffNews)
        await fillDirectory()
      } catch (error) {
        socket.release(() => false)
        if (!staff.has(socket)) stopWatching()
        throw error
      }
      staff.add(socket)
      return [...directory.values()]
        .map((session) => {
          const room = rooms.get(session.sessionId)
          return { ...session, lastSequence: room?.feed.last ?? 0, receipts: (room?.desk ?? NEW_DESK).receipts }
        })
        .sort((a, b) => b.startTime.localeCompare(a.startTime))
    },
    leave: (socket) => {
      if (staff.delete(socket)) stopWatching()
      if (socket.role?.type === 'visitor') leaveRoom(socket, socket.role.sessionId)
    },
    hasVisitor: (sessionId) => (rooms.get(sessionId)?.visitors.size ?? 0) > 0,
    knows: (sessionId) => rooms.has(sessionId),
    readForStaff: async (sessionId) => withStaffNames(await readPageBefore(sql, sessionId)),
    check: checks.check,
    close: checks.close,
  }
}
