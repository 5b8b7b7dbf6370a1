import {
  chatMessage,
  chatStreams,
  evolveChatSession,
  forVisitor,
  messageStreams,
  OPEN_CHAT_VERSION,
} from '../../../events/chat/chat.ts'
import type { ServerFrame } from '../../../events/chat/sent-frames.ts'
import type { LiveChatEvent } from '../../../events/chat/store/chat-notifications.ts'
import type { Sql } from '../../../events/stores/connection.ts'
import type { Consoles } from '../console/consoles.ts'
import { changeOf } from '../log/assignments.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import { RoomActivity } from './room-activity.ts'
import type { StaffDirectory } from './staff-directory.ts'
import { readEventsAfter, readStoredRoom } from './stored-room.ts'

type EventOf<Type extends LiveChatEvent['type']> = Extract<LiveChatEvent, { type: Type }>

/** The dependencies of a room. `isWatched` returns whether staff are connected to this node, or about to be. */
export type RoomNode = { sql: Sql; consoles: Consoles; staff: StaffDirectory; isWatched: () => boolean }

/** Whether a frame is new to a client that has a session's messages up to a sequence number. */
export const isAfter = (sessionId: string, sequence: number) => (frame: ServerFrame) =>
  frame.type !== 'new_message' || frame.sessionId !== sessionId || frame.sequence > sequence

/**
 * A session on one node. It shows each event once and in order to its visitors and to the consoles, whether the event
 * arrives over Redis, from the log's reader, or both. Its states:
 *
 * - `opening`: it reads its stored state, and the events after the position that the consoles have reached;
 * - `active`;
 * - `ended`, by ChatEnded, which it shows after all messages;
 * - `erased`, by ChatErased.
 *
 * While it reads, new events wait. It has a version of each stream: it applies the next version, drops an older one,
 * and reads the log before a later one.
 */
export class Room {
  readonly sessionId: string
  state: 'opening' | 'active' | 'ended' | 'erased' = 'opening'
  /** The visitors' sockets, each with the sequence number up to which histories have sent it the messages. */
  readonly visitors = new Map<ChatSocket, number>()
  /** When the room last showed something, or was opened: a time of performance.now(). */
  newsAt = performance.now()
  readonly activity: RoomActivity
  readonly opened: Promise<void>
  readonly #node: RoomNode
  readonly #versions = new Map<string, number>()
  #assignee: string | null = null
  #busy: Promise<void> | undefined
  #isOpen = false

  /** Opens a session's room. The consoles, if there are any, know its events up to the position `since` of the log. */
  constructor(sessionId: string, node: RoomNode, since: number) {
    this.sessionId = sessionId
    this.#node = node
    this.activity = new RoomActivity(sessionId, (frame, to) => {
      if (to === 'all') this.#sendVisitors(frame)
      node.consoles.send(frame)
    })
    this.opened = this.#whileBusy(() => this.#open(since))
  }

  /** The sequence number of the last message that was shown. */
  get last(): number {
    return this.#versions.get(messageStreams.of(this.sessionId)) ?? 0
  }

  get hasEnded(): boolean {
    return this.state === 'ended' || this.state === 'erased'
  }

  /** False while the room is opening, and if it could not be opened. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  get isBusy(): boolean {
    return this.#busy !== undefined
  }

  /** Whether the chat is assigned to a staff member who has an account. */
  get isAssigned(): boolean {
    return this.#assignee !== null && !this.#node.staff.isRemoved(this.#assignee)
  }

  /** Whether an event has not been shown here yet. */
  lacks({ type, stream, version }: Pick<LiveChatEvent, 'type' | 'stream' | 'version'>): boolean {
    return type === 'ChatErased' ? this.state !== 'erased' : version > (this.#versions.get(stream) ?? 0)
  }

  /** Applies an event of this node, of another one, or from the log. Rejects if the events before it cannot be read. */
  apply(event: LiveChatEvent): Promise<void> | undefined {
    if (this.#busy) return this.#busy.then(() => this.apply(event))
    if (!this.#isOpen) return this.opened
    if (!this.lacks(event)) return undefined
    if (this.#isNext(event)) return this.#take(event)
    return this.#whileBusy(async () => {
      await this.#readOn()
      if (event.type === 'ChatErased') await this.#show(event)
    })
  }

  /** Applies all events that the log holds at the time of the call. */
  async catchUp(): Promise<void> {
    while (this.#busy) await this.#busy
    await this.#whileBusy(() => this.#readOn())
  }

  /**
   * Whether an event can be shown without reading the log. An end or an erasure cannot: it comes after all events
   * before it, and their notifications may be late.
   */
  #isNext({ type, stream, version }: LiveChatEvent): boolean {
    return type !== 'ChatEnded' && type !== 'ChatErased' && version === (this.#versions.get(stream) ?? 0) + 1
  }

  #whileBusy(work: () => Promise<void>): Promise<void> {
    const done = work()
    const busy: Promise<void> = done
      .catch(() => {})
      .then(() => {
        if (this.#busy === busy) this.#busy = undefined
      })
    this.#busy = busy
    return done
  }

  async #open(since: number) {
    const { before, now, activity, assignee } = await readStoredRoom(this.#node.sql, this.sessionId, since)
    const known = this.#node.isWatched() ? before : now
    for (const [stream, version] of known) this.#versions.set(stream, version)
    this.activity.open(activity)
    this.#assignee = assignee
    this.state = (known.get(chatStreams.of(this.sessionId)) ?? 0) > OPEN_CHAT_VERSION ? 'ended' : 'active'
    if ([...now].some(([stream, version]) => version > (known.get(stream) ?? 0))) await this.#readOn()
    this.#isOpen = true
  }

  async #readOn() {
    for (;;) {
      const { events, hasMore } = await readEventsAfter(this.#node.sql, this.#versions)
      for (const event of events) {
        await this.#show(event)
        this.#versions.set(event.stream, event.version)
      }
      if (!hasMore) return
    }
  }

  #take(event: LiveChatEvent): Promise<void> | undefined {
    const shown = this.#show(event)
    if (!shown) {
      this.#versions.set(event.stream, event.version)
      return undefined
    }
    return this.#whileBusy(async () => {
      await shown
      this.#versions.set(event.stream, event.version)
    })
  }

