import { type ChatMessage, type ChatSession, forVisitor, sessionIdOf } from '../../events/chat.ts'
import type { Receipt } from '../../events/chat-desk.ts'
import type { ListedSessions } from '../../events/chat-frames.ts'
import { ALL_SESSIONS, type ChatNews, parseNews, sessionChannel } from '../../events/log/chat-news.ts'
import { LogIntegrityError } from '../../events/log/errors.ts'
import { KeyError } from '../../events/log/key-ring.ts'
import { isErased } from '../../events/log/read-chat.ts'
import type { ApiNode } from '../node.ts'
import { listActive } from './active-page.ts'
import type { ChatSocket } from './chat-socket.ts'
import { type Consoles, openConsoles } from './consoles.ts'
import { readEntry, readPageAfter, readPageBefore } from './history.ts'
import { keepChecking } from './log-checks.ts'
import { type ChatFact, openLogReader } from './log-reader.ts'
import { readOutlines } from './outlines.ts'
import { openRecent } from './recent.ts'
import { openRoom, type Room } from './room.ts'
import { readRoomState } from './room-state.ts'
import { readSession } from './session-log.ts'
import { openStaffNames } from './staff-names.ts'
import { refreshDesks } from './stored-desks.ts'

/** Whom news of a channel concerns. */
type Audience = 'visitors' | 'staff'

/** From where a visitor comes back: the last sequence number that they have, and the generation of the links they come by. */
export type Since = { afterSequence: number; generation: number }

/**
 * What a visitor who enters has missed: a page of the messages, the last sequence number among them, whether these are
 * all, whether the links they came by have been revoked, how far staff have got with theirs, and whether the chat is over.
 */
export type Missed = {
  messages: ChatMessage[]
  last: number
  isWhole: boolean
  isRevoked: boolean
  staffReceipt: Receipt
  hasEnded: boolean
}

/**
 * Who on this node takes part in which session, and what passes to them. News comes over the bus; what the bus loses is
 * found by reading on in the log: on each reconnect, every 10 to 25 s, and twice a second while Redis is away.
 */
