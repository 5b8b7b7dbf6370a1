import { randomUUID } from 'node:crypto'
import type { Receipt } from '../../../events/chat/activity.ts'
import { type ChatMessage, forVisitor, sessionIdOf } from '../../../events/chat/chat.ts'
import type { ListedSessions } from '../../../events/chat/sent-frames.ts'
import {
  ALL_SESSIONS,
  type ChatNotification,
  type ChatSignal,
  isFrom,
  type LiveChatEvent,
  parseNotification,
  publishNotification,
  sessionChannel,
} from '../../../events/chat/store/chat-notifications.ts'
import type { ApiNode } from '../../node/node.ts'
import { type Consoles, openConsoles } from '../console/consoles.ts'
import { readEntry, readPageBefore } from '../log/history.ts'
import { readOutlines } from '../log/outlines.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { listActive } from './active-page.ts'
import { LostEvents } from './lost-events.ts'
import { Room, type RoomNode } from './room.ts'
import { StaffDirectory } from './staff-directory.ts'
import { refreshActivities } from './stored-room.ts'

/** How long a room without visitors is cached after its last message, for staff who may still write there. */
const IDLE_ROOM_MS = 10 * 60 * 1_000
/** At most this many rooms without visitors stay open. The next event of a closed room opens it again. */
const MAX_IDLE_ROOMS = 10_000
/** The number of sessions whose receipts and pages are read at a time. */
const ACTIVITIES_PER_CHECK = 500

/** The last sequence number that a returning visitor has, and the generation of the links that they came by. */
export type Since = { afterSequence: number; generation: number }

/**
 * The data for a visitor who enters: a page of the missed messages, the sequence number that they have after it
 * (`last`), whether they then have all messages (`isWhole`), whether the links that they came by are revoked, the
 * receipts of staff, and whether the chat has ended.
 */
export type Missed = {
  messages: ChatMessage[]
  last: number
  isWhole: boolean
  isRevoked: boolean
  staffReceipt: Receipt
  hasEnded: boolean
}

/** The recipients of a channel: the channel of one session is for its visitors, that of all sessions for staff. */
type Audience = 'visitors' | 'staff'

/**
 * The chats of one node: the participants, and the rooms in which they see each event once. An event arrives over
 * Redis, or from the log if Redis has lost it; `apply` shows both. While staff are connected (the hub is watched),
 * every session with events has a room; otherwise only sessions with a visitor have one.
 */
export class ChatHub {
  readonly #node: Pick<ApiNode, 'bus' | 'sql' | 'logger'>
  /** Marks the notifications that this hub publishes: it skips them when Redis delivers them. */
  readonly #id = randomUUID()
  readonly #onSeated: () => void
  readonly #rooms = new Map<string, Room>()
  readonly #seats = new Map<ChatSocket, string>()
  /** The number of visitors who are entering each session: its room stays open for them. */
  readonly #entering = new Map<string, number>()
  readonly #consoles: Consoles
  readonly #staff: StaffDirectory
  readonly #log: LostEvents
  readonly #roomNode: RoomNode
  #watchers = 0
  #nextActivity = 0