  /** Shows an event. Returns a promise only if it has to wait for something. */
  #show(event: LiveChatEvent): Promise<void> | undefined {
    this.newsAt = performance.now()
    switch (event.type) {
      case 'ChatStarted':
        return this.#started(event)
      case 'ChatMessagePosted':
        return this.#messagePosted(event)
      case 'ChatEmailGiven':
        return this.#emailGiven(event)
      case 'ChatAssigned':
        return this.#assigned(event)
      case 'ChatRated':
        return this.#rated(event)
      case 'ChatEnded':
        return this.#ended()
      case 'ChatErased':
        return this.#erased()
      case 'ChatLinksRevoked':
        return this.#linksRevoked()
      default:
        return event satisfies never
    }
  }

  #sendVisitors(frame: ServerFrame) {
    for (const socket of this.visitors.keys()) socket.push(frame)
  }

  #started(event: EventOf<'ChatStarted'>): undefined {
    const session = evolveChatSession(undefined, event)
    if (session) this.#node.consoles.send({ type: 'new_chat_session', ...session })
  }

  #messagePosted(event: EventOf<'ChatMessagePosted'>): Promise<void> | undefined {
    const { consoles, staff, isWatched } = this.#node
    const message = chatMessage(event)
    const show = () => {
      const shown: ServerFrame = { type: 'new_message', ...forVisitor(message) }
      // a history may have contained the message already
      for (const [socket, sentUpTo] of this.visitors) if (message.sequence > sentUpTo) socket.push(shown)
      if (isWatched()) consoles.send({ type: 'new_message', ...staff.named(message) })
    }
    if (!isWatched() || staff.knows(message.by)) return void show()
    return staff.refresh().then(show)
  }

  #emailGiven({ personal }: EventOf<'ChatEmailGiven'>): undefined {
    if (!personal || this.state === 'erased') return
    const { visitorEmail } = personal
    this.#node.consoles.send({ type: 'visitor_email', sessionId: this.sessionId, visitorEmail })
  }

  #assigned(event: EventOf<'ChatAssigned'>): Promise<void> | undefined {
    const { consoles, staff, isWatched } = this.#node
    const show = () => {
      const change = changeOf(event, staff.names)
      this.#assignee = event.data.to
      const to = this.isAssigned ? change.to : null
      consoles.send({ type: 'chat_assigned', sessionId: this.sessionId, ...change, to })
    }
    if (!isWatched() || staff.knows(event.data.to, event.data.by)) return void show()
    return staff.refresh().then(show)
  }

  #rated({ data: { score } }: EventOf<'ChatRated'>): undefined {
    this.#node.consoles.send({ type: 'chat_rated', sessionId: this.sessionId, score })
  }

  #ended(): undefined {
    // visitors who enter from here on are notified as they enter
    this.state = 'ended'
    const frame: ServerFrame = { type: 'chat_ended', sessionId: this.sessionId }
    this.#sendVisitors(frame)
    this.#node.consoles.send(frame)
  }

  /** Removes the visitors from the room: they may be in another chat before the log's reader reaches the erasure. */
  #erased(): undefined {
    this.state = 'erased'
    const frame: ServerFrame = { type: 'chat_ended', sessionId: this.sessionId, isErased: true }
    this.#sendVisitors(frame)
    this.visitors.clear()
    this.#node.consoles.send(frame)
  }

  /** A visitor who enters at the same time may not be in the room yet: their own entry checks the links. */
  async #linksRevoked(): Promise<void> {
    await Promise.all([...this.visitors.keys()].map((socket) => socket.onLinksRevoked?.()))
  }
}
