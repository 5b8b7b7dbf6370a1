import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { ClientFrame } from '../../../events/chat/client-frames.ts'
import type { ChatFile } from '../../../events/chat/file.ts'
import { MAX_LISTED_SESSIONS } from '../../../events/chat/outline.ts'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'
import { type ChatMessage, type ChatSession, chatList, chatRecord, type HandedChat } from '../../../events/chat/wire.ts'
import { get, getPage } from '../../client/get.ts'
import { createStore } from '../../client/store.ts'
import { type Connection, openConnection } from '../messaging/connection.ts'
import { newestSequence, queueMessage, unbrokenUpTo, unsentFile, unsentMessage } from '../messaging/conversation.ts'
import { clearTray, emptyTray } from '../messaging/file-tray.ts'
import { withEarlier } from '../messaging/history.ts'
import { openDelivery, passes } from '../messaging/outgoing-messages.ts'
import { openReporter, reached } from '../messaging/receipts.ts'
import { openRepeat } from '../messaging/repeated-request.ts'
import { TYPING_HOLDS_MS, typingSignal } from '../messaging/typing.ts'
import * as evolution from './console-evolution.ts'
import type { AssigneeFilter } from './console-pages.ts'
import {
  type ConsoleState,
  chatIn,
  emptyChat,
  emptyConsole,
  followedChats,
  isLookedAt,
  listedChats,
  nextPageOf,
} from './console-state.ts'
import { isStoredChange, readStoredConsole, storeConsole } from './stored-console.ts'

const { evolveConsole, withChat } = evolution

/** The close code of a socket whose staff session has ended. */
const SIGNED_OUT = 4401

/** Changes of the followed chats within this time are sent together. */
const FOLLOW_AFTER_MS = 300

/** The listeners of a console besides its screen. */
export type ConsoleListener = {
  onSignedOut: () => void
  /** A node has listed the active chats, and follows with each change. */
  onJoined: () => void
  /** The fetched record of a chat is out of date. */
  onRecordChanged: (sessionId: string) => void
  /** Gets a visitor's message that arrives in a chat out of view. */
  onMissed: (message: evolution.MissedMessage) => void
  /** A colleague handed a chat over to this staff member. */
  onHandedOver: (chat: Omit<HandedChat, 'visitorName'> & { visitorName?: string; note: string | null }) => void
}

type Frame<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>

const isAttended = () => !document.hidden && document.hasFocus()

/**
 * The side of staff in the chat. It opens a socket immediately, and closes it with `close`. Each frame of a node makes
 * the next state (`evolveConsole`); the difference to the one before has effects (`#change`). How it joins a node:
 *
 * - `apart`: there is no connection.
 * - `joining`: the node was asked to join, and is asked again if it refuses for now. It would refuse messages.
 * - `caught-up`: the node has responded, perhaps while it still prepares its list, which is requested again. The
 *   missing messages of the shown chat were requested, unsent ones are sent, and colleagues see which chat is viewed
 *   here.
 */