  /** `onSeated` is called as each visitor enters. */
  constructor(node: Pick<ApiNode, 'bus' | 'sql' | 'logger'>, onSeated: () => void = () => {}) {
    this.#node = node
    this.#onSeated = onSeated
    this.#consoles = openConsoles({ readOutlines: (ids) => readOutlines(node.sql, ids), onError: this.#onError })
    this.#staff = new StaffDirectory(node.sql, (staffId) => this.#consoles.send({ type: 'colleague_removed', staffId }))
    this.#roomNode = {
      sql: node.sql,
      consoles: this.#consoles,
      staff: this.#staff,
      isWatched: () => this.#isWatched,
    }
    this.#log = new LostEvents(node.sql, {
      isLost: (heading) => this.#rooms.get(sessionIdOf(heading.stream))?.lacks(heading) ?? this.#isWatched,
      apply: async (event) => await this.apply(event),
      compare: (began) => this.#compare(began),
      onError: this.#onError,
    })
    this.#log.start(node.bus)
  }

  get #isWatched(): boolean {
    return this.#watchers > 0
  }

  readonly #onError = (error: unknown) => this.#node.logger.error({ err: error }, 'chat could not read the log')

  /** The sessions whose visitor is connected to this node. */
  visited(): string[] {
    return [...this.#rooms.values()].flatMap(({ sessionId, visitors }) => (visitors.size > 0 ? [sessionId] : []))
  }

  knows(sessionId: string): boolean {
    return this.#openRoom(sessionId) !== undefined
  }

  /** Whether the chat has ended, according to its room on this node; false if there is none. */
  hasEnded(sessionId: string): boolean {
    return this.#rooms.get(sessionId)?.hasEnded ?? false
  }

  /** Whether the chat is assigned, according to its room on this node. */
  isAssigned(sessionId: string): boolean {
    return this.#rooms.get(sessionId)?.isAssigned ?? false
  }

  /** Shows a notification of this node to its own participants, and sends it to the other nodes. */
  publish(news: ChatNotification): void {
    publishNotification(this.#node.bus, news, this.#id)
    this.#show(news, ['visitors', 'staff'])
  }

  /**
   * Shows an event to the participants on this node. Returns a promise only if something must be read first; it rejects
   * if the events that the room lacks cannot be read.
   */
  apply(event: LiveChatEvent): Promise<void> | undefined {
    const sessionId = sessionIdOf(event.stream)
    const room = this.#rooms.get(sessionId)
    if (room) return this.#applyIn(room, event)
    if (!this.#isWatched || this.#log.isPast(event.position)) return undefined
    return this.#find(sessionId).then((found) => this.#applyIn(found, event))
  }

  #applyIn(room: Room, event: LiveChatEvent): Promise<void> | undefined {
    const closeIfEnded = () => {
      if (room.hasEnded) this.#closeIfEmpty(room.sessionId)
    }
    const applying = room.apply(event)?.then(closeIfEnded)
    if (!applying) closeIfEnded()
    return applying
  }

  /** Shows the events that a session's room lacks, if this node has one. */
  async catchUp(sessionId: string): Promise<void> {
    await this.#rooms.get(sessionId)?.catchUp()
  }

  /** Reads the log now. */
  check(): Promise<void> {
    return this.#log.check()
  }

  /** Reads the staff accounts again, since names or accounts may have changed. */
  async refreshStaff(): Promise<void> {
    if (this.#isWatched) await this.#staff.refresh()
  }

  /**
   * Adds a visitor to a session. The socket stays paused: the caller sends the missed messages, enters again after the
   * last of them until they are complete, then flushes the socket. If the entry fails, the events held back are
   * dropped.
   */
  async enter(socket: ChatSocket, sessionId: string, since: Since): Promise<Missed> {
    this.#countEntering(sessionId, 1)
    try {
      return await this.#enter(socket, sessionId, since)
    } catch (error) {
      this.leave(socket)
      socket.flush(() => false)
      throw error
    } finally {
      this.#countEntering(sessionId, -1)
      this.#closeIfEmpty(sessionId)
    }
  }

  async #enter(socket: ChatSocket, sessionId: string, { afterSequence, generation }: Since): Promise<Missed> {
    // subscribed before the room reads, so that no event is lost between the two
    if (this.#seats.get(socket) !== sessionId) {
      await this.#node.bus.subscribe(sessionChannel(sessionId), this.#receiveForVisitors)
    }
    const room = await this.#find(sessionId)
    if (afterSequence > room.last) await room.catchUp()
    // drops the events held back so far, which are in the log, and holds back all later ones
    socket.pause()
    const { last: upTo, hasEnded } = room
    const staffReceipt = room.activity.receipts.admin
    // no client has more than the log holds, unless the log was restored from an older backup
    const after = Math.min(afterSequence, upTo)
    room.visitors.set(socket, after)
    this.#seats.set(socket, sessionId)
    this.#onSeated()
    // from here on, a revocation of links finds the visitor in the room
    const entry = await readEntry(this.#node.sql, sessionId, { afterSequence: after, generation })
    const messages = entry.messages.map(forVisitor)
    const last = messages.at(-1)?.sequence ?? after
    room.visitors.set(socket, last)
    const isWhole = messages.length === 0 || last >= upTo
    return { messages, last, isWhole, isRevoked: entry.isRevoked, staffReceipt, hasEnded }
  }

  /**
   * Adds a console and returns the newest open sessions, and the open ones among `listed`. A console without a list
   * gets all messages, others get outlines. The socket stays paused: the caller sends the sessions, then flushes it.
   */
  async enterStaff(socket: ChatSocket, listed?: readonly string[]): Promise<ListedSessions> {
    const isNew = !this.#consoles.has(socket)
    if (isNew) this.#watchers += 1
    socket.pause()
    try {
      await this.#node.bus.subscribe(ALL_SESSIONS, this.#receiveForStaff)
      // catches up first, so that all events shown later are new
      await this.check()
      // a check in progress may have read the accounts already
      await this.#staff.refresh()
      this.#consoles.add(socket, listed !== undefined)
      return await listActive(this.#node.sql, listed ?? [])
    } catch (error) {
      socket.flush(() => false)
      if (isNew) {
        this.#consoles.delete(socket)
        this.#stopWatching()
      }
      throw error
    }
  }

  leave(socket: ChatSocket): void {
    if (this.#consoles.delete(socket)) this.#stopWatching()
    const sessionId = this.#seats.get(socket)
    if (sessionId === undefined) return
    this.#seats.delete(socket)
    this.#rooms.get(sessionId)?.visitors.delete(socket)
    this.#closeIfEmpty(sessionId)
  }

  /**
   * Reads the newest page of a session's messages from the log, as staff see them. It reads no further back than it
   * must to have the messages after `after`.
   */
  async readForStaff(sessionId: string, after?: number): Promise<ChatMessage[]> {
    const messages = await readPageBefore(this.#node.sql, sessionId, { after })
    if (!this.#staff.knows(...messages.map(({ by }) => by))) await this.#staff.refresh()
    return messages.map((message) => this.#staff.named(message))
  }

  /** Sets the session that a console shows; null if it shows none. */
  openChat(socket: ChatSocket, sessionId: string | null): void {
    this.#consoles.open(socket, sessionId)
  }

  /** Records the sequence number up to which a history has sent the shown session to a console. */
  recordSentUpTo(socket: ChatSocket, sessionId: string, upTo: number): void {
    this.#consoles.recordSentUpTo(socket, sessionId, upTo)
  }

  async close(): Promise<void> {
    this.#consoles.close()
    await this.#log.close()
  }

  readonly #receiveForVisitors = (text: string) => this.#receive(text, 'visitors')
  readonly #receiveForStaff = (text: string) => this.#receive(text, 'staff')

  #receive(text: string, audience: Audience) {
    if (isFrom(this.#id, text)) return
    const news = parseNotification(text)
    if (news) this.#show(news, [audience])
    else this.#node.logger.warn('chat got a message over Redis that is not a notification')
  }

  #show(news: ChatNotification, audiences: Audience[]) {
    try {
      if (!('kind' in news)) this.apply(news)?.catch(this.#onError)
      else for (const audience of audiences) this.#showSignal(news, audience)
    } catch (error) {
      this.#onError(error)
    }
  }

  /** Shows a signal. Signals are not in the log. If the session has no open room, only staff can be there to see it. */
  #showSignal(signal: ChatSignal, audience: Audience) {
    const room = this.#openRoom(signal.sessionId)
    switch (signal.kind) {
      case 'typing': {
        const { kind: type, ...typing } = signal
        if (audience === 'staff' && typing.senderType === 'visitor') this.#consoles.send({ type, ...typing })
        if (audience === 'visitors' && typing.senderType === 'admin') {
          for (const socket of room?.visitors.keys() ?? []) socket.push({ type, ...typing })
        }
        break
      }
      case 'receipt': {
        const { kind: type, ...receipt } = signal
        if (room) room.activity.acceptReceipt(receipt.party, receipt)
        else if (audience === 'staff') this.#consoles.send({ type, ...receipt })
        break
      }
      case 'page': {
        const { sessionId, pageUrl, timestamp } = signal
        if (room) room.activity.acceptPage(signal)
        else if (audience === 'staff') this.#consoles.send({ type: 'page_viewed', sessionId, pageUrl, timestamp })
        break
      }
      default:
        signal satisfies never
    }
  }

  #openRoom(sessionId: string): Room | undefined {
    const room = this.#rooms.get(sessionId)
    return room?.isOpen ? room : undefined
  }

  /** The open room of a session. Rejects if it cannot be read; the next caller tries again. */
  async #find(sessionId: string): Promise<Room> {
    const since = this.#rooms.has(sessionId) ? 0 : await this.#log.position()
    const known = this.#rooms.get(sessionId)
    const room = known ?? new Room(sessionId, this.#roomNode, since)
    this.#rooms.set(sessionId, room)
    try {
      await room.opened
      return room
    } catch (error) {
      if (this.#rooms.get(sessionId) === room) this.#rooms.delete(sessionId)
      throw error
    }
  }

  #countEntering(sessionId: string, step: 1 | -1) {
    const count = (this.#entering.get(sessionId) ?? 0) + step
    if (count > 0) this.#entering.set(sessionId, count)
    else this.#entering.delete(sessionId)
  }

  #isNeeded(sessionId: string): boolean {
    const room = this.#rooms.get(sessionId)
    return this.#entering.has(sessionId) || (room !== undefined && (room.visitors.size > 0 || room.isBusy))
  }

  #closeIfEmpty(sessionId: string) {
    const room = this.#rooms.get(sessionId)
    if (this.#entering.has(sessionId) || (room && room.visitors.size > 0)) return
    this.#node.bus.unsubscribe(sessionChannel(sessionId), this.#receiveForVisitors)
    if (!this.#isWatched && !room?.isBusy) this.#rooms.delete(sessionId)
  }

  #stopWatching() {
    this.#watchers -= 1
    if (this.#isWatched) return
    this.#node.bus.unsubscribe(ALL_SESSIONS, this.#receiveForStaff)
    for (const sessionId of [...this.#rooms.keys()]) this.#closeIfEmpty(sessionId)
  }

  async #compare(began: number) {
    await this.refreshStaff()
    this.#closeIdle(began)
    await this.#refreshSomeActivities()
  }

  /**
   * Closes the rooms that no visitor needs and that have shown nothing since the check `began`: the log's reader has
   * passed all of their events. While staff are connected, the most recent of them stay open.
   */
  #closeIdle(began: number) {
    const idle = [...this.#rooms.values()]
      .filter(({ sessionId, newsAt }) => newsAt < began && !this.#isNeeded(sessionId))
      .sort((one, other) => other.newsAt - one.newsAt)
    for (const [index, { sessionId, newsAt, hasEnded }] of idle.entries()) {
      const isFollowed = this.#isWatched && !hasEnded && index < MAX_IDLE_ROOMS && newsAt >= began - IDLE_ROOM_MS
      if (!isFollowed) this.#rooms.delete(sessionId)
    }
  }

  /**
   * Compares the receipts and pages of some sessions with the stored ones, because they are not in the log. The next
   * call continues with the next sessions.
   */
  async #refreshSomeActivities() {
    const open = [...this.#rooms.values()].filter(({ isOpen }) => isOpen)
    if (this.#nextActivity >= open.length) this.#nextActivity = 0
    const some = open.slice(this.#nextActivity, this.#nextActivity + ACTIVITIES_PER_CHECK)
    this.#nextActivity += ACTIVITIES_PER_CHECK
    if (some.length === 0) return
    await refreshActivities(
      this.#node.sql,
      some.map(({ activity }) => activity),
    )
  }
}
