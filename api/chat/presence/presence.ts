/**
 * Presence over all nodes: the chats that staff view, and the connected visitors. It is not in the log. Each node
 * stores its part in Redis, where it expires (presence-store.ts), and publishes the changes of its staff's views. A
 * node with consoles merges the parts (presence-state.ts) and sends its consoles the changes. One loop does all that.
 */

import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { Viewer } from '../../../events/chat/sent-frames.ts'
import type { ApiNode } from '../../node/node.ts'
import type { ChatSocket } from '../socket/chat-socket.ts'
import {
  arrivalOf,
  type Look,
  merge,
  NO_PRESENCE,
  type NodeLooks,
  nodeLooks,
  type PresenceMessage,
  viewersOf,
} from './presence-state.ts'
import { PresenceStore, readParts, readPlaces } from './presence-store.ts'

const CHANNEL = 'chat:presence'
/** How often a node renews its part, give or take a fifth, to spread the nodes out. */
const REPEAT_MS = 1_000
/** Changes within this time are written and published together. */
const GATHER_MS = 30
/** The time after which a node with consoles reads the parts of the others again. */
const READ_EVERY_MS = 2_500
/** Longer than a page change or a reconnect takes: until then a visitor who left still counts as present. */
const LEFT_EXPIRES_MS = 10_000
/** A console repeats a typing signal every two seconds. */
const TYPING_EXPIRES_MS = 6_000

/**
 * The state of a console: `look` is the chat that its staff member views, `followed` are the chats in its list, `sent`
 * is the last value sent for each of them: since when the visitor is present, or null.
 */
type Console = {
  look: Look | undefined
  typing: NodeJS.Timeout | undefined
  followed: readonly string[]
  sent: Map<string, number | null>
}

type ChatPresence = { staff: Viewer[]; isVisitorAway: boolean }

const NONE: ChatPresence = { staff: [], isVisitorAway: false }

const message = v.object({ node: v.string(), looks: nodeLooks })

const parseMessage = (text: string) => {
  try {
    return v.parse(message, JSON.parse(text))
  } catch {
    return undefined
  }
}

type PresenceNode = Pick<ApiNode, 'id' | 'bus' | 'redis' | 'reading' | 'logger'>

export class Presence {
  readonly #node: PresenceNode
  readonly #visited: () => string[]
  readonly #store: PresenceStore
  readonly #consoles = new Map<ChatSocket, Console>()

  /** This node's own part. */
  #looks: NodeLooks = { version: 0, looks: [] }
  #arrivals = new Map<string, number>()
  /** When the visitors left whose arrivals are still cached. */
  readonly #leftAt = new Map<string, number>()

  #state = NO_PRESENCE
  #shown = new Map<string, ChatPresence>()

  #timer: NodeJS.Timeout | undefined
  #roundAt = Number.POSITIVE_INFINITY
  #readAt = 0
  #isExchanging = false
  #isSending = false
  #isClosed = false

  /** `visited` returns the sessions whose visitors are connected to this node. */
  constructor(node: PresenceNode, visited: () => string[]) {
    this.#node = node
    this.#visited = visited
    this.#store = new PresenceStore(node, node.id)
    node.bus.subscribe(CHANNEL, (text) => this.receive(text))
    this.changed()
  }

  /** Visitors or staff of this node have arrived, left, or view another chat. */
  changed(): void {
    this.#roundIn(GATHER_MS)
  }

