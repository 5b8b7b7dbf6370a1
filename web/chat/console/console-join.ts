import type { ServerFrame } from '../../../events/chat/frames-wire.ts'
import { MAX_LISTED_SESSIONS } from '../../../events/chat/outline.ts'
import { unbrokenUpTo } from '../messaging/conversation.ts'
import { passes } from '../messaging/outgoing-messages.ts'
import { openRepeat } from '../messaging/repeated-request.ts'
import type { ConsoleCore } from './console-core.ts'
import { evolveConsole } from './console-evolution.ts'
import type { ConsoleList } from './console-list.ts'
import { listedChats } from './console-state.ts'
import type { ConsoleNews } from './console-updates.ts'

/**
 * How a console joins a node:
 *
 * - `apart`: there is no connection.
 * - `joining`: the node was asked to join, and is asked again if it refuses for now.
 * - `caught-up`: the node has responded, perhaps while it still prepares its list, which is requested again. The
 *   missing messages of the shown chat were requested, unsent ones are sent again, and colleagues see which chat is
 *   viewed here.
 */
export class ConsoleJoin {
  #state: 'apart' | 'joining' | 'caught-up' = 'apart'
  readonly #core: ConsoleCore
  readonly #list: ConsoleList
  readonly #news: ConsoleNews
  readonly #joining = openRepeat(() => this.#ask())
  readonly #opening = openRepeat(() => this.openChat())

  constructor(core: ConsoleCore, { list, news }: { list: ConsoleList; news: ConsoleNews }) {
    this.#core = core
    this.#list = list
    this.#news = news
  }

  join() {
    this.#state = 'joining'
    this.#ask()
  }

  #ask() {
    const listed = listedChats(this.#core.store.get()).map(({ sessionId }) => sessionId)
    this.#core.send({ type: 'join_admin', listed: listed.slice(0, MAX_LISTED_SESSIONS) })
  }

  /** Asks for the missing messages of the shown chat, and for all that follow; for none if no chat is shown. */
  openChat() {
    if (this.#state !== 'caught-up') return
    const { store, send, conversation } = this.#core
    const { selected } = store.get()
    if (!selected) return void send({ type: 'open_chat', sessionId: null })
    send({ type: 'open_chat', sessionId: selected, afterSequence: unbrokenUpTo(conversation(selected)) })
  }

  /** Called when another chat is shown, or none. */
  chatChanged() {
    this.#opening.stop()
    this.openChat()
  }

  /** Called when the messages of a chat have arrived. */
  opened(sessionId: string) {
    if (sessionId === this.#core.store.get().selected) this.#opening.succeeded()
  }

  /** Lets colleagues see which chat is viewed here. */
  watch() {
    const { selected, isAttended } = this.#core.store.get()
    this.#core.send({ type: 'watch', sessionId: (isAttended && selected) || null })
  }

  joined(frame: Extract<ServerFrame, { type: 'active_sessions' }>) {
    const { store, reporter } = this.#core
    const before = store.get()
    reporter.forget()
    if (frame.isPreparing) {
      // chats that have arrived since then stay
      store.set({ isWaiting: true })
      this.#joining.later()
      if (this.#state !== 'caught-up') this.#catchUp()
      return
    }
    this.#joining.succeeded()
    store.set(evolveConsole(before, frame))
    this.#news.outlined(
      frame.sessions.map(({ sessionId, outline }) => ({ sessionId, ...outline })),
      before,
    )
    this.#catchUp()
    this.#list.fetchShown()
  }

  /** Repeats a request that a node refused for now. Returns whether the request was made here. */
  refused({ code, refused, retryAfterS }: Extract<ServerFrame, { type: 'error' }>): boolean {
    if (!passes(code)) return false
    if (refused === 'join_admin') {
      this.#core.store.set({ isWaiting: true })
      this.#joining.later(retryAfterS)
      return true
    }
    if (refused === 'open_chat') this.#opening.later()
    return refused === 'open_chat'
  }

  leave() {
    this.#state = 'apart'
    this.#joining.stop()
    this.#opening.stop()
  }

  #catchUp() {
    this.#state = 'caught-up'
    const { store, delivery, conversation } = this.#core
    if (store.get().selected) this.openChat()
    this.watch()
    for (const sessionId of Object.keys(store.get().conversations)) {
      delivery.deliverAgain(sessionId, () => conversation(sessionId))
    }
  }
}