export class Console {
  #joined: 'apart' | 'joining' | 'caught-up' = 'apart'
  /** Events from before this page was opened are not news. */
  #wasConnected = false
  /** The followed chats, as the node has them. */
  #followed = ''
  #followTimer: ReturnType<typeof setTimeout> | undefined
  readonly store: ReturnType<typeof createStore<ConsoleState>>
  readonly #staffId: string
  readonly #listener: ConsoleListener
  readonly #connection: Connection
  readonly #closing = new AbortController()
  readonly #typingTimers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #joining = openRepeat(() => this.#join())
  readonly #opening = openRepeat(() => this.#openChat())
  readonly #reporter = openReporter((sessionId, receipt) => this.#send({ type: 'receipt', sessionId, ...receipt }))
  readonly #delivery = openDelivery({
    connection: () => (this.#joined === 'caught-up' ? this.#connection : undefined),
    sender: () => ({ senderType: 'admin', senderName: SUPPORT_TEAM_NAME }),
  })
  /** The session of the last draft. */
  #draftOf = ''
  readonly #typing = typingSignal((isTyping) => this.#send({ type: 'typing', sessionId: this.#draftOf, isTyping }))

  /** `staffId` is the owner of the stored state: no other staff member gets it. */
  constructor(staffId: string, listener: ConsoleListener) {
    this.#staffId = staffId
    this.#listener = listener
    const stored = readStoredConsole(staffId).map(
      ([sessionId, chat]) => [sessionId, { ...emptyChat, ...chat }] as const,
    )
    const chats = Object.fromEntries(stored)
    this.store = createStore<ConsoleState>({ ...emptyConsole, staffId, chats, isAttended: isAttended() })
    this.#connection = openConnection({
      onOpen: () => {
        this.#joined = 'joining'
        this.#change({ ...this.#state, isConnected: true })
        this.#join()
      },
      onClose: (code) => {
        console.warn('The chat is disconnected')
        this.#wasConnected = true
        this.#leave()
        this.#change(evolution.withoutConnection(this.#state))
        if (code === SIGNED_OUT) listener.onSignedOut()
      },
      onFrame: (frame) => this.#receive(frame),
    })
    const { signal } = this.#closing
    const onAttention = () => {
      this.#change({ ...this.#state, isAttended: isAttended() })
      this.#watch()
    }
    document.addEventListener('visibilitychange', onAttention, { signal })
    for (const change of ['focus', 'blur']) addEventListener(change, onAttention, { signal })
  }

  /** Stores the draft for a session, and shows its visitor and colleagues a typing signal. */
  write(sessionId: string, draft: string) {
    this.keep(sessionId, { draft })
    if (this.#draftOf !== sessionId) this.#typing.stop()
    this.#draftOf = sessionId
    this.#typing.typed()
  }

  /** Stores or clears the draft for a session, without a typing signal, or its handover note. */
  keep(sessionId: string, text: { draft: string } | { handoverNote: string }) {
    this.#change(withChat(this.#state, sessionId, () => text))
  }

  /** Sends a message to a session: at once, or as soon as there is a connection. */
  send(sessionId: string, message: string) {
    this.#typing.stop()
    const unsent = unsentMessage(message)
    this.#change(withChat(this.#state, sessionId, (chat) => ({ ...queueMessage(chat, unsent), draft: '' })))
  }

  sendFile(sessionId: string, file: ChatFile) {
    this.#change(withChat(this.#state, sessionId, (chat) => queueMessage(chat, unsentFile(file))))
  }

  /** Adds the fetched messages of a session before the cached ones. */
  addEarlier(sessionId: string, earlier: readonly ChatMessage[]) {
    this.#change(withChat(this.#state, sessionId, (chat) => withEarlier(chat, earlier)))
  }

  /** Shows a session, or none: its cached part immediately, the newest of its history as soon as it arrives. */
  select(selected: string | undefined) {
    if (selected === this.#state.selected) return
    this.#typing.stop()
    this.#change(evolution.withUnlisted({ ...this.#state, selected }, selected ? [{ sessionId: selected }] : []))
    this.#watch()
    this.#opening.stop()
    this.#openChat()
  }

  end(sessionId: string) {
    this.#send({ type: 'end_chat', sessionId })
  }

  /** Filters the list: my chats, unassigned chats, or all. */
  show(assignees: AssigneeFilter) {
    this.#change({ ...this.#state, assignees })
    this.#loadFirst()
  }

  loadMore = async () => {
    const { isLoadingMore, assignees } = this.#state
    const next = nextPageOf(this.#state)
    if (!next || isLoadingMore) return
    this.#change({ ...this.#state, isLoadingMore: true })
    try {
      const page = await getPage(next, chatList)
      const isWanted = nextPageOf({ ...this.#state, assignees }) === next
      if (isWanted) this.#change(evolution.withPage(this.#state, page, assignees))
    } catch (error) {
      console.warn('More chats could not be fetched', error)
    }
    this.#change({ ...this.#state, isLoadingMore: false })
    if (this.#state.assignees !== assignees) this.#loadFirst()
  }

  close() {
    this.#closing.abort()
    this.#leave()
    for (const timer of [this.#followTimer, ...this.#typingTimers.values()]) clearTimeout(timer)
    this.#delivery.close()
    this.#connection.close()
  }

  get #state() {
    return this.store.get()
  }

  #send(frame: ClientFrame) {
    return this.#connection.send(frame)
  }

  /**
   * Shows a state, and does what its changed chats need: stores drafts, reports receipts, sends messages, reports
   * `isNews`, fetches chats that are not listed, and follows the visitors of the shown ones.
   */
  #change(next: ConsoleState, { isNews = false } = {}) {
    const before = this.#state
    const after = evolution.withSeen(next)
    if (after === before) return
    this.store.set(after)
    const changed = Object.keys(after.chats).filter((id) => after.chats[id] !== before.chats[id])
    if (changed.some((id) => isStoredChange(chatIn(before, id), chatIn(after, id)))) {
      storeConsole(this.#staffId, after.chats)
    }
    for (const sessionId of changed) {
      this.#report(sessionId)
      this.#delivery.deliver(sessionId, () => chatIn(this.#state, sessionId))
      const missed = isNews && evolution.missedIn(before, after, sessionId)
      if (missed) this.#listener.onMissed(missed)
    }
    for (const sessionId of after.unlisted) if (!before.unlisted.includes(sessionId)) this.#fetch(sessionId)
    this.#followTimer ??= setTimeout(() => this.#follow(), FOLLOW_AFTER_MS)
  }

  /** Reports how far the visitor's messages have arrived, and been seen, here. */
  #report(sessionId: string) {
    const chat = chatIn(this.#state, sessionId)
    const { lastSequence, answered } = chat.outline
    const known = chat.receipts.admin
    const inText = reached(chat, 'visitor', known, isLookedAt(this.#state, sessionId))
    const isOutlined = lastSequence > Math.max(answered, newestSequence(chat))
    this.#reporter.report(sessionId, isOutlined ? { ...inText, delivered: lastSequence } : inText, known)
  }

  #receive(frame: ServerFrame) {
    const before = this.#state
    if (frame.type === 'active_sessions') {
      this.#reporter.reset()
      this.#followed = ''
    }
    if (frame.type === 'new_message' && frame.sessionId === before.selected) {
      const isNext = frame.sequence <= newestSequence(chatIn(before, frame.sessionId)) + 1
      if (!isNext) this.#openChat()
    }
    // what happened without a connection is news too
    const isNews = this.#wasConnected || !['active_sessions', 'chat_history'].includes(frame.type)
    this.#change(evolveConsole(before, frame), { isNews })
    switch (frame.type) {
      case 'active_sessions':
        return this.#listed(frame)
      case 'chat_history':
        return frame.sessionId === before.selected && this.#opening.succeeded()
      case 'chat_ended':
        if (frame.isErased) clearTray(frame.sessionId)
        else emptyTray(frame.sessionId)
        return this.#listener.onRecordChanged(frame.sessionId)
      case 'chat_assigned':
        this.#listener.onRecordChanged(frame.sessionId)
        return this.#assigned(frame, before)
      case 'chat_rated':
        return this.#listener.onRecordChanged(frame.sessionId)
      case 'typing':
        return this.#endTyping(frame)
      case 'error':
        return this.#refused(frame)
    }
  }

  /** Ends a visitor's typing signal if no new one arrives. */
  #endTyping({ sessionId, senderType, isTyping }: Frame<'typing'>) {
    if (senderType !== 'visitor') return
    clearTimeout(this.#typingTimers.get(sessionId))
    const end = () => this.#change(withChat(this.#state, sessionId, () => ({ isTyping: false })))
    if (isTyping) this.#typingTimers.set(sessionId, setTimeout(end, TYPING_HOLDS_MS))
  }

  /** Reports a chat that a colleague hands over to its new owner, once. */
  #assigned({ sessionId, to, by, note, timestamp }: Frame<'chat_assigned'>, before: ConsoleState) {
    const { assignment, session } = chatIn(this.#state, sessionId)
    if (assignment === chatIn(before, sessionId).assignment) return
    if (to?.staffId !== this.#staffId || by.staffId === this.#staffId) return
    const visitor = session && { visitorName: session.visitorName }
    this.#listener.onHandedOver({ sessionId, ...visitor, from: by.name, note, timestamp })
  }

  /** Repeats what a node refused for now. */
  #refused({ code, refused, clientMessageId, retryAfterS }: Frame<'error'>) {
    if (!passes(code)) return
    if (refused === 'join_admin') return this.#joining.later(retryAfterS)
    if (refused === 'open_chat') return this.#opening.later()
    const sessionId = evolution.writtenIn(this.#state, clientMessageId)
    if (!sessionId || !passes(code, retryAfterS)) return
    this.#delivery.deliverLater(sessionId, () => chatIn(this.#state, sessionId), retryAfterS)
  }

  #join() {
    const listed = listedChats(this.#state).map(({ sessionId }) => sessionId)
    this.#send({ type: 'join_admin', listed: listed.slice(0, MAX_LISTED_SESSIONS) })
  }

  #listed({ isPreparing }: Frame<'active_sessions'>) {
    const { selected } = this.#state
    if (isPreparing) {
      this.#joining.later()
      if (this.#joined !== 'caught-up') this.#catchUp()
      return
    }
    this.#joining.succeeded()
    this.#listener.onJoined()
    if (selected) this.#listener.onRecordChanged(selected)
    this.#catchUp()
    this.#loadFirst()
  }

  #catchUp() {
    this.#joined = 'caught-up'
    if (this.#state.selected) this.#openChat()
    this.#watch()
    for (const id of Object.keys(this.#state.chats)) this.#delivery.deliverAgain(id, () => chatIn(this.#state, id))
  }

  #leave() {
    this.#joined = 'apart'
    this.#followed = ''
    this.#joining.stop()
    this.#opening.stop()
  }

  /** Asks for the missing messages of the shown chat, and for all that follow; for none if no chat is shown. */
  #openChat() {
    if (this.#joined !== 'caught-up') return
    const { selected: sessionId = null } = this.#state
    const afterSequence = sessionId ? unbrokenUpTo(chatIn(this.#state, sessionId)) : undefined
    this.#send({ type: 'open_chat', sessionId, ...(afterSequence !== undefined && { afterSequence }) })
  }

  /** Lets colleagues see which chat is viewed here. */
  #watch() {
    const { selected, isAttended } = this.#state
    this.#send({ type: 'watch', sessionId: (isAttended && selected) || null })
  }

  /** Sends the node the chats shown, if they have changed: it sends the pages of their visitors. */
  #follow() {
    this.#followTimer = undefined
    const { isConnected, isListed, isWaiting } = this.#state
    if (!isConnected || !isListed || isWaiting) return
    const sessionIds = followedChats(this.#state).slice(0, MAX_LISTED_SESSIONS)
    const ids = sessionIds.toSorted().join()
    if (ids !== this.#followed && this.#send({ type: 'follow_visitors', sessionIds })) this.#followed = ids
  }

  async #fetch(sessionId: string) {
    let session: ChatSession | undefined
    try {
      session = (await get(['/api/chats', encodeURIComponent(sessionId)], chatRecord)).session
    } catch (error) {
      console.warn('A chat could not be fetched', error)
    }
    this.#change(evolution.withFetched(this.#state, sessionId, session))
  }

  /** Fetches the first of the shown chats, if the newest of all do not include them. */
  #loadFirst() {
    const { next, assignees } = this.#state
    if (next[assignees] === undefined) this.loadMore()
  }
}