  /** Sends a console the current presence, and all changes. */
  join(socket: ChatSocket): void {
    if (!socket.isOpen) return
    for (const [sessionId, presence] of this.#shown) socket.push({ type: 'presence', sessionId, ...presence })
    if (this.#consoles.has(socket)) return
    this.#consoles.set(socket, { look: undefined, typing: undefined, followed: [], sent: new Map() })
    this.changed()
  }

  /** Sets the session that a console shows; null if it shows none. */
  watch(socket: ChatSocket, sessionId: string | null): void {
    const console = this.#consoles.get(socket)
    if (!console || !socket.staff || (console.look?.sessionId ?? null) === sessionId) return
    clearTimeout(console.typing)
    const { id: staffId, displayName: name } = socket.staff
    console.look = sessionId === null ? undefined : { sessionId, staffId, name, isTyping: false }
    this.changed()
  }

  /** Sets whether a staff member types in the session that their console shows. */
  type(socket: ChatSocket, sessionId: string, isTyping: boolean): void {
    const console = this.#consoles.get(socket)
    if (console?.look?.sessionId !== sessionId) return
    clearTimeout(console.typing)
    console.typing = isTyping ? setTimeout(() => this.type(socket, sessionId, false), TYPING_EXPIRES_MS) : undefined
    if (console.look.isTyping === isTyping) return
    console.look = { ...console.look, isTyping }
    this.changed()
  }

  /** Sets the chats in a console's list; it is sent the presence of their visitors. */
  follow(socket: ChatSocket, sessionIds: readonly string[]): void {
    const console = this.#consoles.get(socket)
    if (!console) return
    const followed = new Set(sessionIds)
    console.followed = [...followed]
    console.sent = new Map([...console.sent].filter(([sessionId]) => followed.has(sessionId)))
    this.changed()
  }

  leave(socket: ChatSocket): void {
    clearTimeout(this.#consoles.get(socket)?.typing)
    if (!this.#consoles.delete(socket)) return
    if (this.#consoles.size === 0) {
      this.#state = NO_PRESENCE
      this.#shown = new Map()
      this.#readAt = 0
    }
    this.changed()
  }

  /** Ends all views on this node; visitors stay listed for the time that they need to reach another node. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const socket of [...this.#consoles.keys()]) this.leave(socket)
    this.#refreshOwn()
    await this.#store.write({ ...this.#looks, arrivals: this.#arrivals }, LEFT_EXPIRES_MS).catch(() => {})
  }

  #roundIn(ms: number) {
    const at = performance.now() + ms
    if (this.#isClosed || at >= this.#roundAt) return
    clearTimeout(this.#timer)
    this.#roundAt = at
    this.#timer = setTimeout(() => this.#round(), ms)
  }

  async #round() {
    this.#roundAt = Number.POSITIVE_INFINITY
    this.#roundIn(REPEAT_MS * (0.8 + 0.4 * Math.random()))
    this.#refreshOwn()
    this.#show()
    if (this.#isExchanging) return this.#roundIn(GATHER_MS)
    this.#isExchanging = true
    await this.#exchange()
    this.#isExchanging = false
    this.#show()
    if (this.#isSending) return
    this.#isSending = true
    await this.#sendVisitors().catch((error) => {
      this.#node.logger.debug({ err: error }, 'chat could not read the pages of visitors')
    })
    this.#isSending = false
  }

  #merge(message: PresenceMessage) {
    this.#state = merge(this.#state, message, performance.now())
  }

  /** Updates this node's own part, and publishes the views of its staff if they have changed. */
  #refreshOwn() {
    const { id, bus } = this.#node
    const now = Date.now()
    const here = new Set(this.#visited())
    for (const sessionId of here) {
      this.#leftAt.delete(sessionId)
      if (!this.#arrivals.has(sessionId)) this.#arrivals.set(sessionId, now)
    }
    for (const sessionId of this.#arrivals.keys()) {
      if (here.has(sessionId)) continue
      const leftAt = this.#leftAt.get(sessionId) ?? now
      this.#leftAt.set(sessionId, leftAt)
      if (now - leftAt < LEFT_EXPIRES_MS) continue
      this.#leftAt.delete(sessionId)
      this.#arrivals.delete(sessionId)
    }
    const looks = [...this.#consoles.values()].flatMap(({ look }) => look ?? [])
    if (!isDeepStrictEqual(looks, this.#looks.looks)) {
      this.#looks = { version: this.#looks.version + 1, looks }
      bus.publish(CHANNEL, JSON.stringify({ node: id, looks: this.#looks }))
    }
    this.#merge({ type: 'own', node: id, part: { ...this.#looks, arrivals: this.#arrivals } })
  }

  receive(text: string) {
    const message = parseMessage(text)
    if (!message) return this.#node.logger.warn('chat received a message about presence that it cannot read')
    if (message.node === this.#node.id || this.#consoles.size === 0) return
    this.#merge({ type: 'looks', ...message })
    this.#show()
  }

  /** Writes this node's part to Redis, and reads those of the others if consoles need them now. */
  async #exchange() {
    try {
      for (const [sessionId, at] of await this.#store.readEarlier(this.#arrivals)) this.#arrivals.set(sessionId, at)
      await this.#store.write({ ...this.#looks, arrivals: new Map(this.#arrivals) })
      await this.#readOthers()
    } catch {
      this.#merge({ type: 'unreadable' })
    }
  }

  async #readOthers() {
    const now = performance.now()
    const viewed = viewersOf(this.#state).keys()
    const sessionIds = [...new Set([...viewed, ...[...this.#consoles.values()].flatMap(({ followed }) => followed)])]
    const isNew = sessionIds.some((sessionId) => !this.#state.askedAt.has(sessionId))
    if (this.#consoles.size === 0 || (!isNew && now < this.#readAt)) return
    this.#readAt = now + READ_EVERY_MS
    const parts = await readParts(this.#node, sessionIds)
    parts.delete(this.#node.id)
    this.#merge({ type: 'read', parts, sessionIds })
  }

  /** Sends all consoles the changes of the chats that staff view. */
  #show() {
    const now = performance.now()
    const present = new Map<string, ChatPresence>()
    for (const [sessionId, staff] of viewersOf(this.#state)) {
      present.set(sessionId, { staff, isVisitorAway: arrivalOf(this.#state, sessionId, now) === null })
    }
    for (const sessionId of new Set([...this.#shown.keys(), ...present.keys()])) {
      const presence = present.get(sessionId) ?? NONE
      if (isDeepStrictEqual(presence, this.#shown.get(sessionId) ?? NONE)) continue
      for (const socket of this.#consoles.keys()) socket.push({ type: 'presence', sessionId, ...presence })
    }
    this.#shown = present
  }

  /** Sends each console the visitors in its list who have arrived or left, with their pages. */
  async #sendVisitors() {
    const now = performance.now()
    const news = [...this.#consoles].map(([socket, { followed, sent }]) => {
      const changes = followed.flatMap((sessionId) => {
        const at = arrivalOf(this.#state, sessionId, now)
        return at === undefined || at === sent.get(sessionId) ? [] : [[sessionId, at] as const]
      })
      return { socket, sent, changes }
    })
    const arrivals = news.flatMap(({ changes }) =>
      changes.flatMap(([sessionId, at]) => (at === null ? [] : [[sessionId, at] as const])),
    )
    const here = await readPlaces(this.#node.reading, new Map(arrivals))
    for (const { socket, sent, changes } of news) {
      if (changes.length === 0) continue
      for (const [sessionId, at] of changes) sent.set(sessionId, at)
      const chats = changes.map(([sessionId, at]) => ({
        sessionId,
        here: at === null ? null : (here.get(sessionId) ?? null),
      }))
      socket.push({ type: 'visitors_here', chats })
    }
  }
}