export type Rooms = {
  /**
   * Brings a visitor into a session. Live news stays on hold: the caller sends what was missed, as long as that is not
   * whole enters again after its last message, then releases the news.
   */
  enter: (socket: ChatSocket, sessionId: string, since: Since) => Promise<Missed>
  /**
   * Brings staff in and answers the newest of the sessions that go on, and those of the `listed` ones that do. Live news
   * stays on hold: the caller sends them, then releases it.
   */
  enterStaff: (socket: ChatSocket, asked?: { listed: string[]; asksForOutlines: boolean }) => Promise<ListedSessions>
  leave: (socket: ChatSocket) => void
  /** Whether a visitor of the session is connected to this node. */
  hasVisitor: (sessionId: string) => boolean
  /** Tells a message that this node has stored at once, as far as nothing that was said before it is under way. */
  tellNext: (message: ChatMessage) => void
  /** Whether this node has a room for a session. */
  knows: (sessionId: string) => boolean
  /** Whether this node has a room for a session, and has told there that it has ended. */
  hasEnded: (sessionId: string) => boolean
  /** The newest page of a session's messages as staff see them, from the log; no further back than after `after`. */
  readForStaff: (sessionId: string, after?: number) => Promise<ChatMessage[]>
  /** A console shows a session from now on, or none. */
  openChat: Consoles['open']
  /** A history has brought the session that a console shows up to a sequence number. */
  broughtTo: Consoles['brought']
  /** Reads on in the log now. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/** For how long a room without visitors is kept after its last news, for staff who go on talking there. */
const IDLE_ROOM_MS = 10 * 60 * 1_000
/** So many of those are kept at most: the next news of one that was closed opens it again. */
const MAX_IDLE_ROOMS = 10_000
/** How many sessions' receipts and pages are looked up at a time. */
const DESKS_A_CHECK = 500
/** How many sessions are remembered as told to staff, so that late news does not tell them again. */
const MAX_REMEMBERED = 10_000

/** Opens a node's rooms. */
export const openRooms = (node: Pick<ApiNode, 'bus' | 'sql' | 'logger'>): Rooms => {
  const { bus, sql, logger } = node
  const rooms = new Map<string, Room>()
  const opening = new Map<string, Promise<Room>>()
  /** The session that each visitor is in. */
  const sessionOf = new Map<ChatSocket, string>()
  /** How many visitors are on their way into each session: its room has to stay for them. */
  const entering = new Map<string, number>()
  /** How many staff are here or about to be: as long as there are any, they are told of all sessions. */
  let watchers = 0
  /** The sessions whose beginning, and whose end, staff have been told. */
  const begun = openRecent(MAX_REMEMBERED)
  const ended = openRecent(MAX_REMEMBERED)
  const withStaffNames = openStaffNames(sql)
  let emailTold: Promise<void> = Promise.resolve()
  let nextDesk = 0

  const onError = (error: unknown) => logger.error({ err: error }, 'chat could not read the log')

  const staff = openConsoles({ readOutlines: (ids) => readOutlines(sql, ids), onError })

  const onNews = (audience: Audience) => (text: string) => {
    const news = parseNews(text)
    if (news) accept(news, audience)
    else logger.warn('chat got something over Redis that is no news')
  }
  const onSessionNews = onNews('visitors')
  const onStaffNews = onNews('staff')

  /**
   * Opens a room as the log was at the reader's position: staff of this node have been told what was before it. What has
   * happened since is told as the room opens, but for a chat of whose end they have been told: a visitor comes back to it.
   */
  const loadRoom = async (sessionId: string) => {
    const position = await reader.position()
    const { before: then, now, desk } = await readRoomState(sql, sessionId, position)
    const before = ended.has(sessionId) ? now : then
    const readAfter = async (sequence: number) => withStaffNames(await readPageAfter(sql, sessionId, sequence))
    const room = openRoom({ sessionId, state: before, known: desk, tellStaff: staff.tell, readAfter, onError })
    rooms.set(sessionId, room)
    if (now.isEnded && !before.isEnded) await tellEnd(room)
    else if (now.lastSequence > before.lastSequence) await room.feed.catchUp()
    return room
  }

  const findRoom = (sessionId: string): Promise<Room> => {
    const known = opening.get(sessionId)
    if (known) return known
    const room = rooms.get(sessionId)
    if (room) return Promise.resolve(room)
    const loading = loadRoom(sessionId)
      .catch((error) => {
        rooms.delete(sessionId)
        throw error
      })
      .finally(() => opening.delete(sessionId))
    opening.set(sessionId, loading)
    return loading
  }

  /** Subscribed before the log is read: nothing falls between the two. */
  const enterRoom = async (sessionId: string) => {
    await bus.subscribe(sessionChannel(sessionId), onSessionNews)
    return await findRoom(sessionId)
  }

  const closeIfEmpty = (sessionId: string) => {
    const room = rooms.get(sessionId)
    if (entering.has(sessionId) || (room && room.visitors.size > 0)) return
    bus.unsubscribe(sessionChannel(sessionId), onSessionNews)
    if (opening.has(sessionId) || room?.ending) return
    if (watchers === 0 || room?.feed.isEnded) rooms.delete(sessionId)
  }

  const leaveRoom = (socket: ChatSocket) => {
    const sessionId = sessionOf.get(socket)
    if (sessionId === undefined) return
    sessionOf.delete(socket)
    rooms.get(sessionId)?.visitors.delete(socket)
    closeIfEmpty(sessionId)
  }

  const stopWatching = () => {
    watchers -= 1
    if (watchers > 0) return
    bus.unsubscribe(ALL_SESSIONS, onStaffNews)
    begun.clear()
    ended.clear()
    for (const sessionId of [...rooms.keys()]) closeIfEmpty(sessionId)
  }

  const begin = (session: ChatSession) => {
    const { sessionId } = session
    if (watchers === 0 || begun.has(sessionId) || ended.has(sessionId)) return
    begun.add(sessionId)
    staff.tell({ type: 'new_chat_session', ...session })
  }

  /** What was said before the end comes first, even where its news is late. */
  const tellEnd = async (room: Room) => {
    const { sessionId } = room.feed
    await room.feed.catchUp()
    // from here on without a pause: those who enter meanwhile either hear of it or are told as they enter
    room.feed.isEnded = true
    if (watchers > 0) ended.add(sessionId)
    for (const socket of room.visitors.keys()) socket.push({ type: 'chat_ended', sessionId })
    staff.tell({ type: 'chat_ended', sessionId })
  }

  /** The room in which something has happened; undefined where nobody on this node wants to hear of it. */
  const roomFor = async (sessionId: string) =>
    rooms.has(sessionId) || opening.has(sessionId) || (staff.size > 0 && !ended.has(sessionId))
      ? await findRoom(sessionId)
      : undefined

  const end = async (sessionId: string) => {
    const room = await roomFor(sessionId)
    if (!room || room.feed.isEnded) return
    room.ending ??= tellEnd(room).finally(() => {
      room.ending = undefined
    })
    await room.ending
    closeIfEmpty(sessionId)
  }

  /** Visitors are told once: they may be in another chat before the log is read. */
  const erase = async (sessionId: string) => {
    await end(sessionId)
    const visitors = rooms.get(sessionId)?.visitors
    for (const socket of visitors?.keys() ?? []) socket.push({ type: 'chat_ended', sessionId, isErased: true })
    visitors?.clear()
    staff.tell({ type: 'chat_ended', sessionId, isErased: true })
    closeIfEmpty(sessionId)
  }

  /** A visitor who comes in meanwhile is not told: their own entry checks the links. */
  const revokeLinks = async (sessionId: string) => {
    const visitors = [...(rooms.get(sessionId)?.visitors.keys() ?? [])]
    await Promise.all(visitors.map((socket) => socket.onLinksRevoked?.()))
  }

  const readAndTellEmail = async (sessionId: string) => {
    if (staff.size === 0) return
    const session = await readSession(node, sessionId)
    if (!session?.visitorEmail || (!session.isActive && (await isErased(sql, sessionId)))) return
    staff.tell({ type: 'visitor_email', sessionId, visitorEmail: session.visitorEmail })
  }

  /** Tells staff the address that answers go to, as the log has it: one after the other, so that the latest comes last. */
  const tellEmail = (sessionId: string) => {
    const told = emailTold.then(() => readAndTellEmail(sessionId))
    emailTold = told.catch(() => {})
    return told
  }

  const post = async (message: ChatMessage) => {
    const room = rooms.get(message.sessionId)
    if (room && !opening.has(message.sessionId)) room.feed.accept(message)
    else await (await roomFor(message.sessionId))?.feed.catchUp()
  }

  const showTyping = ({ kind: _, ...typing }: ChatNews & { kind: 'typing' }, audience: Audience) => {
    if (audience === 'staff' && typing.senderType === 'visitor') staff.tell({ type: 'typing', ...typing })
    if (audience === 'visitors' && typing.senderType === 'admin') {
      for (const socket of rooms.get(typing.sessionId)?.visitors.keys() ?? [])
        socket.push({ type: 'typing', ...typing })
    }
  }

  /** What is around the messages; where there is no room, only staff want to know it. */
  const showReceipt = ({ kind: _, ...receipt }: ChatNews & { kind: 'receipt' }, audience: Audience) => {
    const room = rooms.get(receipt.sessionId)
    if (room) room.desk.acceptReceipt(receipt.party, receipt)
    else if (audience === 'staff') staff.tell({ type: 'receipt', ...receipt })
  }

  const showPage = ({ sessionId, ...page }: ChatNews & { kind: 'page' }, audience: Audience) => {
    const { pageUrl, timestamp } = page
    const room = rooms.get(sessionId)
    if (room) room.desk.acceptPage(page)
    else if (audience === 'staff') staff.tell({ type: 'page_viewed', sessionId, pageUrl, timestamp })
  }

  const accept = (news: ChatNews, audience: Audience): void => {
    switch (news.kind) {
      case 'started':
        begin(news.session)
        break
      case 'posted':
        post(news.message).catch(onError)
        break
      case 'ended':
        end(news.sessionId).catch(onError)
        break
      case 'erased':
        erase(news.sessionId).catch(onError)
        break
      case 'links_revoked':
        if (audience === 'visitors') revokeLinks(news.sessionId).catch(onError)
        break
      case 'email_given':
        if (audience === 'staff') tellEmail(news.sessionId).catch(onError)
        break
      case 'typing':
        showTyping(news, audience)
        break
      case 'receipt':
        showReceipt(news, audience)
        break
      case 'page':
        showPage(news, audience)
        break
      default:
        news satisfies never
    }
  }

  /** Tells what the log holds and the bus may have lost. */
  const handleFact = async (fact: ChatFact) => {
    const sessionId = sessionIdOf(fact.stream)
    switch (fact.type) {
      case 'ChatStarted': {
        if (staff.size === 0 || begun.has(sessionId) || ended.has(sessionId)) return
        const session = await readSession(node, sessionId)
        if (session?.isActive) begin(session)
        return
      }
      case 'ChatMessagePosted': {
        const room = await roomFor(sessionId)
        if (room && room.feed.last < fact.version) await room.feed.catchUp()
        return
      }
      case 'ChatEmailGiven':
        return await tellEmail(sessionId)
      case 'ChatEnded':
        return await end(sessionId)
      case 'ChatErased':
        return await erase(sessionId)
      case 'ChatLinksRevoked':
        return await revokeLinks(sessionId)
      default: {
        fact.type satisfies never
      }
    }
  }

  /** A chat that will not be readable by this node, however often it is tried, keeps staff and visitors from no other. */
  const passOver = (error: unknown) => {
    if (!(error instanceof KeyError || error instanceof LogIntegrityError)) throw error
    onError(error)
  }

  const reader = openLogReader(sql, async (facts) => {
    for (const fact of facts) await handleFact(fact).catch(passOver)
  })

  /** Receipts and pages are in no log: some sessions' at a time are compared with what is stored, in turn. */
  const refreshSomeDesks = async () => {
    const desks = [...rooms.values()].map(({ desk }) => desk)
    if (nextDesk >= desks.length) nextDesk = 0
    const some = desks.slice(nextDesk, nextDesk + DESKS_A_CHECK)
    nextDesk += DESKS_A_CHECK
    if (some.length > 0) await refreshDesks(sql, some)
  }

  /** Closes rooms that nobody needs. What was told in them is before the reader's position, where they open again. */
  const closeIdleRooms = (checkBegan: number) => {
    const idle = [...rooms]
      .filter(([id, room]) => room.visitors.size === 0 && !entering.has(id) && !opening.has(id) && !room.ending)
      .filter(([, { feed }]) => feed.newsAt < checkBegan)
      .sort(([, one], [, other]) => other.feed.newsAt - one.feed.newsAt)
    for (const [index, [id, { feed }]] of idle.entries()) {
      if (index >= MAX_IDLE_ROOMS || feed.newsAt < checkBegan - IDLE_ROOM_MS) rooms.delete(id)
    }
  }

  const compare = async () => {
    const began = performance.now()
    await reader.readOn()
    closeIdleRooms(began)
    await refreshSomeDesks()
  }

  const checks = keepChecking(bus, compare, onError)

  const noteEntering = (sessionId: string, step: 1 | -1) => {
    const count = (entering.get(sessionId) ?? 0) + step
    if (count > 0) entering.set(sessionId, count)
    else entering.delete(sessionId)
  }

  return {
    enter: async (socket, sessionId, { afterSequence, generation }) => {
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
        sessionOf.set(socket, sessionId)
        // news of links that are revoked from here on finds the visitor in the room
        const entry = await readEntry(sql, sessionId, { afterSequence: after, generation })
        const messages = entry.messages.map(forVisitor)
        const last = messages.at(-1)?.sequence ?? after
        visitors.set(socket, last)
        const isWhole = messages.length === 0 || last >= upTo
        return { messages, last, isWhole, isRevoked: entry.isRevoked, staffReceipt, hasEnded }
      } catch (error) {
        leaveRoom(socket)
        socket.release(() => false)
        throw error
      } finally {
        noteEntering(sessionId, -1)
        closeIfEmpty(sessionId)
      }
    },
    enterStaff: async (socket, { listed, asksForOutlines } = { listed: [], asksForOutlines: false }) => {
      const isNew = !staff.has(socket)
      if (isNew) watchers += 1
      socket.hold()
      try {
        await bus.subscribe(ALL_SESSIONS, onStaffNews)
        // what is told from here on is what happens from here on
        await checks.check()
        staff.add(socket, asksForOutlines)
        return await listActive(sql, { listed, asksForOutlines })
      } catch (error) {
        socket.release(() => false)
        if (isNew) {
          staff.delete(socket)
          stopWatching()
        }
        throw error
      }
    },
    leave: (socket) => {
      if (staff.delete(socket)) stopWatching()
      leaveRoom(socket)
    },
    hasVisitor: (sessionId) => (rooms.get(sessionId)?.visitors.size ?? 0) > 0,
    tellNext: (message) => {
      if (!opening.has(message.sessionId)) rooms.get(message.sessionId)?.feed.acceptNext(message)
    },
    knows: (sessionId) => rooms.has(sessionId),
    hasEnded: (sessionId) => rooms.get(sessionId)?.feed.isEnded ?? false,
    readForStaff: async (sessionId, after) => withStaffNames(await readPageBefore(sql, sessionId, { after })),
    openChat: staff.open,
    broughtTo: staff.brought,
    check: checks.check,
    close: async () => {
      staff.close()
      await checks.close()
    },
  }
}
