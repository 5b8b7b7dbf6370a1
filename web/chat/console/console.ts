import { SUPPORT_TEAM_NAME } from '../../../events/chat/chat.ts'
import type { ChatFile } from '../../../events/chat/file.ts'
import type { ServerFrame } from '../../../events/chat/frames-wire.ts'
import type { ChatMessage } from '../../../events/chat/wire.ts'
import { openConnection } from '../messaging/connection.ts'
import { acceptMessage, queueMessage, refuseMessage, unsentFile, unsentMessage } from '../messaging/conversation.ts'
import { emptyTray, forgetTray } from '../messaging/file-tray.ts'
import { withEarlier } from '../messaging/history.ts'
import { passes } from '../messaging/outgoing-messages.ts'
import { typingNotice } from '../messaging/typing.ts'
import { type ConsoleCore, isAttended, openConsoleCore } from './console-core.ts'
import { evolveConsole } from './console-evolution.ts'
import { ConsoleJoin } from './console-join.ts'
import { openConsoleList } from './console-list.ts'
import { type ConsoleNews, type NewsListener, openConsoleNews } from './console-updates.ts'
import { type ConsoleWhereabouts, openConsoleWhereabouts } from './followed-visitors.ts'
import { keepConsole } from './stored-console.ts'

/** The close code of a socket whose staff session has ended. */
const SIGNED_OUT = 4401

/** The listeners of a console besides its screen. */
export type ConsoleListener = NewsListener & {
  onSignedOut: () => void
  /** A node has listed the active chats, and follows with each change. */
  onJoined: () => void
  /** The fetched record of a chat is out of date. */
  onRecordChanged: (sessionId: string) => void
}

/** The side of staff in the chat. */
export type Console = ReturnType<typeof openConsole>

/** Returns the function that passes each frame of a node to the part of the console that handles it. */
const receiver = (
  core: ConsoleCore,
  {
    joining,
    news,
    whereabouts,
    onJoined,
    onRecordChanged,
  }: Pick<ConsoleListener, 'onJoined' | 'onRecordChanged'> & {
    joining: ConsoleJoin
    news: ConsoleNews
    whereabouts: ConsoleWhereabouts
  },
) => {
  const { staffId, store, delivery, conversation, keep, showTyping } = core

  const owning = (clientMessageId: string | undefined) =>
    Object.keys(store.get().conversations).find((sessionId) =>
      conversation(sessionId).unsent.some((unsent) => unsent.clientMessageId === clientMessageId),
    )

  const failed = (error: Extract<ServerFrame, { type: 'error' }>) => {
    const { clientMessageId, code, message, retryAfterS } = error
    const sessionId = owning(clientMessageId)
    if (joining.refused(error) || !sessionId || clientMessageId === undefined) return
    if (passes(code, retryAfterS)) return delivery.deliverLater(sessionId, () => conversation(sessionId), retryAfterS)
    keep(sessionId, refuseMessage(conversation(sessionId), clientMessageId, message))
  }

  return (frame: ServerFrame) => {
    switch (frame.type) {
      case 'active_sessions': {
        const { selected } = store.get()
        whereabouts.forget()
        if (!frame.isPreparing) onJoined()
        if (!frame.isPreparing && selected) onRecordChanged(selected)
        return joining.joined(frame)
      }
      case 'chat_outlines':
        return news.outlinesCame(frame.chats)
      case 'chat_ended':
        store.set(evolveConsole(store.get(), frame))
        if (frame.isErased) forgetTray(frame.sessionId)
        else emptyTray(frame.sessionId)
        onRecordChanged(frame.sessionId)
        return keepConsole(staffId, store.get())
      case 'chat_assigned':
        onRecordChanged(frame.sessionId)
        return news.assigned(frame)
      case 'chat_rated':
        return onRecordChanged(frame.sessionId)
      case 'new_chat_session':
      case 'visitor_email':
      case 'receipt':
      case 'presence':
      case 'page_viewed':
      case 'visitors_here':
      case 'colleague_removed':
        return store.set(evolveConsole(store.get(), frame))
      case 'chat_history':
        joining.opened(frame.sessionId)
        return news.caughtUp(frame.sessionId, frame.messages)
      case 'new_message': {
        const { type: _, ...message } = frame
        return news.arrived(message, () => joining.openChat())
      }
      case 'message_accepted': {
        const sessionId = owning(frame.clientMessageId)
        if (!sessionId) return
        const sender = { sessionId, senderType: 'admin', senderName: SUPPORT_TEAM_NAME } as const
        return keep(sessionId, acceptMessage(conversation(sessionId), frame, sender))
      }
      case 'typing':
        return frame.senderType === 'visitor' ? showTyping(frame.sessionId, frame.isTyping) : undefined
      case 'error':
        return failed(frame)
      default:
        // A visitor's frames, and types of a newer server.
        return
    }
  }
}

/** Calls back when the page gets or loses attention; returns a function that stops this. */
const followAttention = (onChange: () => void) => {
  const following = new AbortController()
  document.addEventListener('visibilitychange', onChange, { signal: following.signal })
  for (const change of ['focus', 'blur']) addEventListener(change, onChange, { signal: following.signal })
  return () => following.abort()
}

/**
 * The writing of a staff member: the draft for the selected session, the messages sent to it, the typing signal, and
 * the handover notes.
 */
const openWriting = ({ staffId, store, send, conversation, keep }: ConsoleCore) => {
  const typing = typingNotice((isTyping) => {
    const { selected } = store.get()
    if (selected) send({ type: 'typing', sessionId: selected, isTyping })
  })
  const keepDraft = (sessionId: string, draft: string) => {
    store.set({ drafts: { ...store.get().drafts, [sessionId]: draft } })
    keepConsole(staffId, store.get())
  }
  return {
    /** Stores the draft for a session, and shows its visitor and colleagues a typing signal. */
    write: (sessionId: string, draft: string) => {
      keepDraft(sessionId, draft)
      typing.typed()
    },
    /** Sends a message to a session: at once, or as soon as there is a connection. */
    send: (sessionId: string, message: string) => {
      typing.stop()
      store.set({ drafts: { ...store.get().drafts, [sessionId]: '' } })
      keep(sessionId, queueMessage(conversation(sessionId), unsentMessage(message)))
    },
    /** Sends a file that is stored in a session. */
    sendFile: (sessionId: string, file: ChatFile) => {
      keep(sessionId, queueMessage(conversation(sessionId), unsentFile(file)))
    },
    /** Stores or clears the draft for a session, without a typing signal. */
    keepDraft,
    /** Stores the handover note for a session. */
    writeHandoverNote: (sessionId: string, note: string) => {
      store.set({ handoverNotes: { ...store.get().handoverNotes, [sessionId]: note } })
      keepConsole(staffId, store.get())
    },
    /** Another session is selected: nothing more is written to this one. */
    stop: typing.stop,
  }
}

/**
 * Opens a socket immediately, and closes it with `close`. `staffId` is the owner of the stored state: no other staff
 * member gets it. Its parts: the state (console-core.ts), the list of chats (console-list.ts), the pages of their
 * visitors (followed-visitors.ts), their updates (console-updates.ts), and joining a node (console-join.ts).
 */
export const openConsole = (
  staffId: string,
  { onSignedOut, onJoined, onRecordChanged, ...listener }: ConsoleListener,
) => {
  const core = openConsoleCore(staffId)
  const { store, send, conversation, keep } = core
  const list = openConsoleList(core)
  const news = openConsoleNews(core, { list, ...listener })
  const joining = new ConsoleJoin(core, { list, news })
  const whereabouts = openConsoleWhereabouts(core)
  const { stop: stopWriting, ...writing } = openWriting(core)

  core.connect(
    openConnection({
      onOpen: () => {
        store.set({ isConnected: true })
        joining.join()
      },
      onClose: (code) => {
        console.warn('The chat is disconnected')
        news.disconnected()
        joining.leave()
        whereabouts.forget()
        store.set({
          isConnected: false,
          isWaiting: false,
          typing: {},
          viewers: {},
          away: {},
          here: {},
        })
        if (code === SIGNED_OUT) onSignedOut()
      },
      onFrame: receiver(core, { joining, news, whereabouts, onJoined, onRecordChanged }),
    }),
  )

  const stopFollowing = followAttention(() => {
    store.set({ isAttended: isAttended() })
    const { selected } = store.get()
    if (selected) keep(selected, conversation(selected))
    joining.watch()
  })

  return {
    get: store.get,
    subscribe: store.subscribe,
    ...writing,
    /** Shows a session, or none: its cached part immediately, the newest of its history as soon as it arrives. */
    select: (sessionId: string | undefined) => {
      if (sessionId === store.get().selected) return
      stopWriting()
      store.set({ selected: sessionId })
      joining.watch()
      if (sessionId) {
        list.meet(sessionId)
        keep(sessionId, conversation(sessionId))
      }
      joining.chatChanged()
    },
    /** Adds the next page of open sessions to the list. */
    loadMore: list.loadMore,
    /** Filters the list: my chats, unassigned chats, or all. */
    show: list.show,
    /** Adds the fetched messages of a session before the cached ones. */
    addEarlier: (sessionId: string, earlier: readonly ChatMessage[]) =>
      keep(sessionId, withEarlier(conversation(sessionId), earlier)),
    end: (sessionId: string) => send({ type: 'end_chat', sessionId }),
    close: () => {
      stopFollowing()
      joining.leave()
      whereabouts.close()
      core.close()
    },
  }
}
